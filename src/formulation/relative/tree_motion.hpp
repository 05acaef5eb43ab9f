// Kinematics and dynamics of a spanning tree in relative joint coordinates z (docs/theory/coordinates.md): poses,
// twists Z = T H z', composite inertias, M_ij = H_i^T Mc_j H_j and Q_i = H_i^T Qc_i. No loops here: see
// relative_formulation.hpp.
#pragma once

#include <memory>
#include <vector>

#include "formulation/body_model.hpp"
#include "formulation/equations.hpp"
#include "mechanism/spanning_tree.hpp"

namespace cardan {

/// Every tree joint is a sequence of these, without bodies between them. Axis and point are in the parent's axes (from
/// its centre) at z = 0; the assembled configuration is z = 0. The rotation vector of a ball is in the axes of the body
/// at its reference orientation, R = E exp(theta~): there the body's inertia is constant, and a thin rod's weak axis
/// stays one coordinate, which keeps Newton's iteration good-natured.
template <int D>
struct JointMotion {
  enum class Kind { rotation, translation, ball };
  Kind kind;
  int first;                        // index of its (first) coordinate
  typename Space<D>::Vector axis;   // translation; rotation in space
  typename Space<D>::Vector point;  // rotation, ball
  int reference = -1;               // ball: where its reference quaternion stands in Context::memory
  double lead = 0;                  // rotation: translation along the axis for a unit of the angle
};

template <int D>
class TreeMotion {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Twist = typename S::Twist;

  struct Link {
    int body, parent;               // indices into BodyKinematics
    int joint;                      // of the mechanism
    int first_motion, last_motion;  // range in motions()
    int first, last;                // range of coordinates
    typename S::Rotation rotation;  // of the body relative to the parent at z = 0
    Vector center;                  // of the body in the parent's axes at z = 0
    double angle = 0;               // plane: the same as `rotation`
    int hinge = -1;                 // where that is its only motion, else -1
  };
  /// What the pose of a link on one plain hinge is made of. In space R = Rp (fixed + cos z even + sin z odd), the
  /// centre likewise in the columns after those of the axes; in the plane by the sum of the angles on the way.
  struct Hinge {
    Eigen::Matrix<double, 3, 4> fixed, even, odd;  // space
    Vector arm;                                    // plane: from the hinge to the centre in the body's axes
  };
  /// A ball's reference axes E and its centre, in inertial axes.
  struct BallFrame {
    Mat3 axes;
    Vec3 point;
  };
  /// What the tree writes. Grouped by level.
  struct Buffers {
    BodyKinematics<D> kinematics;
    std::vector<double> angle;               // position level, plane: of every body from the inertial axes
    std::vector<Twist> column;               // position level: H, one for each coordinate
    std::vector<BallFrame> ball;             // position level
    std::vector<Twist> joint_bias;           // velocity level: H' z' of each link
    std::vector<RigidInertia<D>> composite;  // dynamics
    std::vector<Twist> wrench;               // dynamics: applied, then accumulated
    Buffers(const TreeMotion& tree);
  };

  /// `first_reference`: where the reference quaternions begin in Context::memory.
  TreeMotion(std::shared_ptr<const BodyModel<D>> model, const BodyKinematics<D>& assembled, const SpanningTree& tree,
             int first_reference);

  /// True for translations, false for angles.
  bool is_length(int coordinate) const { return is_length_[coordinate]; }

  int coordinates() const { return coordinates_; }
  int memory_size() const { return memory_size_; }
  const std::vector<Link>& links() const { return links_; }
  const std::vector<JointMotion<D>>& motions() const { return motions_; }
  const std::vector<Hinge>& hinges() const { return hinges_; }
  const std::vector<std::string>& coordinate_names() const { return names_; }
  /// Makes span(), mass_cliques(), locate() and dynamics() possible. Memory in proportion to bodies times depth: what
  /// goes through the tree link by link does without.
  void find_paths();

  void start(VecX& memory) const;
  /// z' of given body twists that respect the tree joints.
  void relative_velocities(const BodyKinematics<D>& bodies, Buffers& b, VecX& v) const;

  void position(const VecX& z, const VecX& memory, Buffers& b) const;
  void velocity(const VecX& v, const VecX& z, Buffers& b) const;
  /// Accelerations at zero z'' (into bias) and at a given z'' (into acceleration).
  void bias(Buffers& b) const;
  void acceleration(const VecX& a, Buffers& b) const;
  /// M on the pattern and Q, from the applied wrenches in b.wrench; needs bias().
  void dynamics(Buffers& b, VecX& mass, VecX& force) const;
  /// Q - M z'' likewise, for the accelerations that acceleration() found.
  void sweep(Buffers& b, VecX& force) const;
  /// The generalized forces of wrenches on the bodies, which are accumulated on the way.
  void project(const Buffers& b, std::vector<Twist>& wrenches, double* force) const;
  /// Couplings of M, and where they stand in the pattern.
  std::vector<std::vector<int>> mass_cliques() const;
  void locate(const SymmetricPattern& pattern);

  /// Takes the orientations reached as the new references of all balls: z -> 0, z' -> w, z'' -> w' in the axes reached,
  /// exactly the same motion.
  void renew_references(VecX& z, VecX& v, VecX& a, VecX& algorithmic, VecX& memory) const;

  /// Where a row that depends on the motion between two bodies has entries: the two paths without their common part.
  struct Span {
    std::vector<int> columns;
    int split;  // entries before it belong to body 2 (plus), the rest to body 1 (minus)
  };
  Span span(int body1, int body2) const;
  /// row entries of the wrench w on body 2 and -w on body 1.
  static void write_row(const Span& span, const Twist& w, const Buffers& b, double* row) {
    write_row(span, w, w, b, row);
  }
  /// Of w2 on body 2 and -w1 on body 1, which have no part in what moves both.
  static void write_row(const Span& span, const Twist& w1, const Twist& w2, const Buffers& b, double* row) {
    for (int i = 0; i < span.split; ++i) row[i] = b.column[span.columns[i]].dot(w2);
    for (int i = span.split; i < static_cast<int>(span.columns.size()); ++i) {
      row[i] = -b.column[span.columns[i]].dot(w1);
    }
  }

  /// Adds to a row with entries elsewhere: `place` says where the span's columns stand in it.
  static void add_to_row(const Span& span, const std::vector<int>& place, const Twist& w, const Buffers& b,
                         double* row) {
    for (int i = 0; i < static_cast<int>(span.columns.size()); ++i) {
      row[place[i]] += (i < span.split ? 1 : -1) * b.column[span.columns[i]].dot(w);
    }
  }

 private:
  void add_link(const TreeLink& link, const BodyKinematics<D>& assembled);
  void add_hinge(Link& link);
  void turn_hinge(const Link& link, double z, Buffers& b) const;
  void add_motions(const Joint& joint, const TreeLink& tree_link, const Link& link);
  int ball_index(const JointMotion<D>& motion) const { return (motion.reference - first_reference_) / 4; }

  std::shared_ptr<const BodyModel<D>> model_;
  int coordinates_ = 0, first_reference_ = 0, memory_size_ = 0;
  std::vector<Link> links_;
  std::vector<JointMotion<D>> motions_;
  std::vector<Hinge> hinges_;
  std::vector<std::string> names_;
  std::vector<bool> is_length_;
  std::vector<std::vector<int>> path_;  // find_paths(): coordinates on the way from ground to every body
  std::vector<int> link_of_;            // coordinate -> link
  std::vector<int> slot_start_, slot_;  // of M(k, l), l over the path up to and including k
};

}  // namespace cardan
