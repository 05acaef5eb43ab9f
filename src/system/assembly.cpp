#include "system/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formulation/constraint_rows.hpp"
#include "math/rank.hpp"
#include "math/rotation_vector.hpp"
#include "system/mobility.hpp"

namespace cardan {
namespace {

/// One scalar equation: a joint's, a coupler's, a driver's or an initial value.
template <int D>
struct Equation {
  std::vector<typename ConstraintRows<D>::Term> terms;
  bool angular;                // counts modulo full turns
  double target;               // of the sum of the terms
  std::optional<double> rate;  // of its derivative; joints and drivers always have one
  std::string element;         // for messages: "joint 'pin'"
  SourceLocation where;
  bool hard;  // also a position condition
  // Of a direction: the other cosine, which is positive where the axes are as drawn (see NamedMeasure::facing).
  std::optional<Measure<D>> facing = {};
  // The same of the joint's axis, where this is a direction about it: until the axis nearly points the right way, it is
  // open which way to turn about it.
  std::optional<Measure<D>> axis = {};
  bool waits = false;  // for that
};

/// A component of a body's initial velocity.
template <int D>
struct GivenVelocity {
  int body;
  typename Space<D>::Twist wrench;  // about the mass centre: picks one component
  double value;
};

template <int D>
class Assembler {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;

  Assembler(const BodyModel<D>& model, const BodyKinematics<D>& poses, const AssemblyOptions& options)
      : model_(model), options_(options) {
    result_.bodies = poses;
    turns_ = model.expected_turns();
    collect();
    result_.length = model.extent(poses).size;
  }

  Assembly<D> run() {
    find_positions();
    warn_of_lock();
    if (!options_.dependent_drivers) refuse_dependent_drivers();
    find_velocities();
    return std::move(result_);
  }

 private:
  void collect() {
    const Mechanism& mechanism = model_.mechanism();
    ConstraintRows<D> rows(model_);
    int taken = 0;
    const auto take_row = [&](const std::string& element, const SourceLocation& where) {
      const auto& row = rows.rows()[taken++];
      equations_.push_back({{rows.terms().begin() + row.first, rows.terms().begin() + row.last},
                            false,
                            row.offset,
                            0.0,
                            element,
                            where,
                            true});
    };
    for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
      rows.add_joint(static_cast<int>(j));
      const std::size_t first = equations_.size();
      while (taken < rows.size()) take_row("joint '" + mechanism.joints[j].name + "'", mechanism.joints[j].where);
      const auto named = model_.measures().constraints(mechanism.joints[j]);
      std::optional<Measure<D>> axis;
      for (std::size_t i = 0; i < named.size(); ++i) {
        if (named[i].facing.isZero(0)) continue;
        equations_[first + i].facing = facing(named[i]);
        if (!axis) axis = equations_[first + i].facing;
        if (std::abs(named[i].facing.dot(axis->e1)) < 0.5)
          equations_[first + i].axis = axis, equations_[first + i].waits = true;
      }
    }
    rows.add_couplers();
    for (const Coupler& coupler : mechanism.couplers) take_row("coupler '" + coupler.name + "'", coupler.where);
    for (std::size_t i = 0; i < model_.drivers().size(); ++i) {
      const auto& d = model_.drivers()[i];
      const auto f = d.position.evaluate(0);
      equations_.push_back(
          {{{d.measure}}, d.angular, f.f, f.d1, "driver '" + d.name + "'", mechanism.drivers[i].where, true});
    }
    for (const auto& c : model_.joint_coordinates()) {
      const Joint& joint = mechanism.joints[c.joint];
      if (!joint.initial_position && !joint.initial_velocity) continue;
      const bool hard = joint.initial_position.has_value() && options_.initial_positions;
      equations_.push_back({{{c.measure}},
                            c.angular,
                            joint.initial_position.value_or(0),
                            joint.initial_velocity,
                            "initial values of joint '" + joint.name + "'",
                            joint.initial_where.line > 0 ? joint.initial_where : joint.where,
                            hard});
    }
  }

  /// Axes that are drawn against each other stay so.
  Measure<D> facing(const NamedMeasure<D>& direction) const {
    Measure<D> m = direction.measure;
    m.e1 = direction.facing;
    if (m.value(model_.drawn()) < 0) m.e1 = -m.e1;
    return m;
  }

  /// Beyond a right angle from where the axis belongs, e1 . e2 = 0 leads to where it points the other way.
  bool faces_away(const Equation<D>& e) const { return e.facing && e.facing->value(result_.bodies) < 0; }

  /// There 2 - r takes the place of the sine r of the angle, which grows on to half a turn; the gradient changes its
  /// sign.
  double residual(const Equation<D>& e) const {
    const double value = difference(e);
    if (!faces_away(e)) return value;
    const double cosine = e.facing->value(result_.bodies);
    const double sine = e.axis ? std::abs(value) : std::sqrt(std::max(0.0, 1 - cosine * cosine));
    return sine > 1e-9 ? value * (2 - sine) / sine : 2;  // exactly half a turn away any direction will do
  }

  double difference(const Equation<D>& e) const {
    double difference = -e.target;
    for (const auto& term : e.terms) {
      const double s = term.measure.value(result_.bodies);
      difference += term.weight * (term.turns_of < 0 ? s : nearest_turn(s, turns_[term.turns_of]));
    }
    return e.angular ? nearest_turn(difference, 0) : difference;
  }

  /// Brings all equations to the same unit, a length.
  double unit(const Equation<D>& e) const { return e.terms[0].measure.is_length() ? 1 : result_.length; }

  /// Rows that depend on earlier ones, rotations counted in lengths as well.
  std::vector<int> dependent(SparseRows rows) const {
    for (std::size_t k = 0; k < rows.value.size(); ++k) {
      if (rows.column[k] % S::kTwist >= D) rows.value[k] /= result_.length;
    }
    return dependent_rows(rows, VecX::Constant(rows.rows(), rounding()));
  }

  /// Of an entry of a row, with a margin.
  double rounding() const { return 500 * model_.rounding(result_.length); }

  /// What counts as nothing in a least-norm solution: joints that hold the same motion twice contradict each other by
  /// the rounding of their points.
  double nothing() const { return std::max(1e-11, rounding()); }

  /// Entries of a row of one equation: the wrench about each body's own centre.
  void append_row(const Equation<D>& e, SparseRows& rows) const {
    const std::size_t begin = rows.column.size();
    for (const auto& term : e.terms) {
      const double weight = faces_away(e) ? -term.weight : term.weight;
      const Twist w = unit(e) * weight * term.measure.gradient(result_.bodies);
      for (const int body : {term.measure.body2, term.measure.body1}) {
        if (body == model_.bodies()) continue;
        Twist own = body == term.measure.body2 ? w : Twist(-w);
        own.template tail<S::kAngular>() -= moment(result_.bodies.center[body], linear<D>(own));
        // A body that two terms share has its columns once.
        const auto found = std::find(rows.column.begin() + begin, rows.column.end(), body * S::kTwist);
        const std::size_t at = found - rows.column.begin();
        for (int i = 0; at + i == rows.column.size() && i < S::kTwist; ++i) {
          rows.column.push_back(body * S::kTwist + i), rows.value.push_back(0);
        }
        for (int i = 0; i < S::kTwist; ++i) rows.value[at + i] += own[i];
      }
    }
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }

  SparseRows empty_rows() const {
    SparseRows rows;
    rows.columns = model_.bodies() * S::kTwist;
    rows.start = {0};
    return rows;
  }

  /// Gauss-Newton with steps of least norm (rotations weighted with the size of the mechanism), short enough to stay on
  /// the branch of the drawing.
  void find_positions() {
    const double length = result_.length;
    VecX weight(model_.bodies() * S::kTwist);
    for (int b = 0; b < model_.bodies(); ++b) {
      weight.segment<D>(b * S::kTwist).setOnes();
      weight.segment<S::kAngular>(b * S::kTwist + D).setConstant(0.1 * length * length);
    }
    constexpr int kIterations = 200;
    constexpr double kNearly = 0.7;  // cosine of the angle that an axis may be off when directions about it come in
    double best = 1e300;
    BodyKinematics<D> best_bodies = result_.bodies;
    int since_best = 0;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      for (Equation<D>& e : equations_) {
        if (!e.waits || e.axis->value(result_.bodies) < kNearly) continue;
        e.waits = false;
        best = 1e300;
      }
      SparseRows rows = empty_rows();
      std::vector<double> values;
      double worst = 0;
      for (const Equation<D>& e : equations_) {
        if (!e.hard || e.waits) continue;
        append_row(e, rows);
        values.push_back(-unit(e) * residual(e));
        worst = std::max(worst, std::abs(values.back()));
      }
      if (values.empty()) return;
      if (worst < best)
        best = worst, best_bodies = result_.bodies, since_best = 0;
      else
        ++since_best;
      if (worst <= 1e-15 * length || (worst <= 1e-12 * length && since_best > 0) || since_best > 30) break;
      double unused = 0;
      VecX step =
          minimum_norm_solution(rows, weight, Eigen::Map<VecX>(values.data(), values.size()), &unused, nothing());
      if (!step.allFinite()) break;
      double largest_turn = 0;
      for (int b = 0; b < model_.bodies(); ++b) {
        largest_turn = std::max(largest_turn, step.segment<S::kAngular>(b * S::kTwist + D).norm());
      }
      if (largest_turn > 0.2) step *= 0.2 / largest_turn;
      for (int b = 0; b < model_.bodies(); ++b) move(b, step.segment<S::kTwist>(b * S::kTwist));
    }
    result_.bodies = best_bodies;
    if (best > 1e-8 * length) refuse_positions();
    for (const Equation<D>& e : equations_) {
      if (!faces_away(e)) continue;
      throw ModelError(
          error_at(e.where, e.element,
                   "the mechanism cannot be assembled: this fits only with its axes half a turn away from the drawing",
                   "check the axes of the loop that it belongs to, and drivers and initial positions, or draw the "
                   "mechanism nearer to where it is to start"));
    }
  }

  void move(int body, const Twist& step) {
    result_.bodies.center[body] += linear<D>(step);
    if constexpr (D == 2) {
      result_.bodies.rotation[body] = rotation_by(step[2]) * result_.bodies.rotation[body];
    } else {
      const Mat3 turned = rotation_from_vector(angular<D>(step)) * result_.bodies.rotation[body];
      result_.bodies.rotation[body] = Quat(turned).normalized().toRotationMatrix();
    }
  }

  [[noreturn]] void refuse_positions() const {
    const Equation<D>* worst = nullptr;
    for (const Equation<D>& e : equations_) {
      if (e.hard && (!worst || std::abs(residual(e)) > std::abs(residual(*worst)))) worst = &e;
    }
    throw ModelError(error_at(
        worst->where, worst->element,
        fmt::format("the mechanism cannot be assembled: this does not fit, it stays off by {:.3g}",
                    std::abs(residual(*worst))),
        "check the points, lengths and axes of the loop that it belongs to, and drivers and initial positions"));
  }

  /// A mechanism that its joints hold still. It may be a structure, and then it runs as one.
  void warn_of_lock() {
    int equations = 0;
    for (const Equation<D>& e : equations_)
      equations += !e.element.starts_with("initial") && !e.element.starts_with("driver");
    if (equations < model_.bodies() * S::kTwist || !model_.drivers().empty()) return;
    mobility_ = find_mobility(model_, result_.bodies, result_.length);
    if (!mobility_ || mobility_->degrees_of_freedom > 0) return;
    std::string warning = kLocked;
    if (const auto& off = mobility_->off_axis)
      warning += fmt::format("; joint '{}': {}", model_.mechanism().joints[off->joint].name, off->sentence());
    result_.warnings.push_back(std::move(warning));
  }

  /// `element` asks for a motion.
  void refuse_motion_if_locked(const std::string& element, const SourceLocation& where) {
    if (!mobility_) mobility_ = find_mobility(model_, result_.bodies, result_.length);
    if (!mobility_ || mobility_->degrees_of_freedom > 0) return;
    if (const auto& off = mobility_->off_axis) {
      const Joint& joint = model_.mechanism().joints[off->joint];
      throw ModelError(error_at(joint.where, "joint '" + joint.name + "'",
                                fmt::format("{}, too few for the {}; {}", kLocked, element, off->sentence()),
                                "give it that direction"));
    }
    throw ModelError(error_at(where, element, fmt::format("{}, but a motion is asked for here", kLocked),
                              "look for axes that should be parallel or meet in one point, or leave this out"));
  }

  /// A driver that depends on the joints or on other drivers fights them as soon as time runs.
  void refuse_dependent_drivers() {
    if (model_.drivers().empty()) return;
    SparseRows rows = empty_rows();
    std::vector<const Equation<D>*> sources;
    for (const Equation<D>& e : equations_) {
      if (e.element.starts_with("initial")) continue;
      append_row(e, rows);
      sources.push_back(&e);
    }
    for (int row : dependent(rows)) {
      if (!sources[row]->element.starts_with("driver")) continue;
      refuse_motion_if_locked(sources[row]->element, sources[row]->where);
      throw ModelError(error_at(sources[row]->where, sources[row]->element,
                                "its motion is already given by the joints and the other drivers",
                                "remove it, or start from a position that is not singular"));
    }
  }

  /// Least kinetic energy among all velocities that respect the joints and what is given.
  void find_velocities() {
    const int columns = model_.bodies() * S::kTwist;
    VecX weight(columns);
    double mass_scale = 0;
    for (const auto& i : model_.inertias()) mass_scale = std::max(mass_scale, i.mass);
    if (mass_scale == 0) mass_scale = 1;
    for (int b = 0; b < model_.bodies(); ++b) {
      const auto& i = model_.inertias()[b];
      const double floor = 1e-6 * mass_scale;
      weight.segment<D>(b * S::kTwist).setConstant(std::max(i.mass, floor));
      weight.segment<S::kAngular>(b * S::kTwist + D)
          .setConstant(std::max(i.inertia.trace() / S::kAngular, floor * result_.length * result_.length));
    }
    SparseRows rows = empty_rows();
    std::vector<double> values;
    std::vector<std::pair<std::string, SourceLocation>> sources;
    int given = 0;
    for (const Equation<D>& e : equations_) {
      if (!e.rate) continue;
      append_row(e, rows);
      values.push_back(unit(e) * *e.rate);
      sources.emplace_back(e.element, e.where);
      given += !e.hard || e.element.starts_with("initial");
    }
    for (int b = 0; b < model_.bodies(); ++b) {
      const Body& body = model_.mechanism().bodies[b];
      const auto component = [&](int index, double value) {
        if (std::isnan(value)) return;
        const double unit = index < D ? 1 : result_.length;
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
    const Eigen::Map<VecX> wanted(values.data(), static_cast<Eigen::Index>(values.size()));
    if (values.empty() || wanted.isZero(0)) return;
    double unused = 0;
    const VecX velocity = minimum_norm_solution(rows, weight, wanted, &unused, nothing());
    const double scale = std::max(wanted.cwiseAbs().maxCoeff(), 1e-12 * result_.length);
    double worst = 0;
    int which = 0;
    for (int r = 0; r < wanted.size(); ++r) {
      double value = -wanted[r];
      for (int e = rows.start[r]; e < rows.start[r + 1]; ++e) value += rows.value[e] * velocity[rows.column[e]];
      // The contradiction shows everywhere; what the user wrote is where it can be mended.
      const bool theirs = !sources[r].first.starts_with("joint") && !sources[r].first.starts_with("coupler");
      if (std::abs(value) * (theirs ? 1e3 : 1) > worst) worst = std::abs(value) * (theirs ? 1e3 : 1), which = r;
    }
    if (worst > 1e-7 * scale) {
      refuse_motion_if_locked(sources[which].first, sources[which].second);
      throw ModelError(error_at(sources[which].second, sources[which].first,
                                "the velocities contradict each other or the joints",
                                "give only as many as there are degrees of freedom; the rest follow from the joints"));
    }
    for (int b = 0; b < model_.bodies(); ++b) {
      const Vector v = velocity.segment<D>(b * S::kTwist);
      const typename S::Angular w = velocity.segment<S::kAngular>(b * S::kTwist + D);
      result_.bodies.twist[b] = twist<D>(v - cross(w, result_.bodies.center[b]), w);
    }
    if (given > 0) warn_of_open_velocities(rows);
  }

  void warn_of_open_velocities(const SparseRows& rows) {
    const int rank = static_cast<int>(rows.start.size()) - 1 - static_cast<int>(dependent(rows).size());
    if (const int open = rows.columns - rank; open > 0) {
      result_.warnings.push_back(fmt::format(
          "the initial velocities leave {} degree{} of freedom open; those of least kinetic energy were taken", open,
          open == 1 ? "" : "s"));
    }
  }

  static constexpr const char* kLocked = "the mechanism is locked: its joints leave it 0 degrees of freedom";

  const BodyModel<D>& model_;
  AssemblyOptions options_;
  Assembly<D> result_;
  std::optional<Mobility> mobility_;
  VecX turns_;  // what angles that count full turns are continued from
  std::vector<Equation<D>> equations_;
};

}  // namespace

template <int D>
Assembly<D> assemble(const BodyModel<D>& model, const AssemblyOptions& options) {
  return Assembler<D>(model, model.drawn(), options).run();
}

template <int D>
Assembly<D> assemble(const BodyModel<D>& model, const BodyKinematics<D>& poses, const AssemblyOptions& options) {
  return Assembler<D>(model, poses, options).run();
}

template Assembly<2> assemble<2>(const BodyModel<2>&, const AssemblyOptions&);
template Assembly<3> assemble<3>(const BodyModel<3>&, const AssemblyOptions&);
template Assembly<2> assemble<2>(const BodyModel<2>&, const BodyKinematics<2>&, const AssemblyOptions&);
template Assembly<3> assemble<3>(const BodyModel<3>&, const BodyKinematics<3>&, const AssemblyOptions&);

}  // namespace cardan
