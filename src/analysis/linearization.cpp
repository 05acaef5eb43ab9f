// Small motions about a position of rest: M x'' + C x' + K x = 0 on the motions R that the constraints allow,
//     M = R^T M R,  C = -R^T Q_v R,  K = R^T ((Phi_q^T lambda)_q - Q_q) R,
// and with states z of the model M x'' + C x' + K x = R^T Q_z z,  z' = g_q R x + g_v R x' + g_z z.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numbers>

#include "analysis/at_rest.hpp"
#include "analysis/cartesian_system.hpp"
#include "math/decomposition/decompositions.hpp"

namespace cardan {
namespace {

using Complex = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;

class Linearizer {
 public:
  /// `states`: their values; empty: as they start.
  Linearizer(const Mechanism& mechanism, const StartingPoint& start, const std::vector<double>& states)
      : system_(held_at_rest(mechanism), start) {
    system_.state().v.head(system_.coordinates()).setZero();
    for (std::size_t i = 0; i < states.size(); ++i)
      system_.state_values()[static_cast<Eigen::Index>(i)] = states[i] / mechanism.states[i].scale;
  }

  Linearization run() {
    system_.move(VecX::Zero(system_.coordinates()));
    result_.bodies = system_.poses();
    reduce();
    find_modes();
    return std::move(result_);
  }

 private:
  void reduce() {
    const VecX force = system_.forces();
    const ConstraintBasis& basis = system_.basis();
    const Unbalanced unbalanced = system_.unbalanced(basis.rest(force));
    result_.force = unbalanced.force;
    result_.moment = unbalanced.moment;
    result_.notes = system_.warnings();
    const double load = (force.size() > 0 ? force.cwiseAbs().maxCoeff() : 0) / system_.length();
    if (std::max(unbalanced.force, unbalanced.moment / system_.length()) > 1e-6 * load) {
      result_.notes.push_back(fmt::format(
          "this is no equilibrium: {:.3g} N and {:.3g} N m are not balanced; modes are of the forces' tangent alone",
          unbalanced.force, unbalanced.moment));
    }
    note_rates();
    Eigen::MatrixXd K, C;
    system_.tangent(basis.multipliers(force), K, C);
    const Eigen::MatrixXd& Z = basis.free();
    result_.mass = Z.transpose() * system_.mass() * Z;
    result_.damping = Z.transpose() * C * Z;
    result_.stiffness = Z.transpose() * K * Z;
    stiffest_ = K.size() > 0 ? K.cwiseAbs().maxCoeff() : 0;
    for (const CartesianSystem::Column& column : system_.motion_columns()) result_.columns.push_back(column.name);
    result_.motions.resize(static_cast<Eigen::Index>(result_.columns.size()), Z.cols());
    for (Eigen::Index i = 0; i < Z.cols(); ++i) result_.motions.col(i) = system_.motion(Z.col(i));
  }

  void note_rates() {
    const VecX rates = system_.rates();
    for (Eigen::Index i = 0; i < rates.size(); ++i) {
      if (std::abs(rates[i]) <= 1e-6 * std::max(1.0, std::abs(system_.state_values()[i]))) continue;
      const StateVariable& state = system_.mechanism().states[static_cast<std::size_t>(i)];
      result_.notes.push_back(
          fmt::format("state '{}' is not at rest: its rate is {:.3g}", state.name, rates[i] * state.scale));
    }
  }

  /// With M = L L^T and y = L^T x: y'' + c y' + k y = 0. Motions that nothing resists, k N = 0, are taken out first,
  /// since a double eigenvalue 0 would be found only to the root of rounding: with y = [N P] (n, p) the states p, p',
  /// n' have all the eigenvalues but one zero for each n. States of the model come last.
  void find_modes() {
    const Eigen::Index d = result_.mass.rows(), s = system_.states();
    const CartesianSystem::StateTangent& tangent = system_.of_states();
    const Eigen::MatrixXd& Z = system_.basis().free();
    result_.state_matrix.setZero(2 * d + s, 2 * d + s);
    result_.state_matrix.bottomRightCorner(s, s) = -tangent.rates_by_states;
    if (d == 0) return add_modes_of_states(tangent.rates_by_states);
    refuse_massless_motions();
    const Eigen::MatrixXd L = cholesky_factor(result_.mass);
    const Eigen::MatrixXd from_y = solve_square(L.transpose(), Eigen::MatrixXd::Identity(d, d));  // x = L^-T y
    const Eigen::MatrixXd k = from_y.transpose() * result_.stiffness * from_y;
    const Eigen::MatrixXd c = from_y.transpose() * result_.damping * from_y;
    const Eigen::MatrixXd by_states = Z.transpose() * tangent.forces_by_states, by_x = tangent.rates_by_positions * Z,
                          by_rate = tangent.rates_by_velocities * Z;
    result_.state_matrix.block(0, d, d, d).setIdentity();
    result_.state_matrix.block(d, 0, d, d) = -solve_square(result_.mass, result_.stiffness);
    result_.state_matrix.block(d, d, d, d) = -solve_square(result_.mass, result_.damping);
    result_.state_matrix.block(d, 2 * d, d, s) = -solve_square(result_.mass, by_states);
    result_.state_matrix.block(2 * d, 0, s, d) = -by_x;
    result_.state_matrix.block(2 * d, d, s, d) = -by_rate;

    const Eigen::MatrixXd basis = neutral_first(L, by_x);  // columns: N, then P
    const Eigen::Index rigid = rigid_, e = d - rigid;
    const Eigen::MatrixXd P = basis.rightCols(e);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(e + d + s, e + d + s);  // p, then [n'; p'], then z
    A.block(0, e + rigid, e, e).setIdentity();
    A.block(e, 0, d, e) = -basis.transpose() * k * P;
    A.block(e, e, d, d) = -basis.transpose() * c * basis;
    A.block(e, e + d, d, s) = -basis.transpose() * from_y.transpose() * by_states;
    A.block(e + d, 0, s, e) = -by_x * from_y * P;
    A.block(e + d, e, s, d) = -by_rate * from_y * basis;
    A.block(e + d, e + d, s, s) = -tangent.rates_by_states;
    const Eigen::MatrixXd shapes = result_.motions * from_y * basis;

    const Eigenvalues own = eigenvalues(A);
    const double fastest = A.rows() > 0 ? own.values.cwiseAbs().maxCoeff() : 0;
    const double zero = 1e-9 * fastest;
    for (Eigen::Index i = 0; i < rigid; ++i) add_mode(0, shapes.col(i), zero);
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const Complex value = own.values[i];
      const bool of_states = own.vectors.col(i).tail(s).norm() > 0.5 * own.vectors.col(i).norm();
      if (std::abs(value) <= zero && of_states) add_mode(0, ComplexVector::Zero(shapes.rows()), zero);
      if (std::abs(value) <= zero || value.imag() < 0) continue;  // n' of a rigid motion; one of a pair
      // y' is an eigenvector as well as y, and stands for n too.
      const VecX real = shapes * own.vectors.col(i).segment(e, d).real(),
                 imaginary = shapes * own.vectors.col(i).segment(e, d).imag();
      add_mode(value, real + Complex(0, 1) * imaginary, zero);
    }
    sort_modes();
  }

  void sort_modes() {
    std::stable_sort(result_.modes.begin(), result_.modes.end(),
                     [](const Mode& a, const Mode& b) { return std::abs(a.eigenvalue) < std::abs(b.eigenvalue); });
  }

  /// Where nothing moves.
  void add_modes_of_states(const Eigen::MatrixXd& by_states) {
    if (by_states.rows() == 0) return;
    const Eigenvalues own = eigenvalues(-by_states);
    const ComplexVector still = ComplexVector::Zero(result_.motions.rows());
    for (const Complex value : own.values)
      if (value.imag() >= 0) add_mode(value, still, 1e-9 * own.values.cwiseAbs().maxCoeff());
    sort_modes();
  }

  void refuse_massless_motions() {
    const SymmetricEigenvalues inertia = symmetric_eigenvalues(result_.mass);
    const VecX& values = inertia.values;
    if (values[0] > 1e-14 * values[values.size() - 1]) return;
    const Eigen::MatrixXd x = system_.basis().free() * inertia.vectors.leftCols(1);
    throw ModelError(error_at(SourceLocation{system_.mechanism().file}, "",
                              "nothing resists a motion of '" + system_.name_motions(x)[0] + "': it moves no mass",
                              "give the bodies that it moves a mass or an inertia, or hold them by a joint"));
  }

  Eigen::MatrixXd neutral_first(const Eigen::MatrixXd& L, const Eigen::MatrixXd& by_x) {
    // k^T k sees motions without stiffness also where k is not symmetric. States may follow them too.
    Eigen::MatrixXd K(result_.stiffness.rows() + by_x.rows(), result_.stiffness.cols());
    const double largest = by_x.size() > 0 ? by_x.cwiseAbs().maxCoeff() : 0;
    K.topRows(result_.stiffness.rows()) = result_.stiffness;
    K.bottomRows(by_x.rows()) = (largest > 0 && stiffest_ > 0 ? stiffest_ / largest : 1) * by_x;
    const double limit = 1e-11 * (stiffest_ > 0 ? stiffest_ : largest);
    const SingularValues physical = singular_values(K);
    rigid_ = (physical.values.array() <= limit).count();
    return completed_basis(L.transpose() * physical.right.rightCols(rigid_));  // y = L^T x
  }

  void add_mode(Complex value, ComplexVector shape, double zero) {
    Mode mode;
    if (std::abs(value.real()) <= 1e-3 * zero) value.real(0);
    mode.rigid = value == Complex(0);
    mode.eigenvalue = value;
    mode.natural_frequency = std::abs(value) / (2 * std::numbers::pi);
    mode.frequency = value.imag() / (2 * std::numbers::pi);
    mode.damping_ratio = mode.rigid || value.real() == 0 ? 0 : -value.real() / std::abs(value);
    mode.unstable = value.real() > 0;
    Complex by = 0;
    for (Eigen::Index i = 0; i < shape.size(); ++i) {
      const Complex weighted = shape[i] / (system_.motion_columns()[i].is_length ? system_.length() : 1.0);
      // The first among those as good as equal, so that rounding does not choose.
      if (std::abs(weighted) > std::abs(by) * (1 + 1e-9)) by = weighted;
    }
    if (by != Complex(0)) shape /= by;
    mode.shape.assign(shape.data(), shape.data() + shape.size());
    result_.modes.push_back(std::move(mode));
  }

  CartesianSystem system_;
  Linearization result_;
  Eigen::Index rigid_ = 0;
  double stiffest_ = 0;
};

}  // namespace

Linearization linearize(const Mechanism& mechanism) { return Linearizer(mechanism, {}, {}).run(); }

Linearization linearize(const Mechanism& mechanism, const Equilibrium& equilibrium) {
  StartingPoint start;
  start.poses = equilibrium.bodies;
  Linearization result = Linearizer(mechanism, start, equilibrium.states).run();
  for (const std::string& note : equilibrium.notes) {
    if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end()) result.notes.push_back(note);
  }
  return result;
}

}  // namespace cardan
