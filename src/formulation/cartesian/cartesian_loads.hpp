// The loads of a mechanism as generalized forces Q on Cartesian coordinates, with their exact derivatives Q_q and Q_v.
#pragma once

#include "formulation/body_model.hpp"
#include "formulation/cartesian/measure_derivatives.hpp"

namespace cardan {

template <int D>
class CartesianLoads {
 public:
  static constexpr int kBody = BodyCoordinates<D>::kSize;
  using Coordinates = std::vector<BodyCoordinates<D>>;  // of all bodies, then ground

  explicit CartesianLoads(const BodyModel<D>& model);

  /// Adds to the force of the equations; their load gradients receive every load row in coordinates, body 1 before body
  /// 2 and without ground, with its tangents. All rows are live.
  void add_forces(double t, const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns, Equations& e) const;
  /// K -= Q_q, C -= Q_v, signals as they are: SignalFormulation adds how they follow the motion.
  void add_tangents(double t, const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns, BlockMatrix& K,
                    BlockMatrix& C) const;
  /// The generalized forces of wrenches about the inertial origin, kBody numbers for each body.
  void project(const std::vector<typename Space<D>::Twist>& wrenches, const Coordinates& c, double* force) const;

 private:
  using Vector = typename Space<D>::Vector;
  using Angular = typename Space<D>::Angular;
  using ScalarLoad = typename BodyModel<D>::ScalarLoad;
  using Row = typename MeasureDerivatives<D>::Row;
  bool is_ground(int body) const { return body == model_.bodies(); }
  Vector force(const PointForce& f, double t, const BodyKinematics<D>& k) const;
  Angular torque(const Torque& n, double t, const BodyKinematics<D>& k) const;
  void add_point_forces(double t, const Coordinates& c, const BodyKinematics<D>& k, VecX& Q) const;
  void add_torques(double t, const Coordinates& c, const BodyKinematics<D>& k, VecX& Q) const;
  void write_signal_rows(const Coordinates& c, const BodyKinematics<D>& k, double* row, VecX& stiffness,
                         VecX& damping) const;
  struct WheelMotion;
  WheelMotion wheel_motion(const TyreModel<D>& tyre, const Coordinates& c) const;
  void add_tyres(const Coordinates& c, VecX& Q, double* gradients, double* stiffness, double* damping) const;
  void add_tyre_tangents(const Coordinates& c, BlockMatrix& K, BlockMatrix& C) const;
  struct FrameDerivatives;
  using Part = Eigen::Matrix<double, kBody, 1>;  // of one body
  Part spread(const typename Space<D>::Twist& wrench, const Vector& lever, const BodyCoordinates<D>& b) const;
  void add_wrenches(double t, const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns, Equations& e) const;
  void add_wrench_tangents(double t, const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns,
                           BlockMatrix& K, BlockMatrix& C) const;
  void add_contacts(const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns, double* gradients,
                    Equations& e) const;
  void add_contact_tangents(const Coordinates& c, const BodyKinematics<D>& k, const VecX& turns, BlockMatrix& K,
                            BlockMatrix& C) const;
  void add_point_force_tangents(double t, const Coordinates& c, const BodyKinematics<D>& k, BlockMatrix& K) const;
  void add_torque_tangents(double t, const Coordinates& c, const BodyKinematics<D>& k, BlockMatrix& K) const;

  int row_size(int body1, int body2) const { return (!is_ground(body1) + !is_ground(body2)) * kBody; }
  int row_size(const Measure<D>& m) const { return row_size(m.body1, m.body2); }
  double* write_row(const Measure<D>& m, const Row& gradient, double* row) const;
  Row unit_pull(const Measure<D>& line, const Vector& e, const Coordinates& c) const;
  void write_across(const Measure<D>& line, const Coordinates& c, double* along, double* across) const;
  void add_tangents_of_meeting_ends(const Measure<D>& line, const Coordinates& c, double k, double damping,
                                    BlockMatrix& K, BlockMatrix& C) const;

  const BodyModel<D>& model_;
  std::vector<Vector> force_points_;  // in body axes
  // Where the rows of wrenches and those across lines begin in the gradients.
  int wrenches_at_ = 0, across_at_ = 0;
  std::vector<int> contacts_at_;  // rows of every slot of the contacts, from the first one; then their end
};

/// y += weight x on the coordinates of the measure's bodies (`bodies`: how many there are besides ground)
template <int D>
void scatter(const Measure<D>& m, int bodies, const typename MeasureDerivatives<D>::Row& x, double weight, VecX& y) {
  constexpr int n = BodyCoordinates<D>::kSize;
  if (m.body1 < bodies) y.segment<n>(m.body1 * n) += weight * x.template head<n>();
  if (m.body2 < bodies) y.segment<n>(m.body2 * n) += weight * x.template tail<n>();
}

/// A += weight X
template <int D>
void scatter(const Measure<D>& m, int bodies, const typename MeasureDerivatives<D>::Square& X, double weight,
             BlockMatrix& A) {
  constexpr int n = BodyCoordinates<D>::kSize;
  const int body[2] = {m.body1, m.body2};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      if (body[i] < bodies && body[j] < bodies) {
        A.block<n, n>(body[i] * n, body[j] * n) += weight * X.template block<n, n>(i * n, j * n);
      }
    }
  }
}

}  // namespace cardan
