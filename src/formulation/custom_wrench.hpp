// Laws of a program's own between two frames (cardan/wrench.hpp), compiled: the frames on the bodies, the wrench and
// its tangents at poses and twists. In the plane a law sees the same as in space, and x, y and the moment about z
// count.
#pragma once

#include "cardan/mechanism.hpp"
#include "formulation/measure.hpp"

namespace cardan {

template <int D>
struct FrameOnBody {
  int body = 0;                                                // index into BodyKinematics
  typename Space<D>::Vector point = Space<D>::Vector::Zero();  // in the body's axes, from its centre
  Mat3 axes = Mat3::Identity();                                // likewise

  /// `place` of the point from the inertial origin.
  FrameMotion motion(const typename Space<D>::Rotation& rotation, const typename Space<D>::Vector& place,
                     const typename Space<D>::Vector& velocity, const typename Space<D>::Angular& w) const;
};

template <int D>
struct FramesOnBodies {
  FrameOnBody<D> one, two;

  FramesOnBodies(int body1, const Frame& frame1, int body2, const Frame& frame2, const Mechanism& mechanism,
                 const MeasureFactory<D>& measures);
  /// `origin`: see BodyModel::origin(). Without memory.
  FramePair pair(double t, const BodyKinematics<D>& k, const typename Space<D>::Vector& origin) const;
};

template <int D>
struct SensorModel {
  FramesOnBodies<D> frames;
  FrameScalar value;
};

template <int D>
class WrenchModel {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;
  using Block = Eigen::Matrix<double, S::kTwist, S::kTwist>;
  /// See WrenchTangent.
  struct Tangent {
    Block position1 = Block::Zero(), position2 = Block::Zero(), velocity1 = Block::Zero(), velocity2 = Block::Zero();
  };
  /// What resists a motion of frame 2 beside frame 1, in components of its origin's translation and its turn.
  struct Resistance {
    Block stiffness, damping;
    bool is_zero() const { return stiffness.isZero(0) && damping.isZero(0); }
    /// On the row of a component itself; the rest goes into the couplings of the rows. What is negative is left out, so
    /// that the rows alone stay definite.
    static double on_row(const Block& block, int i) { return block(i, i) > 0 ? block(i, i) : 0; }
    /// Of what acts along component i to a motion along component j.
    static double beside_row(const Block& block, int i, int j) {
      return i == j ? block(i, i) - on_row(block, i) : block(i, j);
    }
  };
  /// A row for each component of a wrench at the origin of frame 2, and a coupling of each to each.
  static constexpr int kRows = S::kTwist;

  /// `ground`: its index into BodyKinematics.
  WrenchModel(const CustomWrench& wrench, const FramesOnBodies<D>& on_bodies, int ground);

  const FramesOnBodies<D>& frames() const { return frames_; }
  int memory() const { return wrench_.memory; }
  int memory_at() const { return wrench_.memory_at; }
  void remember(const FramePair& pair, double* memory) const { wrench_.remember(pair, memory); }
  const std::vector<WrenchReading>& readings() const { return wrench_.readings; }
  const Law& given() const { return wrench_.given; }
  bool stores_energy() const { return wrench_.energy != nullptr; }
  double energy(const FramePair& pair) const { return stores_energy() ? wrench_.energy(pair) : 0; }

  /// Force and moment at the origin of frame 2, on body 2.
  Twist wrench(const FramePair& pair) const;
  /// The part of it that energy() does not account for.
  Twist working(const FramePair& pair) const;
  /// Exact where the program gives it, else differences; nothing with respect to motions of ground.
  Tangent tangent(const FramePair& pair) const;
  Resistance resistance(const FramePair& pair) const;

  /// The wrench about the origin of places of one at the point r.
  static Twist moved(const Twist& at_point, const Vector& r) {
    Twist result = force_at<D>(linear<D>(at_point), r);
    result.template tail<S::kAngular>() += angular<D>(at_point);
    return result;
  }

 private:
  Block by_motion(const FramePair& pair, bool of_two) const;
  Block by_velocity(const FramePair& pair, bool of_two) const;

  CustomWrench wrench_;
  FramesOnBodies<D> frames_;
  int ground_;
};

}  // namespace cardan
