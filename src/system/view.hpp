// What System knows of bodies, whether they move in a plane or in space: everything in dense matrices over the
// coordinates of the formulation. Calls borrow a workspace, which holds the state that evaluate() was last given.
#pragma once

#include <mutex>

#include "cardan/system.hpp"
#include "system/compile.hpp"

namespace cardan {

/// Scalars of the poses of bodies, with their gradients in coordinates: those of joints, then of every body the
/// translations along the inertial axes and small turns about them from where it was when the list was made.
class ScalarList {
 public:
  struct Entry {
    std::string name;  // as `cardan modes` calls it: "pin.q", "arm.x", "arm.rz"
    bool is_length, is_joint;
  };
  virtual ~ScalarList() = default;
  const std::vector<Entry>& entries() const { return entries_; }
  virtual double value(int index, const State& state, Workspace& work) const = 0;
  virtual double rate(int index, Workspace& work) const = 0;
  /// After View::accelerate().
  virtual double acceleration(int index, Workspace& work) const = 0;

 protected:
  std::vector<Entry> entries_;
};

/// What the functions of system.hpp look into.
const System::View& view_of(const System& system);

class System::View {
 public:
  View(const Mechanism& mechanism, const std::string& formulation, const SystemOptions& options);
  virtual ~View() = default;

  const Mechanism& mechanism() const { return mechanism_; }
  const std::string& name() const { return name_; }
  const CompiledMechanism& compiled() const { return compiled_; }
  const Formulation& formulation() const { return *compiled_.formulation; }
  const Structure& structure() const { return formulation().structure(); }

  /// A workspace that returns to the list when it is let go.
  struct Return {
    const View* view;
    void operator()(Workspace* work) const;
  };
  using Borrowed = std::unique_ptr<Workspace, Return>;
  Borrowed borrow() const;
  /// The same with position and velocity of the state evaluated.
  Borrowed evaluated(const State& state) const;
  void evaluate(const State& state, Workspace& work) const;
  /// Throw std::invalid_argument: unless the state has the sizes of this system, finite numbers and no event behind it,
  /// a vector has an entry for every coordinate, a handle is one of this system.
  void check(const State& state) const;
  void check_size(const VecX& numbers, const char* what) const;
  void check(CoordinateHandle handle) const;
  void check(const FrameHandle& frame) const;

  // After evaluate().
  virtual Eigen::MatrixXd mass(const State& state, Workspace& work) const = 0;
  virtual VecX force(const State& state, Workspace& work) const = 0;  // Q = -h
  virtual Eigen::MatrixXd jacobian(Workspace& work) const = 0;
  virtual VecX gamma(Workspace& work) const = 0;
  VecX closure(Workspace& work) const { return work.equations.phi; }
  /// Phi_q v + Phi_t
  virtual VecX closure_rate(const State& state, Workspace& work) const = 0;
  /// Accelerations of bodies from those of coordinates.
  virtual void accelerate(const VecX& a, Workspace& work) const = 0;
  virtual BodyMotion motion(const FrameHandle& frame, Workspace& work) const = 0;
  virtual std::unique_ptr<ScalarList> scalars(Workspace& work) const = 0;
  virtual EnergyParts energy(const State& state, Workspace& work) const = 0;
  /// The place of a coordinate of a joint in scalars(); -1: it has none.
  virtual int coordinate(int joint, int index) const = 0;
  virtual int joint_coordinates() const = 0;  // how many have a place there
  virtual FrameHandle frame(int body, const Vec3& drawn_point, const Mat3& drawn_axes) const = 0;

  /// d(rate)/dv of scalars, one row for each: evaluates other velocities and then those of the state again.
  Eigen::MatrixXd gradients(const ScalarList& scalars, const std::vector<int>& which, const State& state,
                            Workspace& work) const;
  /// One row of the trajectory; the observer remembers, so that only one thread looks at a time.
  VecX sample(const State& state, std::span<const AddedEffort> efforts = {}) const;

  static std::shared_ptr<const View> make(const Mechanism& mechanism, const std::string& formulation,
                                          const SystemOptions& options);

 private:
  Mechanism mechanism_;  // of the phase before the first event
  std::string name_;
  CompiledMechanism compiled_;
  State sizes_;  // of a state
  mutable std::mutex guard_;
  mutable std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace cardan
