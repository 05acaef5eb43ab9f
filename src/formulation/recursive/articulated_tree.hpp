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
#pragma once

#include "formulation/recursive/articulated_inertia.hpp"
#include "formulation/relative/tree_motion.hpp"

namespace cardan {

template <int D>
class ArticulatedTree {
 public:
  using S = Space<D>;
  using Vector = typename S::Vector;
  using Rotation = typename S::Rotation;
  using Twist = typename S::Twist;
  using Motion = JointMotion<D>;
  static constexpr int kBlock = 16;  // levels that share an origin

  /// What a link's sweeps write.
  struct LinkState {
    Rotation rotation;            // position level: of the link's frame
    Vector place;                 // position level: its origin
    Vector origin;                // position level: what twists and wrenches are taken about
    Vector center;                // position level: mass centre, from `origin`
    typename S::Inertia inertia;  // position level: about the mass centre, inertial axes
    Twist twist, zeta;            // velocity level
    Twist bias_wrench;            // velocity level: M zeta + rate of M Z
    Twist delta;                  // acceleration level
  };
  struct ColumnState {
    Twist column;    // position level: h
    Twist force;     // acceleration level: U
    double inverse;  // acceleration level: 1 / d
    double drive;    // acceleration level: u; after respond(): the change of z''
  };
  struct Handed {  // from a child to its parent
    ArticulatedInertia<D> inertia;
    Twist wrench;
  };
  struct Buffers {
    std::vector<LinkState> link;
    std::vector<ColumnState> column;
    std::vector<Handed> inbox;  // of links with children that do not follow them at once
    std::vector<Twist> change;  // within respond(): of delta, one for each link
    explicit Buffers(const ArticulatedTree& tree);
  };

  ArticulatedTree(const BodyModel<D>& model, const TreeMotion<D>& tree);
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
  Rotation body_rotation(int link, const Buffers& b) const { return b.link[link].rotation * links_[link].body_axes; }
  Vector body_center(int link, const Buffers& b) const { return b.link[link].origin + b.link[link].center; }
  Twist body_twist(int link, const Buffers& b) const { return from_origin(b.link[link].twist, b.link[link].origin); }
  Twist body_acceleration(int link, const Buffers& b) const;
  Twist body_change(int link, const Buffers& b) const { return from_origin(b.change[link], b.link[link].origin); }

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
  void move_through(const Link& link, const VecX& z, const VecX& memory, LinkState& s, ColumnState* columns) const;
  void carry_rates(const Link& link, const VecX& v, const VecX& z, LinkState& s, const ColumnState* columns) const;
  static Twist from_origin(const Twist& z, const Vector& origin) {
    return twist<D>(linear<D>(z) - cross(angular<D>(z), origin), angular<D>(z));
  }

  int gather(const std::vector<Twist>* wrenches, Buffers& b) const;
  void spread(Buffers& b, VecX& a) const;
  Twist carried(const Link& link, const Vector& origin, const Buffers& b) const;

  std::vector<Link> links_;      // depth first, so that a chain's next link is its next entry
  std::vector<Motion> motions_;  // as TreeMotion has them
  std::vector<int> link_of_;     // body -> link
  int coordinates_ = 0, inboxes_ = 0;
  VecX rotor_;  // one for each coordinate
  Vector gravity_;
};

}  // namespace cardan
