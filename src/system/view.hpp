// What System knows of bodies, whether they move in a plane or in space: everything in dense matrices over the
// coordinates of the formulation. Calls borrow a workspace, which holds the state that evaluate() was last given.
#pragma once

#include <functional>
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
  VecX rates(const std::vector<int>& which, Workspace& work) const {
    VecX all(static_cast<Eigen::Index>(which.size()));
    for (Eigen::Index i = 0; i < all.size(); ++i) all[i] = rate(which[static_cast<std::size_t>(i)], work);
    return all;
  }
  /// After View::accelerate().
  virtual double acceleration(int index, Workspace& work) const = 0;

 protected:
  std::vector<Entry> entries_;
};

/// What the functions of system.hpp look into.
const System::View& view_of(const System& system);

class System::View {
 public:
  /// `like`: in the coordinates of this one; or null.
  View(const Mechanism& mechanism, const std::string& formulation, const SystemOptions& options, const View* like);
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
  /// Those that scalars() has them by.
  std::vector<int> indices(const std::vector<CoordinateHandle>& handles) const;
  void check(const FrameHandle& frame) const;
  /// Of the system whose coordinates these are, the first that was made in them.
  std::int64_t origin() const { return origin_; }
  std::int64_t id() const { return sizes_.system; }
  const SystemOptions& options() const { return options_; }

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
  virtual Momentum momentum(Workspace& work) const = 0;
  /// On the coordinates, of all loads of one name (see LoadList), or of weight: -1.
  virtual VecX load_forces(int load, const State& state, Workspace& work) const = 0;
  virtual Wrench load_wrench(int load, int body, const State& state, Workspace& work) const = 0;
  virtual LoadEffort load_effort(int load, const State& state, Workspace& work) const = 0;
  /// Throws std::invalid_argument with the nearest name there is.
  virtual int load(const std::string& name) const = 0;
  virtual void check(LoadHandle load) const = 0;

  /// d(rates)/dv of what `rates` says of the velocities in the workspace, one row for each: evaluates other velocities
  /// and then those of the state again.
  Eigen::MatrixXd slopes(const std::function<VecX()>& rates, const State& state, Workspace& work) const;
  /// The same of rates of scalars.
  Eigen::MatrixXd gradients(const ScalarList& scalars, const std::vector<int>& which, const State& state,
                            Workspace& work) const;
  /// One row of the trajectory; the observer remembers, so that only one thread looks at a time.
  VecX sample(const State& state, std::span<const AddedEffort> efforts = {}) const;

  static std::shared_ptr<const View> make(const Mechanism& mechanism, const std::string& formulation,
                                          const SystemOptions& options, const View* like = nullptr);

 private:
  Mechanism mechanism_;  // of the phase before the first event
  std::string name_;
  SystemOptions options_;
  CompiledMechanism compiled_;
  std::int64_t origin_;
  State sizes_;  // of a state
  mutable std::mutex guard_;
  mutable std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace cardan
