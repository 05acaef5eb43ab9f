// A mechanism whose drivers give every degree of freedom: its motion at any time follows from the constraints on three
// levels, and the efforts of the drivers from the equations of motion projected on what the joints allow. States of the
// model go on by the trapezoidal rule, z1 = z0 + h/2 (z0' + z1'), with the motion given.
#pragma once

#include "analysis/dense_system.hpp"

namespace cardan {

class DrivenMotion {
 public:
  /// Throws ModelError when a degree of freedom has no driver.
  explicit DrivenMotion(const Mechanism& mechanism);

  /// Goes on from the last time to t (on the branch of the mechanism where it is), in parts when that is far. Throws
  /// ModelError where the paths cannot be followed.
  void go_to(double t);
  /// At the time reached; one for each driver. With as many drivers as degrees of freedom they are unique.
  VecX efforts();
  /// M of the drivers' coordinates: efforts per acceleration. Drivers must be independent.
  Eigen::MatrixXd mass_matrix();

  int degrees_of_freedom() const { return degrees_of_freedom_; }
  DenseSystem& system() { return system_; }

 private:
  bool try_step(double t);
  /// Velocity, acceleration and what they take, at the position reached.
  void arrive();
  /// z at the motion reached, after a step of h.
  void follow_rates(double h);
  [[noreturn]] void refuse(double t);
  const Driver* contradiction();
  void refuse_free_motions();
  /// The rates of the drivers' coordinates for each motion that the joints allow.
  Eigen::MatrixXd driver_rates() const;
  void find_joint_basis();

  DenseSystem system_;
  ConstraintBasis joints_;  // without the drivers
  VecX needed_;             // M a - Q, of the coordinates before accept() renewed them
  double last_time_ = 0;
  VecX z_, rates_;  // of the states, at that time
  int degrees_of_freedom_ = 0;
};

}  // namespace cardan
