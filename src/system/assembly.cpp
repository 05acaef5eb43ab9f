#include "system/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/rank.hpp"
#include "math/rotation_vector.hpp"
#include "system/assembly_equations.hpp"
#include "system/initial_velocities.hpp"
#include "system/mobility.hpp"

namespace cardan {
namespace {

template <int D>
class Assembler {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;
  using Sort = EquationSource::Sort;

  Assembler(const BodyModel<D>& model, const BodyKinematics<D>& poses, const AssemblyOptions& options, bool is_drawing)
      : model_(model), options_(options), is_drawing_(is_drawing), given_(poses), equations_(model, poses, options) {}

  Assembly<D> run() {
    find_positions();
    if (is_drawing_ && options_.warnings) warn_of_moves();
    if (options_.warnings) warn_of_lock();
    if (!options_.dependent_drivers) refuse_dependent_drivers();
    result_.bodies = equations_.bodies;
    result_.length = equations_.length;
    for (std::string& warning : find_initial_velocities(equations_, options_.warnings, result_.bodies))
      result_.warnings.push_back(std::move(warning));
    return std::move(result_);
  }

 private:
  /// Gauss-Newton with steps of least norm (rotations weighted with the size of the mechanism), short enough to stay on
  /// the branch of the drawing.
  void find_positions() {
    const double length = equations_.length;
    VecX weight(model_.bodies() * S::kTwist);
    for (int b = 0; b < model_.bodies(); ++b) {
      weight.segment<D>(b * S::kTwist).setOnes();
      weight.segment<S::kAngular>(b * S::kTwist + D).setConstant(0.1 * length * length);
    }
    constexpr int kIterations = 200;
    constexpr double kNearly = 0.7;  // cosine of the angle that an axis may be off when directions about it come in
    double best = 1e300;
    BodyKinematics<D> best_bodies = equations_.bodies;
    int since_best = 0;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      for (AssemblyEquation<D>& e : equations_.all) {
        if (!e.waits || e.axis->value(equations_.bodies) < kNearly) continue;
        e.waits = false;
        best = 1e300;
      }
      SparseRows rows = equations_.empty_rows();
      std::vector<double> values;
      double worst = 0;
      for (const AssemblyEquation<D>& e : equations_.all) {
        if (!e.hard || e.waits) continue;
        equations_.append_row(e, rows);
        values.push_back(-equations_.unit(e) * equations_.residual(e));
        worst = std::max(worst, std::abs(values.back()));
      }
      if (values.empty()) return;
      if (worst < best)
        best = worst, best_bodies = equations_.bodies, since_best = 0;
      else
        ++since_best;
      if (worst <= 1e-15 * length || (worst <= 1e-12 * length && since_best > 0) || since_best > 30) break;
      double unused = 0;
      VecX step = minimum_norm_solution(rows, weight, Eigen::Map<VecX>(values.data(), values.size()), &unused,
                                        equations_.nothing());
      if (!step.allFinite()) break;
      double largest_turn = 0;
      for (int b = 0; b < model_.bodies(); ++b) {
        largest_turn = std::max(largest_turn, step.segment<S::kAngular>(b * S::kTwist + D).norm());
      }
      if (largest_turn > 0.2) step *= 0.2 / largest_turn;
      for (int b = 0; b < model_.bodies(); ++b) move(b, step.segment<S::kTwist>(b * S::kTwist));
    }
    equations_.bodies = best_bodies;
    if (best > 1e-8 * length) refuse_positions();
    for (const AssemblyEquation<D>& e : equations_.all) {
      if (!equations_.faces_away(e)) continue;
      throw ModelError(
          error_at(*e.source.where, e.source.element(),
                   "the mechanism cannot be assembled: this fits only with its axes half a turn away from the drawing",
                   "check the axes of the loop that it belongs to, and drivers and initial positions, or draw the "
                   "mechanism nearer to where it is to start"));
    }
  }

  void move(int body, const Twist& step) {
    equations_.bodies.center[body] += linear<D>(step);
    if constexpr (D == 2) {
      equations_.bodies.rotation[body] = rotation_by(step[2]) * equations_.bodies.rotation[body];
    } else {
      const Mat3 turned = rotation_from_vector(angular<D>(step)) * equations_.bodies.rotation[body];
      equations_.bodies.rotation[body] = Quat(turned).normalized().toRotationMatrix();
    }
  }

  /// Of the residual of an equation.
  static const char* unit_name(typename Measure<D>::Kind kind) {
    using Kind = typename Measure<D>::Kind;
    if (kind == Kind::angle) return "rad";
    if (kind == Kind::cosine) return "in the cosine of an angle";
    return kind == Kind::turn ? "in the sine of an angle" : "m";
  }

  /// What is left when nothing moves any further is spread over the whole loop. The drawing tells more: where all
  /// joints fit there, it is a driver or an initial position that asks for too much, perhaps because they lock each
  /// other; else it may be a single one that does not.
  [[noreturn]] void refuse_positions() {
    const AssemblyEquation<D>* blamed = worst_equation([](const AssemblyEquation<D>&) { return true; });
    const auto is_joint = [](const AssemblyEquation<D>& e) {
      return e.source.sort == Sort::joint || e.source.sort == Sort::constraint;
    };
    std::swap(equations_.bodies, given_);
    const auto apart = [&](const AssemblyEquation<D>* e) {
      return e && equations_.unit(*e) * std::abs(equations_.residual(*e)) > 1e-8 * equations_.length;
    };
    const AssemblyEquation<D>* joint = worst_equation(is_joint);
    const AssemblyEquation<D>* asked = worst_equation([&](const AssemblyEquation<D>& e) { return !is_joint(e); });
    const bool alone = apart(joint) && !apart(worst_equation([&](const AssemblyEquation<D>& e) {
                         return is_joint(e) && e.source.name != joint->source.name;
                       }));
    if (apart(asked) && !apart(joint)) {
      equations_.refuse_axis_that_locks(asked->source.element());
      blamed = asked;
    }
    if (alone)
      blamed = joint;
    else
      std::swap(equations_.bodies, given_);
    const char* how =
        alone ? "all other joints fit as drawn, this one is off by" : "this does not fit, and stays off by";
    throw ModelError(error_at(
        *blamed->source.where, blamed->source.element(),
        fmt::format("the mechanism cannot be assembled: {} {:.3g} {}", how, std::abs(equations_.residual(*blamed)),
                    unit_name(blamed->terms[0].measure.kind)),
        fmt::format("check the points, lengths and axes of the loop that it belongs to{}, and drivers and initial "
                    "positions",
                    equations_.loop_of(*blamed))));
  }

  /// Among those that are position conditions and of that sort the one that is furthest off.
  template <class Sort>
  const AssemblyEquation<D>* worst_equation(Sort&& is_asked_for) const {
    const AssemblyEquation<D>* worst = nullptr;
    for (const AssemblyEquation<D>& e : equations_.all) {
      if (e.hard && is_asked_for(e) &&
          (!worst || std::abs(equations_.residual(e)) > std::abs(equations_.residual(*worst))))
        worst = &e;
    }
    return worst;
  }

  /// A joint that does not fit as drawn may be one that was given a wrong point: what was done about it is said. A
  /// distance has a length of its own, which was meant.
  void warn_of_moves() {
    constexpr double kApart = 0.01;  // of the mechanism's size
    std::swap(equations_.bodies, given_);
    const AssemblyEquation<D>* apart = worst_equation([this](const AssemblyEquation<D>& e) {
      return e.source.sort == Sort::joint &&
             (e.joint < 0 || model_.mechanism().joints[e.joint].type != JointType::distance);
    });
    const double gap = apart ? std::abs(equations_.residual(*apart)) : 0;
    std::swap(equations_.bodies, given_);
    if (!apart || !(gap * equations_.unit(*apart) > kApart * equations_.length)) return;
    int body = 0;
    double most = -1, moved = 0, turned = 0;
    for (int b = 0; b < model_.bodies(); ++b) {
      const double way = (equations_.bodies.center[b] - given_.center[b]).norm();
      const double angle = angle_between(given_.rotation[b], equations_.bodies.rotation[b]);
      if (way + 0.3 * equations_.length * angle <= most) continue;
      body = b, moved = way, turned = angle;
      most = way + 0.3 * equations_.length * angle;
    }
    result_.warnings.push_back(
        error_at(
            *apart->source.where, apart->source.element(),
            fmt::format("it does not fit as drawn, by {:.3g}{}: to assemble it body '{}' was moved by {:.3g} m and "
                        "turned by {:.3g} rad",
                        gap, apart->terms[0].measure.is_length() ? " m" : "", model_.mechanism().bodies[body].name,
                        moved, turned),
            "see whether its points and axes are what they should be")
            .unmarked_text());
  }

  static double angle_between(const typename S::Rotation& from, const typename S::Rotation& to) {
    const typename S::Rotation turn = from.transpose() * to;
    if constexpr (D == 2)
      return std::abs(std::atan2(turn(1, 0), turn(0, 0)));
    else
      return Eigen::AngleAxisd(turn).angle();
  }

  /// A mechanism that its joints hold still. It may be a structure, and then it runs as one.
  void warn_of_lock() {
    int equations = 0;
    for (const AssemblyEquation<D>& e : equations_.all)
      equations += e.source.sort != Sort::initial && e.source.sort != Sort::driver && !e.of_velocity;
    if (equations < model_.bodies() * S::kTwist || !model_.drivers().empty()) return;
    const std::optional<Mobility> mobility = find_mobility(model_, equations_.bodies, equations_.length);
    if (!mobility || mobility->degrees_of_freedom > 0) return;
    std::string warning = AssemblyEquations<D>::kLocked;
    if (const auto& off = mobility->off_axis)
      warning += fmt::format("; joint '{}': {}", model_.mechanism().joints[off->joint].name, off->sentence());
    result_.warnings.push_back(std::move(warning));
  }

  /// A driver that depends on the joints or on other drivers fights them as soon as time runs.
  void refuse_dependent_drivers() {
    if (model_.drivers().empty()) return;
    SparseRows rows = equations_.empty_rows();
    std::vector<const AssemblyEquation<D>*> sources;
    for (const AssemblyEquation<D>& e : equations_.all) {
      if (e.source.sort == Sort::initial) continue;
      equations_.append_row(e, rows);
      sources.push_back(&e);
    }
    for (int row : equations_.dependent(rows)) {
      const EquationSource& source = sources[row]->source;
      if (source.sort != Sort::driver) continue;
      equations_.refuse_motion_if_locked(source.element(), *source.where, equations_.loop_of(*sources[row]));
      throw ModelError(error_at(*source.where, source.element(),
                                "its motion is already given by the joints and the other drivers",
                                "remove it, or start from a position that is not singular"));
    }
  }

  const BodyModel<D>& model_;
  AssemblyOptions options_;
  bool is_drawing_;
  BodyKinematics<D> given_;  // where it started from
  AssemblyEquations<D> equations_;
  Assembly<D> result_;
};

}  // namespace

template <int D>
Assembly<D> assemble(const BodyModel<D>& model, const AssemblyOptions& options) {
  return Assembler<D>(model, model.drawn(), options, true).run();
}

template <int D>
Assembly<D> assemble(const BodyModel<D>& model, const BodyKinematics<D>& poses, const AssemblyOptions& options) {
  return Assembler<D>(model, poses, options, false).run();
}

template Assembly<2> assemble<2>(const BodyModel<2>&, const AssemblyOptions&);
template Assembly<3> assemble<3>(const BodyModel<3>&, const AssemblyOptions&);
template Assembly<2> assemble<2>(const BodyModel<2>&, const BodyKinematics<2>&, const AssemblyOptions&);
template Assembly<3> assemble<3>(const BodyModel<3>&, const BodyKinematics<3>&, const AssemblyOptions&);

}  // namespace cardan
