// BEAM, FIELD and what turns in a BUSHING: with d the place and turn of I in the axes of J and v their rates,
//     F = -K (d - d0) - C v + F0,
// on I in the axes of J, and its opposite at the same place on the part of J. That is a GFORCE, which they become.
#include <fmt/format.h>

#include "io/adams/adams_model.hpp"

namespace cardan {

namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Row6 = Eigen::Matrix<double, 1, 6>;

/// Of Timoshenko's beam along x of J, its far end (I) against its near one:
///     phi_y = 12 E I_zz ASY / (G A L^2), phi_z = 12 E I_yy ASZ / (G A L^2).
Mat6 beam_stiffness(double length, double e, double g, double area, const Vec3& inertia, double asy, double asz) {
  const double phi_y = asy == 0 ? 0 : 12 * e * inertia.z() * asy / (g * area * length * length);
  const double phi_z = asz == 0 ? 0 : 12 * e * inertia.y() * asz / (g * area * length * length);
  const double y = e * inertia.z() / (length * (1 + phi_y)), z = e * inertia.y() / (length * (1 + phi_z));
  Mat6 k = Mat6::Zero();
  k(0, 0) = e * area / length;
  k(1, 1) = 12 * y / (length * length);
  k(2, 2) = 12 * z / (length * length);
  k(3, 3) = g * inertia.x() / length;
  k(4, 4) = (4 + phi_z) * z;
  k(5, 5) = (4 + phi_y) * y;
  k(1, 5) = k(5, 1) = -6 * y / length;
  k(2, 4) = k(4, 2) = 6 * z / length;
  return k;
}

constexpr const char* kPlaces[] = {"DX({0},{1},{1})", "DY({0},{1},{1})", "DZ({0},{1},{1})",
                                   "AX({0},{1})",     "AY({0},{1})",     "AZ({0},{1})"};
constexpr const char* kRates[] = {"VX({0},{1},{1},{1})", "VY({0},{1},{1},{1})", "VZ({0},{1},{1},{1})",
                                  "WX({0},{1},{1})",     "WY({0},{1},{1})",     "WZ({0},{1},{1})"};
constexpr const char* kComponents[] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};

/// One of F as an expression of markers i and j, from its rows of K and C.
std::string component(double force, const Row6& stiffness, const Row6& damping, const Vec6& rest, int i, int j) {
  std::string text = fmt::format("{}", force);
  for (int k = 0; k < 6; ++k) {
    if (stiffness[k] != 0)
      text += fmt::format(" + ({})*({} - ({}))", -stiffness[k], fmt::format(fmt::runtime(kPlaces[k]), i, j), rest[k]);
    if (damping[k] != 0) text += fmt::format(" + ({})*{}", -damping[k], fmt::format(fmt::runtime(kRates[k]), i, j));
  }
  return text;
}

}  // namespace

AdamsStatement AdamsModel::elastic_force(const Statement& s) {
  int i = 0, j = 0;
  marker_of(s, "I", &i);
  marker_of(s, "J", &j);
  const auto list = [&](const char* name, std::size_t count) { return numbers(s, name, count, count); };
  Mat6 stiffness = Mat6::Zero(), damping = Mat6::Zero();
  Vec6 rest = Vec6::Zero(), force = Vec6::Zero();
  if (s.keyword == "BEAM") {
    if (const AdamsArgument* form = s.find("FORMULATION"); form != nullptr && upper_case(form->value) != "LINEAR")
      refuse("beams other than linear ones are not understood");
    for (const char* needed : {"LENGTH", "IXX", "IYY", "IZZ", "AREA", "EMODULUS", "GMODULUS"})
      if (!s.has(needed)) broken(fmt::format("{} is missing", needed));
    rest[0] = number(s, "LENGTH", 0);
    if (!(rest[0] > 0)) broken("LENGTH is not above 0");
    stiffness = beam_stiffness(rest[0], number(s, "EMODULUS", 0), number(s, "GMODULUS", 0), number(s, "AREA", 0),
                               {number(s, "IXX", 0), number(s, "IYY", 0), number(s, "IZZ", 0)}, number(s, "ASY", 0),
                               number(s, "ASZ", 0));
    if (const auto lower = list("CMATRIX", 21)) {  // one half, column by column
      std::size_t at = 0;
      for (int column = 0; column < 6; ++column)
        for (int row = column; row < 6; ++row) damping(row, column) = damping(column, row) = (*lower)[at++];
    }
  } else if (s.keyword == "BUSHING") {
    const auto turning = [&](const char* name, Mat6& result) {
      result.bottomRightCorner<3, 3>() = vector(s, name, Vec3::Zero()).asDiagonal();
    };
    turning("KT", stiffness);
    turning("CT", damping);
    force << vector(s, "FORCE", Vec3::Zero()), vector(s, "TORQUE", Vec3::Zero());
  } else {
    if (s.has("NONLINEAR") || s.has("FUNCTION")) refuse("it is a subroutine of its own");
    const auto matrix = [&](const char* name, Mat6& result) {
      if (const auto all = list(name, 36)) result = Eigen::Map<const Mat6>(all->data());
    };
    matrix("KMATRIX", stiffness);
    matrix("CMATRIX", damping);
    for (auto& [name, vector] : {std::pair("LENGTH", &rest), std::pair("FORCE", &force)})
      if (const auto all = list(name, 6)) *vector = Eigen::Map<const Vec6>(all->data());
  }
  if (s.has("CRATIO")) damping = number(s, "CRATIO", 0) * stiffness;
  Statement general{s.keyword, s.id, s.view_name, s.where, {}};
  for (const auto& [name, marker] : {std::pair("I", i), {"J", j}, {"RM", j}})
    general.arguments.push_back({name, std::to_string(marker), s.where});
  for (int row = 0; row < 6; ++row)
    general.arguments.push_back(
        {kComponents[row], component(force[row], stiffness.row(row), damping.row(row), rest, i, j), s.where});
  return general;
}

void AdamsModel::add_elastic(const Statement& s) { add_vector_force(elastic_force(s)); }

// Where a sensor ends the run: an event. What else it does (print, begin anew) is of no concern.
void AdamsModel::add_sensor(const Statement& s) {
  for (const char* of_no_concern : {"ERROR", "PRINT", "DT", "STEPSIZE", "CODGEN", "RESTART", "YYDUMP", "BISECTION"})
    s.find(of_no_concern);
  const bool rises = s.has("GE"), falls = s.has("LE");
  s.find("EQ");
  if (s.has("EVALUATE")) refuse("what it evaluates is not understood");
  if (!s.has("HALT") && !s.has("RETURN")) {
    for (const AdamsArgument& argument : s.arguments) argument.used = true;
    return;
  }
  const std::string value = expression(s, "FUNCTION", 1), level = number_text(number(s, "VALUE", 0));
  const auto add = [&](const char* comparison) {
    model_.add("events", name_of(s), s.where, s.label())
        .word("when", fmt::format("{} {} {}", value, comparison, level))
        .word("end", "true");
  };
  if (!falls) add(">");
  if (!rises) add("<");
}

}  // namespace cardan
