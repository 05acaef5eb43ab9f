// The Magic Formula against its published equations, written out a second time, number by number.
#include "math/tyre/magic_formula.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <sstream>

#include "elements/tyre_file.hpp"
#include "io/documented_models.hpp"

namespace cardan::magic_formula_test {
namespace {

const std::string kFile = CARDAN_SOURCE_DIR "/models/parts/touring.tir";

/// All numbers of a file, read without the library.
std::map<std::string, double> numbers(const std::string& text) {
  std::map<std::string, double> result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key, equals;
    double value = 0;
    if (words >> key >> equals >> value && equals == "=") result[key] = value;
  }
  return result;
}

struct Published {
  double Fx, Fy, Mz;
};

/// H. B. Pacejka, Tyre and Vehicle Dynamics, 2006, equations 4.E1 to 4.E78 without turn slip and with all scaling
/// factors 1, in the simpler form of version 5.2.
Published published(std::map<std::string, double> c, double Fz, double kappa, double alpha, double gamma) {
  const double Fz0 = c["FNOMIN"], R0 = c["UNLOADED_RADIUS"], dfz = (Fz - Fz0) / Fz0;
  const auto sine = [](double D, double C, double B, double E, double x) {
    return D * std::sin(C * std::atan(B * x - E * (B * x - std::atan(B * x))));
  };
  const auto cosine = [](double D, double C, double B, double E, double x) {
    return D * std::cos(C * std::atan(B * x - E * (B * x - std::atan(B * x))));
  };
  // longitudinal
  const double kx = kappa + c["PHX1"] + c["PHX2"] * dfz;
  const double Dx = (c["PDX1"] + c["PDX2"] * dfz) * (1 - c["PDX3"] * gamma * gamma) * Fz;
  const double Ex =
      std::min(1.0, (c["PEX1"] + c["PEX2"] * dfz + c["PEX3"] * dfz * dfz) * (1 - c["PEX4"] * std::copysign(1, kx)));
  const double Kx = Fz * (c["PKX1"] + c["PKX2"] * dfz) * std::exp(c["PKX3"] * dfz);
  const double Fx0 = sine(Dx, c["PCX1"], Kx / (c["PCX1"] * Dx), Ex, kx) + Fz * (c["PVX1"] + c["PVX2"] * dfz);
  // side
  const double mu = (c["PDY1"] + c["PDY2"] * dfz) * (1 - c["PDY3"] * gamma * gamma), Dy = mu * Fz;
  const double Ky =
      c["PKY1"] * Fz0 * std::sin(2 * std::atan(Fz / (c["PKY2"] * Fz0))) * (1 - c["PKY3"] * std::abs(gamma));
  const double SHy = c["PHY1"] + c["PHY2"] * dfz + c["PHY3"] * gamma;
  const double SVy = Fz * (c["PVY1"] + c["PVY2"] * dfz + (c["PVY3"] + c["PVY4"] * dfz) * gamma);
  const double ay = alpha + SHy;
  const double Ey =
      std::min(1.0, (c["PEY1"] + c["PEY2"] * dfz) * (1 - (c["PEY3"] + c["PEY4"] * gamma) * std::copysign(1, ay)));
  const double By = Ky / (c["PCY1"] * Dy);
  const double Fy0 = sine(Dy, c["PCY1"], By, Ey, ay) + SVy;
  // combined
  const double Bxa = c["RBX1"] * std::cos(std::atan(c["RBX2"] * kappa)), Exa = c["REX1"] + c["REX2"] * dfz;
  const double Gxa = cosine(1, c["RCX1"], Bxa, Exa, alpha + c["RHX1"]) / cosine(1, c["RCX1"], Bxa, Exa, c["RHX1"]);
  const double Byk = c["RBY1"] * std::cos(std::atan(c["RBY2"] * (alpha - c["RBY3"]))),
               Eyk = c["REY1"] + c["REY2"] * dfz;
  const double SHyk = c["RHY1"] + c["RHY2"] * dfz;
  const double Gyk = cosine(1, c["RCY1"], Byk, Eyk, kappa + SHyk) / cosine(1, c["RCY1"], Byk, Eyk, SHyk);
  const double SVyk = mu * Fz * (c["RVY1"] + c["RVY2"] * dfz + c["RVY3"] * gamma) *
                      std::cos(std::atan(c["RVY4"] * alpha)) * std::sin(c["RVY5"] * std::atan(c["RVY6"] * kappa));
  const double Fx = Gxa * Fx0, Fy = Gyk * Fy0 + SVyk;
  // aligning
  const double at = alpha + c["QHZ1"] + c["QHZ2"] * dfz + (c["QHZ3"] + c["QHZ4"] * dfz) * gamma;
  const double ar = alpha + SHy + SVy / Ky;
  const auto equivalent = [&](double a) {
    return std::copysign(std::atan(std::sqrt(std::pow(std::tan(a), 2) + std::pow(Kx / Ky * kappa, 2))), a);
  };
  const double Bt =
      (c["QBZ1"] + c["QBZ2"] * dfz + c["QBZ3"] * dfz * dfz) * (1 + c["QBZ4"] * gamma + c["QBZ5"] * std::abs(gamma));
  const double Dt = Fz * (c["QDZ1"] + c["QDZ2"] * dfz) * (1 + c["QDZ3"] * gamma + c["QDZ4"] * gamma * gamma) * R0 / Fz0;
  const double Et =
      std::min(1.0, (c["QEZ1"] + c["QEZ2"] * dfz + c["QEZ3"] * dfz * dfz) *
                        (1 + (c["QEZ4"] + c["QEZ5"] * gamma) * 2 / M_PI * std::atan(Bt * c["QCZ1"] * equivalent(at))));
  const double trail = cosine(Dt, c["QCZ1"], Bt, Et, equivalent(at)) * std::cos(alpha);
  const double Br = c["QBZ9"] + c["QBZ10"] * By * c["PCY1"];
  const double Dr = Fz * (c["QDZ6"] + c["QDZ7"] * dfz + (c["QDZ8"] + c["QDZ9"] * dfz) * gamma) * R0;
  const double residual = Dr * std::cos(std::atan(Br * equivalent(ar))) * std::cos(alpha);
  const double s = (c["SSZ1"] + c["SSZ2"] * Fy / Fz0 + (c["SSZ3"] + c["SSZ4"] * dfz) * gamma) * R0;
  return {Fx, Fy, -trail * (Fy - SVyk) + residual + s * Fx};
}

std::optional<TyreFile> read(const std::string& text, std::vector<std::string>& complaints) {
  return read_tyre_file(text, [&](int line, const std::string& message, const std::string& remedy) {
    complaints.push_back(std::to_string(line) + ": " + message + "; " + remedy);
  });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(MagicFormula, HasTheForcesOfThePublishedEquations) {
  std::vector<std::string> complaints;
  const auto file = read(text_of(kFile), complaints);
  ASSERT_TRUE(file) << complaints.at(0);
  const std::map<std::string, double> c = numbers(text_of(kFile));
  EXPECT_GT(c.size(), 100u);
  int compared = 0;
  for (const double Fz : {900.0, 2500.0, 4000.0, 7300.0}) {
    for (const double kappa : {-0.8, -0.07, 0.0, 0.02, 0.15, 1.2}) {
      for (const double alpha : {-0.3, -0.04, 0.0, 0.01, 0.12, 0.9}) {
        for (const double gamma : {-0.15, 0.0, 0.08}) {
          const auto f = file->formula.forces(TyreSlip<double>{Fz, kappa, std::tan(alpha), gamma});
          const Published expected = published(c, Fz, kappa, alpha, gamma);
          EXPECT_NEAR(f.forward, expected.Fx, 1e-9 * Fz) << Fz << " " << kappa << " " << alpha << " " << gamma;
          EXPECT_NEAR(f.left, expected.Fy, 1e-9 * Fz) << Fz << " " << kappa << " " << alpha << " " << gamma;
          EXPECT_NEAR(f.aligning, expected.Mz, 1e-9 * Fz) << Fz << " " << kappa << " " << alpha << " " << gamma;
          ++compared;
        }
      }
    }
  }
  EXPECT_EQ(compared, 4 * 6 * 6 * 3);
}

/// The same tyre with what version 6.1 adds, numbers of our own making.
std::string later_file() {
  return replaced(text_of(kFile), "= 6  ", "= 61 ") +
         "NOMPRES = 220000\nINFLPRES = 250000\nPEY5 = 1.3\nPKY4 = 1.9\nPKY5 = 0.7\nPKY6 = -0.9\nPKY7 = -0.2\n"
         "RBX3 = 3.1\nRBY4 = 2.2\nQDZ10 = 0.3\nQDZ11 = -0.1\nPPX1 = -0.35\nPPX2 = 0.3\nPPX3 = -0.1\nPPX4 = 0.07\n"
         "PPY1 = -0.6\nPPY2 = -0.07\nPPY3 = -0.13\nPPY4 = 0.05\nPPY5 = -0.5\nPPZ1 = -0.4\nPPZ2 = 0.2\n"
         "LONGITUDINAL_STIFFNESS = 350000\nLATERAL_STIFFNESS = 110000\nPCFX1 = 0.1\nPCFX2 = -0.05\nPCFX3 = 0.25\n"
         "PCFY1 = 0.16\nPCFY2 = 0.02\nPCFY3 = 0.26\nQSY5 = 0.02\nQSY6 = -0.01\nQSY7 = 0.85\nQSY8 = -0.4\n";
}

/// What version 6.1 changes, after Besselink, Schmeitz and Pacejka (2010), written out a second time.
Published published_later(std::map<std::string, double> c, double Fz, double kappa, double alpha, double gamma) {
  const double Fz0 = c["FNOMIN"], R0 = c["UNLOADED_RADIUS"], dfz = (Fz - Fz0) / Fz0;
  const double dp = (c["INFLPRES"] - c["NOMPRES"]) / c["NOMPRES"], g2 = gamma * gamma;
  const auto bent = [](double B, double C, double E, double x) {
    return C * std::atan(B * x - E * (B * x - std::atan(B * x)));
  };
  const double kx = kappa + c["PHX1"] + c["PHX2"] * dfz;
  const double Dx =
      (c["PDX1"] + c["PDX2"] * dfz) * (1 + c["PPX3"] * dp + c["PPX4"] * dp * dp) * (1 - c["PDX3"] * g2) * Fz;
  const double Ex =
      std::min(1.0, (c["PEX1"] + c["PEX2"] * dfz + c["PEX3"] * dfz * dfz) * (1 - c["PEX4"] * std::copysign(1, kx)));
  const double Kx =
      Fz * (c["PKX1"] + c["PKX2"] * dfz) * std::exp(c["PKX3"] * dfz) * (1 + c["PPX1"] * dp + c["PPX2"] * dp * dp);
  const double Fx0 = Dx * std::sin(bent(Kx / (c["PCX1"] * Dx), c["PCX1"], Ex, kx)) + Fz * (c["PVX1"] + c["PVX2"] * dfz);
  struct Side {
    double Fy0, Ky, mu, By, SHy, SVy;
  };
  const auto side = [&](double g) {
    const double mu =
        (c["PDY1"] + c["PDY2"] * dfz) * (1 + c["PPY3"] * dp + c["PPY4"] * dp * dp) * (1 - c["PDY3"] * g * g);
    const double Ky =
        c["PKY1"] * Fz0 * (1 + c["PPY1"] * dp) * (1 - c["PKY3"] * std::abs(g)) *
        std::sin(c["PKY4"] * std::atan(Fz / Fz0 / ((c["PKY2"] + c["PKY5"] * g * g) * (1 + c["PPY2"] * dp))));
    const double SVg = Fz * (c["PVY3"] + c["PVY4"] * dfz) * g;
    const double Kg = Fz * (c["PKY6"] + c["PKY7"] * dfz) * (1 + c["PPY5"] * dp);
    const double SHy = c["PHY1"] + c["PHY2"] * dfz + (Kg * g - SVg) / Ky,
                 SVy = Fz * (c["PVY1"] + c["PVY2"] * dfz) + SVg;
    const double ay = alpha + SHy, By = Ky / (c["PCY1"] * mu * Fz);
    const double Ey = std::min(1.0, (c["PEY1"] + c["PEY2"] * dfz) *
                                        (1 + c["PEY5"] * g * g - (c["PEY3"] + c["PEY4"] * g) * std::copysign(1, ay)));
    return Side{mu * Fz * std::sin(bent(By, c["PCY1"], Ey, ay)) + SVy, Ky, mu, By, SHy, SVy};
  };
  const Side y = side(gamma);
  const double Bxa = (c["RBX1"] + c["RBX3"] * g2) * std::cos(std::atan(c["RBX2"] * kappa));
  const double Exa = c["REX1"] + c["REX2"] * dfz, Eyk = c["REY1"] + c["REY2"] * dfz;
  const double Fx =
      Fx0 * std::cos(bent(Bxa, c["RCX1"], Exa, alpha + c["RHX1"])) / std::cos(bent(Bxa, c["RCX1"], Exa, c["RHX1"]));
  const double Byk = (c["RBY1"] + c["RBY4"] * g2) * std::cos(std::atan(c["RBY2"] * (alpha - c["RBY3"])));
  const double SHyk = c["RHY1"] + c["RHY2"] * dfz;
  const double G = std::cos(bent(Byk, c["RCY1"], Eyk, kappa + SHyk)) / std::cos(bent(Byk, c["RCY1"], Eyk, SHyk));
  const double SVyk = y.mu * Fz * (c["RVY1"] + c["RVY2"] * dfz + c["RVY3"] * gamma) *
                      std::cos(std::atan(c["RVY4"] * alpha)) * std::sin(c["RVY5"] * std::atan(c["RVY6"] * kappa));
  const double Fy = G * y.Fy0 + SVyk;
  const auto equivalent = [&](double a) {
    return std::copysign(std::atan(std::hypot(std::tan(a), Kx / y.Ky * kappa)), a);
  };
  const double at = equivalent(alpha + c["QHZ1"] + c["QHZ2"] * dfz + (c["QHZ3"] + c["QHZ4"] * dfz) * gamma);
  const double ar = equivalent(alpha + y.SHy + y.SVy / y.Ky);
  const double Bt =
      (c["QBZ1"] + c["QBZ2"] * dfz + c["QBZ3"] * dfz * dfz) * (1 + c["QBZ4"] * gamma + c["QBZ5"] * std::abs(gamma));
  const double Dt =
      Fz * (c["QDZ1"] + c["QDZ2"] * dfz) * (1 - c["PPZ1"] * dp) * (1 + c["QDZ3"] * gamma + c["QDZ4"] * g2) * R0 / Fz0;
  const double Et =
      std::min(1.0, (c["QEZ1"] + c["QEZ2"] * dfz + c["QEZ3"] * dfz * dfz) *
                        (1 + (c["QEZ4"] + c["QEZ5"] * gamma) * 2 / M_PI * std::atan(Bt * c["QCZ1"] * at)));
  const double trail = Dt * std::cos(bent(Bt, c["QCZ1"], Et, at)) * std::cos(alpha);
  const double Dr =
      Fz * R0 *
      (c["QDZ6"] + c["QDZ7"] * dfz +
       ((c["QDZ8"] + c["QDZ9"] * dfz) * (1 + c["PPZ2"] * dp) + (c["QDZ10"] + c["QDZ11"] * dfz) * std::abs(gamma)) *
           gamma);
  const double residual = Dr * std::cos(std::atan((c["QBZ9"] + c["QBZ10"] * y.By * c["PCY1"]) * ar)) * std::cos(alpha);
  const double s = (c["SSZ1"] + c["SSZ2"] * Fy / Fz0 + (c["SSZ3"] + c["SSZ4"] * dfz) * gamma) * R0;
  return {Fx, Fy, -trail * G * side(0).Fy0 + residual + s * Fx};
}

TEST(MagicFormula, OfVersion61HasTheForcesOfItsEquations) {
  std::vector<std::string> complaints;
  const auto file = read(later_file(), complaints);
  ASSERT_TRUE(file) << complaints.at(0);
  const std::map<std::string, double> c = numbers(later_file());
  for (const double Fz : {900.0, 4000.0, 7300.0}) {
    for (const double kappa : {-0.8, -0.07, 0.0, 0.15}) {
      for (const double alpha : {-0.3, -0.04, 0.0, 0.12, 0.9}) {
        for (const double gamma : {-0.15, 0.0, 0.08}) {
          const auto f = file->formula.forces(TyreSlip<double>{Fz, kappa, std::tan(alpha), gamma});
          const Published expected = published_later(c, Fz, kappa, alpha, gamma);
          EXPECT_NEAR(f.forward, expected.Fx, 1e-9 * Fz) << Fz << " " << kappa << " " << alpha << " " << gamma;
          EXPECT_NEAR(f.left, expected.Fy, 1e-9 * Fz) << Fz << " " << kappa << " " << alpha << " " << gamma;
          EXPECT_NEAR(f.aligning, expected.Mz, 1e-9 * Fz) << Fz << " " << kappa << " " << alpha << " " << gamma;
        }
      }
    }
  }
}

/// Relaxation lengths are slip stiffness over that of the carcass; rolling resistance goes with load and pressure.
TEST(MagicFormula, OfVersion61HasItsRelaxationAndResistance) {
  std::vector<std::string> complaints;
  const MagicFormula tyre = read(later_file(), complaints)->formula;
  const double Fz = 5000, dfz = 0.25, dp = 3.0 / 22;
  const auto slope = [&](bool longitudinal) {
    const double e = 1e-5;
    const auto force = [&](double slip) {
      // Camber 0, and the shifts of the curves taken out: the slope where the pure curve is steepest.
      const double shift = longitudinal ? tyre.PHX1 + tyre.PHX2 * dfz : tyre.PHY1 + tyre.PHY2 * dfz;
      MagicFormula alone = tyre;
      alone.RBX1 = alone.RBY1 = alone.RVY1 = alone.RVY2 = 0;
      const auto f = alone.forces(longitudinal ? TyreSlip<double>{Fz, slip - shift, 0, 0}
                                               : TyreSlip<double>{Fz, 0, std::tan(slip - shift), 0});
      return longitudinal ? f.forward : f.left;
    };
    return (force(e) - force(-e)) / (2 * e);
  };
  const TyreSlip<double> at{Fz, 0, 0, 0};
  const double Cx = 350000 * (1 + 0.1 * dfz - 0.05 * dfz * dfz) * (1 + 0.25 * dp);
  const double Cy = 110000 * (1 + 0.16 * dfz + 0.02 * dfz * dfz) * (1 + 0.26 * dp);
  EXPECT_NEAR(tyre.relaxation_x(at), slope(true) / Cx, 1e-4);
  EXPECT_NEAR(tyre.relaxation_y(at), -slope(false) / Cy, 1e-4);
  const double v = 20 / tyre.LONGVL, gamma = 0.1;
  EXPECT_NEAR(tyre.resistance(Fz, gamma, 300.0, 20.0) * Fz,
              4000 *
                  (tyre.QSY1 + tyre.QSY2 * 300 / 4000 + tyre.QSY3 * v + tyre.QSY4 * std::pow(v, 4) +
                   (0.02 - 0.01 * Fz / 4000) * gamma * gamma) *
                  std::pow(Fz / 4000, 0.85) * std::pow(25.0 / 22, -0.4),
              1e-9 * Fz);
}

/// Points that the book's picture of such a tyre shows: friction about 1, cornering stiffness about 17 loads a radian.
TEST(MagicFormula, IsATyre) {
  std::vector<std::string> complaints;
  const MagicFormula tyre = read(text_of(kFile), complaints)->formula;
  const auto side = [&](double alpha) { return tyre.forces(TyreSlip<double>{4000, 0, std::tan(alpha), 0}).left; };
  EXPECT_LT(side(0.1), -3000);
  EXPECT_GT(side(-0.1), 3000);
  EXPECT_NEAR((side(0.005) - side(-0.005)) / 0.01 / -4000, 15.3, 1);
  EXPECT_GT(tyre.forces(TyreSlip<double>{4000, 0.1, 0, 0}).forward, 3900);
  EXPECT_GT(tyre.peak_x, 0.04);
  EXPECT_LT(tyre.peak_x, 0.3);
  // Beyond the loads of the file forces go with the load.
  const auto most = tyre.forces(TyreSlip<double>{10000, 0.05, 0.1, 0}),
             more = tyre.forces(TyreSlip<double>{20000, 0.05, 0.1, 0});
  EXPECT_NEAR(more.left, 2 * most.left, 1e-9);
}

TEST(MagicFormula, HonoursTheUnitsOfItsFile) {
  std::vector<std::string> complaints;
  const std::string text = text_of(kFile);
  std::string other = replaced(text, "'meter'", "'mm'");
  other = replaced(other, "'newton'", "'kN'");
  other = replaced(other, "'radians'", "'degree'");
  other = replaced(other, "= 0.3135", "= 313.5");
  other = replaced(other, "= 0.205", "= 205");
  other = replaced(other, "= 2.1e5", "= 0.21");
  other = replaced(other, "VERTICAL_DAMPING        = 200", "VERTICAL_DAMPING = 2e-4");
  other = replaced(other, "= 4000 ", "= 4 ");
  other = replaced(other, "= 16.6", "= 16600");
  other = replaced(other, "FZMIN                   = 200", "FZMIN = 0.2");
  other = replaced(other, "= 10000", "= 10");
  other = replaced(other, "CAMMAX                  = 0.26", "CAMMAX = 14.897");
  const auto one = read(text, complaints), two = read(other, complaints);
  ASSERT_TRUE(one && two) << complaints.at(0);
  EXPECT_NEAR(*two->width, 0.205, 1e-12);
  EXPECT_NEAR(*two->stiffness, 2.1e5, 1e-6);
  EXPECT_NEAR(*two->damping, 200, 1e-9);
  EXPECT_NEAR(two->formula.CAMMAX, 0.26, 1e-4);
  const TyreSlip<double> slip{5000, 0.05, 0.02, 0.02};
  EXPECT_NEAR(two->formula.forces(slip).left, one->formula.forces(slip).left, 1e-6);
  EXPECT_NEAR(two->formula.forces(slip).aligning, one->formula.forces(slip).aligning, 1e-6);
  EXPECT_NEAR(two->formula.resistance(4000.0, 0.0, 0.0, 20.0), one->formula.resistance(4000.0, 0.0, 0.0, 20.0), 1e-12);
}

TEST(MagicFormula, RefusesABadFileByName) {
  const std::string text = text_of(kFile);
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::vector<std::string> complaints;
    EXPECT_FALSE(read(replaced(text, from, to), complaints)) << from;
    return complaints.empty() ? std::string() : complaints[0];
  };
  EXPECT_EQ(complaint("PKY1 ", "PKY9 "),
            "0: PKY1 is missing; Magic Formula 5.2 needs all of its coefficients; give 0 where one has no effect");
  EXPECT_EQ(complaint("= 1.62", "= one"), "41: PCX1 is 'one', not a finite number; ");
  EXPECT_EQ(complaint("= 6  ", "= 60  "),
            "14: FITTYP is 60; Magic Formula 5.2 is read, FITTYP 5, 6, 21 or 52, and 6.1, FITTYP 61 or 62");
  EXPECT_EQ(complaint("= 6  ", "= 61  ").substr(0, 24), "0: NOMPRES, PEY5, PKY4, ");
  EXPECT_EQ(complaint("'newton'", "'stone'").substr(0, 31), "8: the unit of FORCE is 'stone'");
  EXPECT_EQ(complaint("= 4000 ", "= -4000 "), "23: FNOMIN is -4000; give it greater than 0");
  EXPECT_EQ(complaint("= -17.5", "= 17.5").substr(0, 42), "74: the side force is not against the slip");
  std::vector<std::string> complaints;
  EXPECT_FALSE(read("nothing here", complaints));
  EXPECT_EQ(complaints.at(0), "0: the file has no entries; give a tyre file (.tir)");
}

}  // namespace
}  // namespace cardan::magic_formula_test
