#include "system/initial_velocities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "math/rank.hpp"

namespace cardan {
namespace {

template <int D>
class VelocityProblem {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;

  VelocityProblem(const AssemblyEquations<D>& equations, BodyKinematics<D>& bodies)
      : model_(equations.model()), equations_(equations), bodies_(bodies) {}

  std::vector<std::string> run() {
    find_velocities();
    return std::move(warnings_);
  }

 private:
  /// Of the velocities in the kinetic energy; what has no mass gets some.
  VecX weights() const {
    VecX weight(model_.bodies() * S::kTwist);
    double mass_scale = 0;
    for (const auto& i : model_.inertias()) mass_scale = std::max(mass_scale, i.mass);
    if (mass_scale == 0) mass_scale = 1;
    for (int b = 0; b < model_.bodies(); ++b) {
      const auto& i = model_.inertias()[b];
      const double floor = 1e-6 * mass_scale;
      weight.segment<D>(b * S::kTwist).setConstant(std::max(i.mass, floor));
      weight.segment<S::kAngular>(b * S::kTwist + D)
          .setConstant(std::max(i.inertia.trace() / S::kAngular, floor * equations_.length * equations_.length));
    }
    return weight;
  }

  /// What velocities must satisfy, and who says so.
  struct Demands {
    SparseRows rows;
    std::vector<double> values;
    std::vector<std::pair<std::string, SourceLocation>> sources;
    int given = 0;  // by the user
  };

  Demands collect() {
    Demands demands{equations_.empty_rows(), {}, {}, 0};
    auto& [rows, values, sources, given] = demands;
    for (const AssemblyEquation<D>& e : equations_.all) {
      if (!e.rate) continue;
      equations_.append_row(e, rows);
      values.push_back(equations_.unit(e) * *e.rate);
      sources.emplace_back(e.element, e.where);
      given += e.element.starts_with("initial");
    }
    for (int b = 0; b < model_.bodies(); ++b) {
      const Body& body = model_.mechanism().bodies[b];
      const auto component = [&](int index, double value) {
        if (std::isnan(value)) return;
        const double unit = index < D ? 1 : equations_.length;
        rows.add(b * S::kTwist + index, unit);
        rows.end_row();
        values.push_back(unit * value);
        sources.emplace_back("initial values of body '" + body.name + "'",
                             body.initial_where.line > 0 ? body.initial_where : body.where);
        ++given;
      };
      for (int i = 0; body.initial_velocity && i < D; ++i) component(i, (*body.initial_velocity)[i]);
      for (int i = 0; body.initial_angular_velocity && i < S::kAngular; ++i) {
        component(D + i, (*body.initial_angular_velocity)[D == 2 ? 2 : i]);
      }
    }
    return demands;
  }

  /// Least kinetic energy among all velocities that respect the joints and what is given.
  void find_velocities() {
    Demands demands = collect();
    auto& [rows, values, sources, given] = demands;
    const Eigen::Map<VecX> wanted(values.data(), static_cast<Eigen::Index>(values.size()));
    if (values.empty() || wanted.isZero(0)) return;
    double unused = 0;
    const VecX velocity = minimum_norm_solution(rows, weights(), wanted, &unused, equations_.nothing());
    refuse_contradiction(demands, velocity);
    for (int b = 0; b < model_.bodies(); ++b) {
      const Vector v = velocity.segment<D>(b * S::kTwist);
      const typename S::Angular w = velocity.segment<S::kAngular>(b * S::kTwist + D);
      bodies_.twist[b] = twist<D>(v - cross(w, bodies_.center[b]), w);
    }
    if (given > 0)
      warn_of_open_velocities(rows);
    else
      warn_of_motions_beside_drivers(rows, velocity);
  }

  void refuse_contradiction(const Demands& demands, const VecX& velocity) {
    const auto& [rows, values, sources, given] = demands;
    const Eigen::Map<const VecX> wanted(values.data(), static_cast<Eigen::Index>(values.size()));
    const double scale = std::max(wanted.cwiseAbs().maxCoeff(), 1e-12 * equations_.length);
    double worst = 0;
    int which = 0;
    for (int r = 0; r < wanted.size(); ++r) {
      double value = -wanted[r];
      for (int e = rows.start[r]; e < rows.start[r + 1]; ++e) value += rows.value[e] * velocity[rows.column[e]];
      // The contradiction shows everywhere; what the user wrote is where it can be mended.
      const bool theirs = sources[r].first.starts_with("initial") || sources[r].first.starts_with("driver");
      if (std::abs(value) * (theirs ? 1e3 : 1) > worst) worst = std::abs(value) * (theirs ? 1e3 : 1), which = r;
    }
    if (worst > 1e-7 * scale) {
      equations_.refuse_motion_if_locked(sources[which].first, sources[which].second);
      throw ModelError(error_at(sources[which].second, sources[which].first,
                                "the velocities contradict each other, the joints or the constraints",
                                "give only as many as there are degrees of freedom; the rest follow from the joints"));
    }
  }

  void warn_of_open_velocities(const SparseRows& rows) {
    const int rank = rows.rows() - static_cast<int>(equations_.dependent(rows).size());
    if (const int open = rows.columns - rank; open > 0) {
      warnings_.push_back(fmt::format(
          "the initial velocities leave {} degree{} of freedom open; those of least kinetic energy were taken", open,
          open == 1 ? "" : "s"));
    }
  }

  /// Drivers alone give velocities: what they move may roll, swing or lag behind. Degrees of freedom count that show in
  /// a joint's coordinate or a mass centre of a body that moves: a link between two balls spins about its own line
  /// unseen, and what stands still was meant to.
  void warn_of_motions_beside_drivers(SparseRows rows, const VecX& velocity) {
    const double least = 1e-9 * velocity.cwiseAbs().maxCoeff();
    const auto moves = [&](int body) {
      return body < model_.bodies() && velocity.segment<S::kTwist>(body * S::kTwist).cwiseAbs().maxCoeff() > least;
    };
    const int given = rows.rows();
    std::vector<std::string> seen_in;  // for every row beyond those
    for (const auto& c : model_.joint_coordinates()) {
      if (!moves(c.measure.body1) && !moves(c.measure.body2)) continue;
      equations_.append_row({{{c.measure}}, c.angular, 0, 0.0, "", {}, false}, rows);
      seen_in.push_back(model_.mechanism().joints[c.joint].name);
    }
    for (int b = 0; b < model_.bodies(); ++b) {
      for (int i = 0; moves(b) && i < D; ++i) {
        rows.add(b * S::kTwist + i, 1);
        rows.end_row();
        seen_in.push_back(model_.mechanism().bodies[b].name);
      }
    }
    const std::vector<int> known = equations_.dependent(rows);
    std::vector<std::string> names;
    int open = 0;
    for (int row = given; row < rows.rows(); ++row) {
      if (std::binary_search(known.begin(), known.end(), row)) continue;
      ++open;
      const std::string& name = seen_in[row - given];
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (open == 0) return;
    constexpr std::size_t kNamed = 4;
    const bool more = names.size() > kNamed;
    if (more) names.resize(kNamed);
    warnings_.push_back(fmt::format(
        "the drivers move the mechanism at the start and leave {} degree{} of freedom of it open (seen in {}{}); those "
        "velocities of least kinetic energy were taken, with which wheels do not roll along: give others as initial "
        "ones",
        open, open == 1 ? "" : "s", fmt::join(names, ", "), more ? ", ..." : ""));
  }

  const BodyModel<D>& model_;
  const AssemblyEquations<D>& equations_;
  BodyKinematics<D>& bodies_;
  std::vector<std::string> warnings_;
};

}  // namespace

template <int D>
std::vector<std::string> find_initial_velocities(const AssemblyEquations<D>& equations, BodyKinematics<D>& bodies) {
  return VelocityProblem<D>(equations, bodies).run();
}

template std::vector<std::string> find_initial_velocities<2>(const AssemblyEquations<2>&, BodyKinematics<2>&);
template std::vector<std::string> find_initial_velocities<3>(const AssemblyEquations<3>&, BodyKinematics<3>&);

}  // namespace cardan
