// Articulated-body dynamics of a spanning tree (docs/theory/recursive.md): accelerations in time and memory
// proportional to the number of links, without a mass matrix. No loops here: see recursive_formulation.hpp.
//
// Twists and wrenches are in inertial axes, about an origin that neighbouring links share, so that articulated inertias
// are handed from link to link by plain addition. Every kBlock levels the origin moves on to the link at hand, which
// keeps the rounding of long chains at that of short ones. With H the columns of a joint, Z the twist of a link and
// zeta its rate at zero z'' (gravity as an acceleration of ground, -g), from the leaves to ground
//     I = M + sum of children,   p = M zeta + (rate of M Z at zero Z') - applied wrench + sum of children
//     for every column h of the joint, last to first:  U = I h,  d = h . U + rotor inertia,  u = -h . p,
//         I <- I - U U^T / d,   p <- p + U u / d
// and back to the leaves, delta = Z' - zeta being zero on ground:  z'' = (u - U . delta) / d,  delta <- delta + h z''.
// A joint of several coordinates is eliminated column by column: the same as its block at once.
//
// In space the sweeps are those of spatial_sweeps.hpp, for the instructions that the processor has. Here is what they
// work on, and what is done link by link: everything in the plane, and joints in space that are no pins.
#pragma once

#include "formulation/recursive/articulated_inertia.hpp"
#include "formulation/recursive/spatial_lanes.hpp"
#include "formulation/relative/tree_motion.hpp"

namespace cardan {

/// What the sweeps write.
template <int D>
struct ArticulatedState;

template <>
struct ArticulatedState<2> {
  using Twist = Space<2>::Twist;
  struct Link {
    Eigen::Matrix2d rotation;   // position level: of the link's frame
    Vec2 place;                 // position level: its origin
    Vec2 origin;                // position level: what twists and wrenches are taken about
    Vec2 center;                // position level: mass centre, from `origin`
    Space<2>::Inertia inertia;  // position level: about the mass centre
    Twist twist, zeta;          // velocity level
    Twist bias_wrench;          // velocity level: M zeta + rate of M Z
    Twist delta;                // acceleration level
  };
  struct Column {
    Twist column;    // position level: h
    Twist force;     // acceleration level: U
    double inverse;  // acceleration level: 1 / d
    double drive;    // acceleration level: u; after respond(): the change of z''
  };
  struct Handed {  // from a child to its parent
    ArticulatedInertia inertia;
    Twist wrench;
  };
  using Change = Twist;
};

template <>
struct ArticulatedState<3> {
  using Link = LaneState;
  using Column = LaneColumn;
  using Handed = LaneHanded;
  using Change = LaneTwist;
};

template <class Matrix>
const Matrix& read(const Eigen::MatrixBase<Matrix>& x) {
  return x.derived();
}
inline Vec3 read(const Lanes& v) { return {v.x[0], v.x[1], v.x[2]}; }
inline Mat3 read(const Lanes (&m)[3]) {
  Mat3 result;
  for (int j = 0; j < 3; ++j) result.col(j) = read(m[j]);
  return result;
}
inline Space<3>::Twist read(const LaneTwist& z) { return twist<3>(read(z.linear), read(z.angular)); }
template <class Matrix>
void write(Matrix& to, const Matrix& x) {
  to = x;
}
inline void write(Lanes& to, const Vec3& v) { to = {{v[0], v[1], v[2], 0}}; }
inline void write(Lanes (&to)[3], const Mat3& m) {
  for (int j = 0; j < 3; ++j) write(to[j], Vec3(m.col(j)));
}
inline void write(LaneTwist& to, const Space<3>::Twist& z) {
  write(to.linear, linear<3>(z));
  write(to.angular, angular<3>(z));
}

template <int D>
class ArticulatedTree {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Rotation = typename S::Rotation;
  using Twist = typename S::Twist;
  using Motion = JointMotion<D>;
  static constexpr int kBlock = 16;  // levels that share an origin

  using LinkState = typename ArticulatedState<D>::Link;
  using ColumnState = typename ArticulatedState<D>::Column;
  using Handed = typename ArticulatedState<D>::Handed;
  using Change = typename ArticulatedState<D>::Change;
  struct Buffers {
    std::vector<LinkState> link;
    std::vector<ColumnState> column;
    std::vector<Handed> inbox;   // of links with children that do not follow them at once
    std::vector<Change> change;  // within respond(): of delta, one for each link
    explicit Buffers(const ArticulatedTree& tree);
  };

  ArticulatedTree(const BodyModel<D>& model, const TreeMotion<D>& tree,
                  const SpatialSweeps& sweeps = best_spatial_sweeps());
  /// Inertia on a coordinate alone, that of a rotor: adds to d.
  void add_rotor(int coordinate, double inertia) { rotor_[coordinate] += inertia; }

  int links() const { return static_cast<int>(links_.size()); }
  int link_of(int body) const { return link_of_[body]; }

  void position(const VecX& z, const VecX& memory, Buffers& b) const;
  void velocity(const VecX& v, const VecX& z, Buffers& b) const;
  /// z'' under the wrenches about the inertial origin, indexed by body (null: none). Returns -1, or the coordinate that
  /// nothing resists.
  int accelerate(const std::vector<Twist>* wrenches, Buffers& b, VecX& a) const;
  /// What further wrenches change, at the position of the last accelerate(): of z'' into ColumnState::drive, of the
  /// rates of the links' twists into Buffers::change.
  void respond(const std::vector<Twist>& wrenches, Buffers& b) const;
  /// Adds what respond() found to z'' and to the links.
  void add_response(Buffers& b, VecX& a) const;
  /// delta of given z''.
  void spread(const VecX& a, Buffers& b) const;

  // The bodies seen from the inertial origin.
  Rotation body_rotation(int link, const Buffers& b) const {
    return read(b.link[link].rotation) * links_[link].body_axes;
  }
  Vector body_center(int link, const Buffers& b) const { return read(b.link[link].origin) + read(b.link[link].center); }
  Twist body_twist(int link, const Buffers& b) const {
    return from_origin(read(b.link[link].twist), read(b.link[link].origin));
  }
  Twist body_acceleration(int link, const Buffers& b) const;
  Twist body_change(int link, const Buffers& b) const {
    return from_origin(read(b.change[link]), read(b.link[link].origin));
  }

 private:
  /// The frame of a link that is no pin has the body's axes and stands at its mass centre.
  struct Link {
    int body, parent;               // indices of a body and of a link (-1: ground)
    int first, last;                // coordinates
    int first_motion, last_motion;  // in motions_
    int inbox;                      // or -1
    bool pin;  // a single rotation: the frame's last axis is the joint's, its origin the joint's point
    bool own_origin;
    Rotation rotation;  // pins: frame in the parent's frame at z = 0; others: in the parent's body axes
    Vector place;       // its origin likewise, from the origin of the parent's frame or the mass centre
    Vector center;      // mass centre in the frame
    double mass;
    TurningInertia<D> inertia;  // turns with the frame
    Rotation body_axes;         // in the frame's axes
  };

  void add_link(const BodyModel<D>& model, const TreeMotion<D>& tree, const typename TreeMotion<D>::Link& link,
                int depth);
  void list_lanes() requires(D == 3);
  /// f(begin, end, are_pins) for the links in their order, those together that the sweeps in space take.
  template <class F>
  void for_runs(const F& f) const;
  LaneTree lane_tree() const { return {lanes_.data(), links(), rotor_.data(), inboxes_}; }
  static LaneBuffers lane_buffers(Buffers& b) requires(D == 3) {
    return {b.link.data(), b.column.data(), b.inbox.data(), b.change.data()};
  }

  void place_link(const Link& link, const VecX& z, const VecX& memory, LinkState& s, Buffers& b) const;
  /// From the parent's body to the link's frame, whose place is p and axes R.
  void move_through(const Link& link, const VecX& z, const VecX& memory, Rotation& R, Vector& p, Vector& origin,
                    ColumnState* columns) const;
  void move_link(const Link& link, const VecX& v, const VecX& z, LinkState& s, Buffers& b) const;
  void carry_rates(const Link& link, const VecX& v, const VecX& z, const LinkState& s, const ColumnState* columns,
                   Twist& Z, Twist& zeta) const;
  static Twist from_origin(const Twist& z, const Vector& origin) {
    return twist<D>(linear<D>(z) - cross(angular<D>(z), origin), angular<D>(z));
  }

  int gather(const std::vector<Twist>* wrenches, Buffers& b) const requires(D == 2);
  void spread(Buffers& b, VecX& a) const requires(D == 2);
  void respond_in_plane(const std::vector<Twist>& wrenches, Buffers& b) const requires(D == 2);
  Twist carried(const Link& link, const Vector& origin, const Buffers& b) const;

  std::vector<Link> links_;      // depth first, so that a chain's next link is its next entry
  std::vector<LaneLink> lanes_;  // space: the same for the sweeps
  SpatialSweeps sweeps_;         // likewise
  std::vector<Motion> motions_;  // as TreeMotion has them
  std::vector<int> link_of_;     // body -> link
  int coordinates_ = 0, inboxes_ = 0;
  VecX rotor_;  // one for each coordinate
  Vector gravity_;
};

}  // namespace cardan
