#include "system/initial_velocities.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "math/rank.hpp"

namespace cardan {
namespace {

template <int D>
class VelocityProblem {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;

  VelocityProblem(const AssemblyEquations<D>& equations, bool warns, BodyKinematics<D>& bodies)
      : model_(equations.model()), equations_(equations), warns_(warns), bodies_(bodies) {}

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
    std::vector<EquationSource> sources;
    int given = 0;  // by the user
  };

  Demands collect() {
    Demands demands{equations_.empty_rows(), {}, {}, 0};
    auto& rows = demands.rows;
    auto& values = demands.values;
    auto& sources = demands.sources;
    int& given = demands.given;
    for (const AssemblyEquation<D>& e : equations_.all) {
      if (!e.rate) continue;
      equations_.append_row(e, rows);
      values.push_back(equations_.unit(e) * *e.rate);
      sources.push_back(e.source);
      given += e.source.sort == EquationSource::Sort::initial;
    }
    for (int b = 0; b < model_.bodies(); ++b) {
      const Body& body = model_.mechanism().bodies[b];
      const auto component = [&](int index, double value) {
        if (std::isnan(value)) return;
        const double unit = index < D ? 1 : equations_.length;
        rows.add(b * S::kTwist + index, unit);
        rows.end_row();
        values.push_back(unit * value);
        sources.push_back({EquationSource::Sort::initial, &body.name,
                           body.initial_where.line > 0 ? &body.initial_where : &body.where, "body"});
        ++given;
      };
      for (int i = 0; body.initial_velocity && i < D; ++i) component(i, (*body.initial_velocity)[i]);
      for (int i = 0; body.initial_angular_velocity && i < S::kAngular; ++i) {
        component(D + i, (*body.initial_angular_velocity)[D == 2 ? 2 : i]);
      }
    }
    return demands;
  }

  static double product(const SparseRows& rows, int row, const VecX& velocity) {
    double sum = 0;
    for (int e = rows.start[row]; e < rows.start[row + 1]; ++e) sum += rows.value[e] * velocity[rows.column[e]];
    return sum;
  }

  /// Least kinetic energy, seen from who moves with v0: v - v0 is of least norm with Phi_q (v - v0) = wanted - Phi_q
  /// v0.
  VecX least_energy(const Demands& demands, const VecX& v0) const {
    VecX open(static_cast<Eigen::Index>(demands.values.size()));
    for (int r = 0; r < open.size(); ++r) open[r] = demands.values[r] - product(demands.rows, r, v0);
    double unused = 0;
    return v0 + minimum_norm_solution(demands.rows, weights(), open, &unused, equations_.nothing());
  }

  /// Of a mechanism that moves as a whole: what nothing else says of a joint's coordinate, changes as if all bodies
  /// moved with v0, so that joints between them stand still and slides on ground go with it. A row that depends on
  /// those before it is left out, so that none contradicts the joints, the drivers or what is given. A ball joint that
  /// cannot stand still is left to the least energy altogether, so that the axes of the drawing do not count.
  VecX moving_along(const Demands& demands, const VecX& v0) const {
    SparseRows rows = demands.rows;
    const int firm = rows.rows();
    std::vector<std::size_t> block;  // for every row beyond those: the first of its joint
    for (const auto& c : model_.joint_coordinates()) {
      equations_.append_row({{{c.measure}}, c.angular, 0, 0.0, {}, false}, rows);
      block.push_back(block.size());
    }
    for (const Joint& joint : model_.mechanism().joints) {
      const bool ball = D == 3 && (joint.type == JointType::spherical || joint.type == JointType::free);
      const std::size_t first = block.size();
      for (int i = 0; ball && i < S::kAngular; ++i) {
        if (joint.body2 != kGround) rows.add(joint.body2 * S::kTwist + D + i, equations_.length);
        if (joint.body1 != kGround) rows.add(joint.body1 * S::kTwist + D + i, -equations_.length);
        rows.end_row();
        block.push_back(first);
      }
    }
    std::vector<bool> left_out(block.size(), false);
    for (const int row : equations_.dependent(rows))
      if (row >= firm) left_out[row - firm] = true;
    const auto solution = [&] {
      Demands all = demands;
      for (int r = firm; r < rows.rows(); ++r) {
        if (left_out[r - firm]) continue;
        for (int e = rows.start[r]; e < rows.start[r + 1]; ++e) all.rows.add(rows.column[e], rows.value[e]);
        all.rows.end_row();
        all.values.push_back(product(rows, r, v0));
      }
      return least_energy(all, v0);
    };
    const VecX velocity = solution();
    const double nothing = 1e-9 * velocity.cwiseAbs().maxCoeff() * std::max(1.0, equations_.length);
    const std::vector<bool> before = left_out;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const int row = firm + static_cast<int>(i);
      if (!before[i] || std::abs(product(rows, row, velocity) - product(rows, row, v0)) <= nothing) continue;
      for (std::size_t j = block[i]; j < block.size() && block[j] == block[i]; ++j) left_out[j] = true;
    }
    return left_out == before ? velocity : solution();
  }

  /// Velocities that respect the joints and what is given.
  void find_velocities() {
    const Demands demands = collect();
    const auto& [rows, values, sources, given] = demands;
    const bool any = std::any_of(values.begin(), values.end(), [](double value) { return value != 0; });
    const std::optional<Vec3>& whole = model_.mechanism().initial_motion;
    if (!any && !whole) return;
    VecX v0 = VecX::Zero(model_.bodies() * S::kTwist);
    for (int b = 0; whole && b < model_.bodies(); ++b) v0.segment<D>(b * S::kTwist) = whole->head<D>();
    const VecX velocity = whole ? moving_along(demands, v0) : least_energy(demands, v0);
    refuse_contradiction(demands, velocity);
    for (int b = 0; b < model_.bodies(); ++b) {
      const Vector v = velocity.segment<D>(b * S::kTwist);
      const typename S::Angular w = velocity.segment<S::kAngular>(b * S::kTwist + D);
      bodies_.twist[b] = twist<D>(v - cross(w, bodies_.center[b]), w);
    }
    if (whole || !warns_) return;  // whatever is open moves along
    if (given > 0)
      warn_of_open_velocities(rows, velocity);
    else
      warn_of_motions_beside_drivers(rows, velocity);
  }

  void refuse_contradiction(const Demands& demands, const VecX& velocity) {
    const auto& [rows, values, sources, given] = demands;
    const Eigen::Map<const VecX> wanted(values.data(), static_cast<Eigen::Index>(values.size()));
    if (wanted.size() == 0) return;  // a body that flies alone
    const std::optional<Vec3>& whole = model_.mechanism().initial_motion;
    const double scale = std::max({wanted.cwiseAbs().maxCoeff(), whole ? whole->norm() : 0, 1e-12 * equations_.length});
    double worst = 0;
    int which = 0;
    for (int r = 0; r < wanted.size(); ++r) {
      double value = -wanted[r];
      for (int e = rows.start[r]; e < rows.start[r + 1]; ++e) value += rows.value[e] * velocity[rows.column[e]];
      // The contradiction shows everywhere; what the user wrote is where it can be mended.
      const bool theirs =
          sources[r].sort == EquationSource::Sort::initial || sources[r].sort == EquationSource::Sort::driver;
      if (std::abs(value) * (theirs ? 1e3 : 1) > worst) worst = std::abs(value) * (theirs ? 1e3 : 1), which = r;
    }
    if (worst > 1e-7 * scale) {
      equations_.refuse_motion_if_locked(sources[which].element(), *sources[which].where);
      throw ModelError(error_at(*sources[which].where, sources[which].element(),
                                "the velocities contradict each other, the joints or the constraints",
                                "give only as many as there are degrees of freedom; the rest follow from the joints"));
    }
  }

  void warn_of_open_velocities(const SparseRows& rows, const VecX& velocity) {
    const int rank = rows.rows() - static_cast<int>(equations_.dependent(rows).size());
    const int open = rows.columns - rank;
    if (open == 0) return;
    const std::string seen = open_motions(rows, velocity).names;
    warnings_.push_back(
        fmt::format("the initial velocities leave {} degree{} of freedom open{}; those of least kinetic energy were "
                    "taken: give more of them, or 'all: {{velocity: ...}}' with which everything moves along",
                    open, open == 1 ? "" : "s", seen.empty() ? "" : fmt::format(" (seen in {})", seen)));
  }

  /// Drivers alone give velocities: what they move may roll, swing or lag behind.
  void warn_of_motions_beside_drivers(const SparseRows& rows, const VecX& velocity) {
    const auto [open, seen] = open_motions(rows, velocity);
    if (open == 0) return;
    warnings_.push_back(fmt::format(
        "the drivers move the mechanism at the start and leave {} degree{} of freedom of it open (seen in {}); those "
        "velocities of least kinetic energy were taken, with which wheels do not roll along: give others as initial "
        "ones, or 'all: {{velocity: ...}}' with which everything moves along",
        open, open == 1 ? "" : "s", seen));
  }

  /// Degrees of freedom that nothing gives, as far as they show in a joint's coordinate or a mass centre of a body that
  /// moves: a link between two balls spins about its own line unseen, and what stands still was meant to. The first few
  /// by the names of those joints and bodies.
  struct OpenMotions {
    int count = 0;
    std::string names;
  };
  OpenMotions open_motions(SparseRows rows, const VecX& velocity) const {
    const double least = 1e-9 * velocity.cwiseAbs().maxCoeff();
    const auto moves = [&](int body) {
      return body < model_.bodies() && velocity.segment<S::kTwist>(body * S::kTwist).cwiseAbs().maxCoeff() > least;
    };
    const int given = rows.rows();
    std::vector<std::string> seen_in;  // for every row beyond those
    for (const auto& c : model_.joint_coordinates()) {
      if (!moves(c.measure.body1) && !moves(c.measure.body2)) continue;
      equations_.append_row({{{c.measure}}, c.angular, 0, 0.0, {}, false}, rows);
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
    OpenMotions open;
    std::vector<std::string> names;
    for (int row = given; row < rows.rows(); ++row) {
      if (std::binary_search(known.begin(), known.end(), row)) continue;
      ++open.count;
      const std::string& name = seen_in[row - given];
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    constexpr std::size_t kNamed = 4;
    const bool more = names.size() > kNamed;
    if (more) names.resize(kNamed);
    open.names = fmt::format("{}{}", fmt::join(names, ", "), more ? ", ..." : "");
    return open;
  }

  const BodyModel<D>& model_;
  const AssemblyEquations<D>& equations_;
  bool warns_;
  BodyKinematics<D>& bodies_;
  std::vector<std::string> warnings_;
};

}  // namespace

template <int D>
std::vector<std::string> find_initial_velocities(const AssemblyEquations<D>& equations, bool warns,
                                                 BodyKinematics<D>& bodies) {
  return VelocityProblem<D>(equations, warns, bodies).run();
}

template std::vector<std::string> find_initial_velocities<2>(const AssemblyEquations<2>&, bool, BodyKinematics<2>&);
template std::vector<std::string> find_initial_velocities<3>(const AssemblyEquations<3>&, bool, BodyKinematics<3>&);

}  // namespace cardan
