// Static equilibrium by a Newton method on the motions that the constraints allow (null-space form of the KKT
// equations). Where the tangent is not positive the step takes the absolute values of its eigenvalues, which is one
// implicit step of a heavily damped motion in pseudo-time: forces, not the residual, say where it goes, so that the
// iteration leaves the neighbourhood of unstable positions and ends at stable ones.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "analysis/at_rest.hpp"
#include "analysis/cartesian_system.hpp"
#include "analysis/load_values.hpp"
#include "analysis/no_rest.hpp"
#include "analysis/state_balance.hpp"
#include "math/decomposition/decompositions.hpp"

namespace cardan {

void EquilibriumOptions::check() const {
  if (iterations < 1 || iterations > kMostIterations) {
    throw std::invalid_argument(fmt::format("iterations is {}, but must be 1 to {}", iterations, kMostIterations));
  }
  if (!(step > 0) || step > 1) {
    throw std::invalid_argument(fmt::format("step is {}, but must be above 0 and up to 1 (rad); 0.15 is usual", step));
  }
  if (!(tolerance > 0) || tolerance > 1e-3) {
    throw std::invalid_argument(fmt::format("tolerance is {}, but must be above 0 and up to 1e-3", tolerance));
  }
}

double Equilibrium::value(const std::string& column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) throw std::out_of_range("no column is called '" + column + "'");
  return values[found - columns.begin()];
}

namespace {

constexpr double kRounding = 2.3e-16;
constexpr double kWeak = 1e-6;  // of the loads
constexpr int kPatience = 15;   // steps that did not help
constexpr double kAway = 0.1;   // rad, or in sizes of the mechanism

class EquilibriumSearch {
 public:
  EquilibriumSearch(const Mechanism& mechanism, const EquilibriumOptions& options)
      : options_(options), drivers_(mechanism.drivers), system_(held_at_rest(mechanism)), states_(system_) {
    system_.state().v.head(system_.coordinates()).setZero();
  }

  Equilibrium run() {
    if (system_.move(VecX::Zero(system_.coordinates()))) {
      start_ = system_.state().q.head(system_.coordinates());
      drawn_ = system_.poses();
      constexpr int kReturns = 30;
      const bool states_follow = states_.sort();
      if (states_follow) search();
      for (int i = 0; result_.converged && i < kReturns && return_neutral_motions(); ++i) search();
      if (!states_follow) {
        states_.balance_with_motions(options_.iterations, options_.step, result_.iterations);
        evaluate();
        result_.converged = true;
      }
      if (!states_.complaint().empty()) result_.reason = states_.complaint(), result_.converged = false;
    } else {
      result_.reason = "the joints do not stay closed";
    }
    describe();
    return std::move(result_);
  }

 private:
  /// Forces and the tangent at the state, on the allowed motions.
  void evaluate() {
    force_ = states_.forces();
    const ConstraintBasis& basis = system_.basis();
    lambda_ = basis.multipliers(force_);
    residual_ = basis.rest(force_);
    unbalanced_ = system_.unbalanced(residual_);
    size_ = std::max(unbalanced_.force, unbalanced_.moment / system_.length());
  }

  void find_tangent() {
    Eigen::MatrixXd K, C;
    system_.tangent(lambda_, K, C);
    states_.follow_motions(K);
    const Eigen::MatrixXd& Z = system_.basis().free();
    stiffness_ = Z.transpose() * K * Z;
    stiffest_ = K.size() > 0 ? K.cwiseAbs().maxCoeff() : 0;
    const Eigen::Index d = stiffness_.rows();
    eigenvalues_.resize(0), directions_.resize(0, 0);
    if (d == 0 || !stiffness_.allFinite()) return;
    // Motions that change no force, K u = 0, first: a side force that goes with the camber of a tyre makes K
    // unsymmetric, and its symmetric part would find resistance to a motion across the road where there is none.
    // So are those that would have to go far to balance what is next to nothing.
    neutral_limit_ = std::max(1e-11 * stiffest_, leaves_weak_ ? push() / kAway : 0);
    const SingularValues singular = singular_values(stiffness_);
    const Eigen::Index neutral = (singular.values.array() <= neutral_limit_).count(), rest = d - neutral;
    directions_.resize(d, d);
    directions_.leftCols(neutral) = singular.right.rightCols(neutral);
    eigenvalues_ = VecX::Zero(d);
    if (rest > 0) {
      const Eigen::MatrixXd P = singular.right.leftCols(rest), resisted = P.transpose() * stiffness_ * P;
      const SymmetricEigenvalues own = symmetric_eigenvalues(0.5 * (resisted + resisted.transpose()));
      eigenvalues_.tail(rest) = own.values;
      directions_.rightCols(rest) = P * own.vectors;
    }
    if (leaves_weak_) forget_weak_pushes();
  }

  /// What pushes along a motion that no force resists, and is next to nothing beside the loads, is left: friction,
  /// which no model has at rest, holds it. The rest is what the iteration works on.
  void forget_weak_pushes() {
    const Eigen::MatrixXd& Z = system_.basis().free();
    const double weak = weak_push();
    VecX left = residual_;
    for (Eigen::Index i = 0; i < eigenvalues_.size() && std::abs(eigenvalues_[i]) <= neutral_limit_; ++i) {
      const VecX x = Z * directions_.col(i);
      if (std::abs(x.dot(residual_)) <= weak) left -= x.dot(residual_) * x;
    }
    const Unbalanced unbalanced = system_.unbalanced(left);
    size_ = std::max(unbalanced.force, unbalanced.moment / system_.length());
  }

  double push() const { return (system_.basis().free().transpose() * force_).norm(); }
  /// A push is a component of the loads along a motion, so that it is compared with their length, not the largest one.
  double weak_push() const { return kWeak * std::max(force_.norm(), (force_ - residual_).norm()); }
  /// What forces on a body add up to, N: the measure of the residual.
  double load_size() const {
    const VecX held = force_ - residual_;
    return std::max(force_.size() > 0 ? force_.cwiseAbs().maxCoeff() : 0,
                    held.size() > 0 ? held.cwiseAbs().maxCoeff() : 0) /
           system_.length();
  }
  /// Position rounding times stiffness.
  double rounding() const { return kRounding * stiffest_ / system_.length(); }

  /// H y = g with H = K, its eigenvalues made positive; motions that nothing resists and nothing drives stay.
  VecX find_step() {
    const Eigen::MatrixXd& Z = system_.basis().free();
    VecX g = Z.transpose() * force_;
    Eigen::MatrixXd H = stiffness_;
    const double still =
        (leaves_weak_ ? weak_push() : 1e-11 * load_size() * system_.length()) + 10 * kRounding * stiffest_;
    for (Eigen::Index i = 0; i < eigenvalues_.size(); ++i) {
      const auto u = directions_.col(i);
      const double push = u.dot(g);
      if (eigenvalues_[i] > neutral_limit_) continue;
      limited_step_ = true;
      double wanted = std::max(-eigenvalues_[i], std::abs(push) / options_.step);
      if (std::abs(push) <= still && eigenvalues_[i] >= -neutral_limit_) {
        g -= push * u;
        wanted = std::max(stiffest_, 1.0);
        limited_step_ = false;
      }
      H += (wanted - eigenvalues_[i]) * u * u.transpose();
    }
    const VecX y = solve_square(H, g);
    return Z * y;
  }

  /// Long steps take along what nothing resists: brings it back to where it was. False when it is there.
  bool return_neutral_motions() {
    VecX drawn = start_;
    for (std::size_t b = 0; !system_.mechanism().planar && b < system_.mechanism().bodies.size(); ++b) {
      // Of the two sets of Euler parameters of the drawn orientation the nearer one.
      auto p = drawn.segment<4>(7 * static_cast<Eigen::Index>(b) + 3);
      if (p.dot(system_.state().q.segment<4>(7 * static_cast<Eigen::Index>(b) + 3)) < 0) p = -p;
    }
    const auto n = drawn.size();
    const VecX away = (drawn - system_.state().q.head(n)).cwiseQuotient(system_.structure().scale.head(n));
    VecX back = VecX::Zero(away.size());
    for (Eigen::Index i = 0; i < eigenvalues_.size(); ++i) {
      if (std::abs(eigenvalues_[i]) > neutral_limit_) continue;
      const VecX x = system_.basis().free() * directions_.col(i);
      back += x.dot(away) * x;
    }
    const double longest = back.size() > 0 ? back.cwiseAbs().maxCoeff() : 0;
    if (longest < 1e-9) return false;
    if (longest > options_.step) back *= options_.step / longest;
    const State before = system_.state();
    if (system_.move(back)) {
      system_.accept();
      return true;
    }
    system_.state() = before;
    system_.position();
    return false;
  }

  void search() {
    result_.converged = false;
    double best = 1e300;
    int since_best = 0;
    for (;; ++result_.iterations) {
      evaluate();
      find_tangent();
      if (!std::isfinite(size_) || eigenvalues_.size() != stiffness_.rows()) {
        result_.reason = beyond_numbers(system_, force_);
        return;
      }
      if (result_.iterations == 0) look_at_drawing();
      if (system_.basis().freedom() == 0 || size_ <= std::max(1e-14 * load_size(), rounding())) break;
      // Down to rounding where steps still help, but no further.
      const bool good = size_ <= std::max(options_.tolerance * load_size(), 1e3 * rounding());
      since_best = size_ < 0.5 * best ? 0 : since_best + 1;
      best = std::min(best, size_);
      if (good && since_best >= 2 && size_ <= 2 * best) break;
      if (!good && !leaves_weak_ && since_best >= kPatience && push() <= weak_push()) {
        leaves_weak_ = true;
        continue;
      }
      if (result_.iterations >= options_.iterations) {
        explain();
        return;
      }
      if (!advance()) {
        if (good) break;
        explain();
        return;
      }
    }
    result_.converged = true;
  }

  /// One step. The work of the forces along it decides how far: they may not come out pushing back by more than half of
  /// what they pushed.
  bool advance() {
    limited_step_ = false;
    VecX x = find_step();
    if (!x.allFinite()) return false;
    const double longest = x.cwiseAbs().maxCoeff();
    if (longest > options_.step) x *= options_.step / longest, limited_step_ = true;
    const double push = residual_.dot(x), size = size_;
    if (push == 0) return false;
    const State before = system_.state();
    double part = 1;
    constexpr int kTries = 40;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      double left = -1e300;
      if (system_.move(part * x)) {
        evaluate();
        left = residual_.dot(x);
        if (std::isfinite(size_) && (left >= -0.5 * push || size_ <= 0.5 * size)) {
          system_.accept();
          result_.limited += limited_step_;
          return true;
        }
      }
      limited_step_ = true;
      system_.state() = before;
      part *= std::isfinite(left) && left > -1e299 ? std::clamp(push / (push - left), 0.02, 0.7) : 0.25;
    }
    system_.position();
    evaluate();
    return false;
  }

  void explain() {
    const std::string body = unbalanced_.body >= 0 ? system_.mechanism().bodies[unbalanced_.body].name : "";
    result_.reason = fmt::format("no equilibrium was found in {} iterations: {:.3g} N and {:.3g} N m are not balanced",
                                 result_.iterations, unbalanced_.force, unbalanced_.moment);
    if (!body.empty()) result_.reason += fmt::format(", worst at body '{}'", body);
    if (!driven_as_drawn_.empty())
      result_.reason += driven_as_drawn_;
    else if (const Eigen::MatrixXd driven = driven_motions(); driven.cols() > 0)
      result_.reason += fmt::format("; no load resists a motion of {}", fmt::join(system_.name_motions(driven), ", "));
    else
      result_.reason += "; draw the mechanism nearer to a position of rest, or look for loads that cannot balance";
  }

  /// Where actuators drive what nothing resists, the search goes far; what it finds there says nothing.
  void look_at_drawing() {
    const Eigen::MatrixXd driven = driven_motions();
    const std::string actuators = driving_actuators(system_, driven);
    if (actuators.empty()) return;
    driven_as_drawn_ = fmt::format("; as drawn no load resists a motion of {}, which is driven by {}",
                                   fmt::join(system_.name_motions(driven), ", "), actuators);
  }

  /// Motions that forces drive and nothing resists.
  Eigen::MatrixXd driven_motions() const {
    const Eigen::MatrixXd& Z = system_.basis().free();
    const VecX g = Z.transpose() * force_;
    Eigen::MatrixXd driven(Z.rows(), 0);
    for (Eigen::Index i = 0; i < eigenvalues_.size(); ++i) {
      if (std::abs(eigenvalues_[i]) > neutral_limit_) continue;
      if (std::abs(directions_.col(i).dot(g)) > 1e-9 * load_size() * system_.length()) {
        driven.conservativeResize(Eigen::NoChange, driven.cols() + 1);
        driven.rightCols(1) = Z * directions_.col(i);
      }
    }
    return driven;
  }

  std::vector<std::string> name(const std::vector<VecX>& motions) {
    if (motions.empty()) return {};
    Eigen::MatrixXd x(motions[0].size(), static_cast<Eigen::Index>(motions.size()));
    for (std::size_t i = 0; i < motions.size(); ++i) x.col(i) = motions[i];
    return system_.name_motions(x);
  }

  void describe() {
    const Mechanism& mechanism = system_.mechanism();
    result_.force = unbalanced_.force;
    result_.moment = unbalanced_.moment;
    if (unbalanced_.body >= 0) result_.worst_body = mechanism.bodies[unbalanced_.body].name;
    result_.bodies = system_.poses();
    for (int i = 0; i < system_.states(); ++i)
      result_.states.push_back(system_.state_values()[i] * mechanism.states[static_cast<std::size_t>(i)].scale);
    result_.columns = system_.columns();
    result_.values.resize(result_.columns.size());
    system_.sample(result_.values.data());
    result_.loads = load_values(mechanism, result_.bodies, system_.state().memory);
    add_line_forces(mechanism, result_);
    result_.driven = static_cast<int>(mechanism.drivers.size());
    result_.degrees_of_freedom = system_.basis().freedom() + result_.driven;
    result_.notes = system_.warnings();
    note_stops(mechanism, result_);
    system_.look_at_tables();
    std::vector<LeftTable> tables = system_.left_tables();
    for (const Driver& driver : drivers_) {
      if (const auto end = driver.position.passed_end(0))
        tables.push_back(left_table(fmt::format("driver '{}'", driver.name), "t", 0, 0, *end));
    }
    for (const LeftTable& left : tables) {
      result_.notes.push_back(left.sentence);
      if (left.ends_run) result_.converged = false, result_.reason = left.sentence;
    }
    if (!result_.converged) return;

    std::vector<VecX> neutral, unstable;
    for (Eigen::Index i = 0; i < eigenvalues_.size(); ++i) {
      const VecX x = system_.basis().free() * directions_.col(i);
      if (eigenvalues_[i] < -neutral_limit_)
        unstable.push_back(x);
      else if (eigenvalues_[i] <= neutral_limit_)
        neutral.push_back(x);
    }
    result_.unstable = static_cast<int>(unstable.size());
    if (leaves_weak_) {
      result_.notes.push_back(
          fmt::format("{:.3g} N and {:.3g} N m are left along motions that no load resists: less than a millionth of "
                      "the loads, which friction would hold",
                      unbalanced_.force, unbalanced_.moment));
    }
    result_.neutral = name(neutral);
    if (const std::string over = turned_over(mechanism, drawn_, result_.bodies); !over.empty())
      result_.notes.push_back(over);
    if (!unstable.empty()) {
      result_.notes.push_back(fmt::format("this equilibrium is unstable in {} direction{} (seen in {})",
                                          unstable.size(), unstable.size() == 1 ? "" : "s",
                                          fmt::join(name(unstable), ", ")));
    }
    if (!neutral.empty()) {
      result_.notes.push_back(
          fmt::format("no load resists {} of the motions (seen in {}); all bodies together stay nearest to the drawing",
                      neutral.size(), fmt::join(result_.neutral, ", ")));
    }
  }

  EquilibriumOptions options_;
  std::vector<Driver> drivers_;  // as given, before they are held
  CartesianSystem system_;
  StateBalance states_;
  Equilibrium result_;
  VecX start_;                      // q
  std::vector<BodyPose> drawn_;     // there
  VecX force_, lambda_, residual_;  // S Q, of unit rows, S (Q - Phi_q^T lambda)
  Unbalanced unbalanced_;
  double size_ = 0;  // of the residual, N
  Eigen::MatrixXd stiffness_, directions_;
  VecX eigenvalues_;
  double stiffest_ = 0, neutral_limit_ = 0;
  bool leaves_weak_ = false;  // once steps no longer help: see forget_weak_pushes()
  bool limited_step_ = false;
  std::string driven_as_drawn_;
};

}  // namespace

Equilibrium find_equilibrium(const Mechanism& mechanism, const EquilibriumOptions& options) {
  options.check();
  return EquilibriumSearch(mechanism, options).run();
}

}  // namespace cardan
