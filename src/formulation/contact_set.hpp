// The contacts of a mechanism at an instant: shapes and roads placed where the bodies are, those that touch found, and
// the force at each point with what tangents need. What a contact remembers from step to step - the speed at which it
// began, and the points of the two bodies that stick to each other - is a list sorted by what touches, so that it takes
// room for what touches at once, not for all that could.
#pragma once

#include <vector>

#include "formulation/measure.hpp"
#include "math/contact/broad_phase.hpp"
#include "math/contact/contact_law.hpp"
#include "math/contact/terrain.hpp"

namespace cardan {

/// Two bodies and what a contact of them sees, for any scalar type. Body 2 is that of the first shape.
template <class T>
struct ContactForce {
  SmallVector<T, 3> normal{}, place{};        // towards body 2
  SmallVector<T, 3> displacement{}, slide{};  // x and v_t of the law
  T depth{}, rate{};
  SmallVector<T, 3> spin{};             // of body 2 relative to body 1
  SmallVector<T, 3> force{}, moment{};  // on body 2, at the place
};

template <int D>
class ContactSet {
 public:
  using S = Space<D>;
  using Twist = typename S::Twist;
  static constexpr int kRows = D;  // of a point: along the normal, and in the surface
  /// Points whose friction is coupled to the normal force in tangents.
  static constexpr int kMostCoupled = 64;

  /// One contact.
  struct Point {
    int element = 0;
    int body1 = 0, body2 = 0;
    long pair = 0;  // of the element
    long key = 0;   // pair and feature
    int slot = -1;  // whose rows it has, or -1
    ContactFeature feature;
    bool is_known = false;  // from the last step
    ContactPast past;
    bool parts = false;                                   // they moved apart
    Vec3 anchor1 = Vec3::Zero(), anchor2 = Vec3::Zero();  // arms from the centres to the points that stick
    ContactForce<double> now;
    double load = 0, elastic = 0, stiffness = 0, damping = 0;  // of the normal force
    bool slips = false;
    double viscous = 0, viscous_by_limit = 0;  // of the friction law
    Vec3 g = Vec3::Zero();

    Vec3 force() const { return {now.force[0], now.force[1], now.force[2]}; }
    Vec3 moment() const { return {now.moment[0], now.moment[1], now.moment[2]}; }
    Vec3 place() const { return {now.place[0], now.place[1], now.place[2]}; }
    Vec3 normal() const { return {now.normal[0], now.normal[1], now.normal[2]}; }
  };
  /// k and c along three directions, and how the force along the last ones follows the normal force.
  struct Tangent {
    Vec3 direction[3];
    double stiffness[3], damping[3];
    double by_load[3];
  };
  /// Of the wrenches about the two centres, [on body 1; on body 2], then of load and depth, by the motions and
  /// velocities of both bodies.
  using Derivatives = Eigen::Matrix<double, 2 * S::kTwist + 2, 4 * S::kTwist>;
  /// Of an element: load, depth, force on its first body.
  static constexpr int kTotals = 2 + D;

  ContactSet(const Mechanism& mechanism, const MeasureFactory<D>& measures, const typename S::Vector& origin);

  bool empty() const { return elements_.empty(); }
  std::size_t size() const { return elements_.size(); }
  /// Whose rows there are; 0 where there would be too many.
  int slots() const { return static_cast<int>(slot_bodies_.size()); }
  /// Body 1 and body 2 of a slot.
  const std::vector<std::pair<int, int>>& slot_bodies() const { return slot_bodies_; }
  int coupled_slots() const { return slots() <= kMostCoupled ? slots() : 0; }
  const ContactLaw& law(int element) const { return elements_[static_cast<std::size_t>(element)].law; }
  int first_body(int element) const { return elements_[static_cast<std::size_t>(element)].first_body; }

  /// All that touch, in the order of elements and keys. `memory`: what loads remembered. In a buffer of the thread,
  /// until its next call.
  const std::vector<Point>& find(const BodyKinematics<D>& k, const double* memory) const;
  /// At the end of a step.
  void remember(const BodyKinematics<D>& k, double* memory) const;

  /// kTotals of every element: the normal forces together, the largest depth, the forces.
  void add_up(const std::vector<Point>& points, double* totals) const;
  /// Whether the force on body 2 is that on the first body of the element, its opposite, or neither: 1, -1, 0.
  double sign(const Point& point) const {
    const int first = first_body(point.element);
    return point.body2 == first ? 1 : point.body1 == first ? -1 : 0;
  }

  Tangent tangent(const Point& point) const;
  Derivatives derivatives(const Point& point, const BodyKinematics<D>& k) const;
  /// Stored by the depths.
  double energy(const Point& point) const;
  /// Of what is not stored.
  double power(const Point& point) const;

 private:
  struct ShapeOnBody {
    int body;
    ContactShape shape;  // in the axes of the body
  };
  struct TerrainOnBody {
    int body;
    Terrain terrain;
    Vec3 origin, normal;  // of a plane, in the axes of the body
  };
  struct ElementModel {
    ContactLaw law;
    std::vector<ShapeOnBody> shapes;
    std::vector<TerrainOnBody> terrains;
    std::vector<std::pair<int, int>> apart;  // bodies that do not touch, the lower index first
    std::vector<int> first_slot;             // of every pair; empty without rows
    int first_body;
    int memory_at, capacity;

    long shape_pairs() const {
      const long n = static_cast<long>(shapes.size());
      return n * (n - 1) / 2;
    }
    long pair_of(int i, int j) const {
      const long n = static_cast<long>(shapes.size()), a = i;
      return a * (2 * n - a - 1) / 2 + (j - i - 1);
    }
    bool may_touch(int body1, int body2, int ground) const;
  };
  struct Scratch {
    BroadPhase broad;
    std::vector<ContactShape> placed;
    std::vector<Point> points;
    FeatureList found;
  };
  static constexpr int kRecord = 3 + 2 * D;    // key, speed, stage, points of body 1 and body 2 in their axes
  static constexpr long kFeatures = 1L << 30;  // ids of one pair

  static Scratch& scratch();
  void list_slots();
  void find_in(int element, const BodyKinematics<D>& k, const double* memory, Scratch& s) const;
  void add_points(int element, long pair, int body1, int body2, Scratch& s) const;
  void recall(const ElementModel& e, const BodyKinematics<D>& k, const double* memory, std::size_t first,
              Scratch& s) const;
  void evaluate(const BodyKinematics<D>& k, Point& point) const;
  Vec3 held_displacement(const Point& point) const;

  double reduced_mass(int body1, int body2) const;

  int ground_;
  bool has_rows_;
  std::vector<double> mass_;  // of bodies
  std::vector<ElementModel> elements_;
  std::vector<std::pair<int, int>> slot_bodies_;
  std::size_t most_points_ = 0, most_shapes_ = 0;
};

}  // namespace cardan
