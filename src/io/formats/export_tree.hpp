// A mechanism as other programs want it: a tree of links with simple joints, each link's frame where its joint is, as
// it stands at the start; what closes loops and what loads there are is left to who writes the format.
#pragma once

#include <string>
#include <vector>

#include "cardan/formats.hpp"
#include "cardan/mechanism.hpp"

namespace cardan {

/// One motion of a joint: a turn about an axis or a way along it, of the child against the parent.
struct ExportStep {
  bool turns = true;
  Vec3 axis = Vec3::UnitZ();  // as it stands at the start, inertial components
  Vec3 point = Vec3::Zero();  // of the axis
  double position = 0, velocity = 0;
  int number = 1;  // of the joint's coordinate
};

struct ExportLink {
  int body = 0, parent = kGround, joint = 0;
  Frame frame;  // at the start: the joint's point on this body, the body's axes
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  // of the frame's origin
  Vec3 spin = Vec3::Zero();                                       // its angular velocity against the parent
  std::vector<ExportStep> steps;                                  // from the parent outwards
  bool ball = false, free = false;
};

struct ExportTree {
  std::vector<ExportLink> links;  // parents before children
  std::vector<int> cut;           // joints that close loops
  std::vector<int> link_of;       // of a body
  /// Of a point and axes of the drawing, on a body, at the start.
  std::vector<Frame> moved;  // for each body: where the drawing's inertial frame is

  Frame at_start(int body, const Frame& drawn) const;
  /// The frame of a body's link; ground's is inertial.
  Frame link_frame(int body) const {
    return body == kGround ? Frame() : links[static_cast<std::size_t>(link_of[static_cast<std::size_t>(body)])].frame;
  }
};

/// Assembles the mechanism. Throws ModelError for joints that are not made of turns and ways, as screws.
ExportTree make_export_tree(const Mechanism& mechanism);

/// Outer^-1 inner.
Frame relative(const Frame& outer, const Frame& inner);

/// What pictures show of a link.
struct ExportShape {
  const Geometry& drawn;
  Frame frame;    // from the link's frame: of the middle, cylinders and capsules along z
  Vec3 edges;     // of a box; one without a third is given some
  double length;  // of a cylinder or capsule
};
/// Of a body or ground: its own shape, then its geometry.
std::vector<ExportShape> shapes_of(const Mechanism& mechanism, const ExportTree& tree, int body);

/// What a coordinate's springs and dampers amount to, where they are linear: -stiffness (q - free) - damping q' -
/// friction sign(q').
struct ExportJointLaw {
  double stiffness = 0, free_position = 0, damping = 0, friction = 0, armature = 0;
};

/// Says what a format cannot: collected, and thrown or left out.
class ExportRefusals {
 public:
  void add(const SourceLocation& where, const std::string& kind, const std::string& name, const std::string& message);
  /// Throws unless it may be left out.
  std::vector<std::string> settle(const ExportOptions& options) const;

 private:
  std::vector<Diagnostic> refusals_;
};

/// The law of a coordinate (from 1) of a joint; reports what is not linear.
ExportJointLaw joint_law(const Mechanism& mechanism, int joint, int number, ExportRefusals& refusals);

/// Reports loads, drivers and the rest that neither format has a word for.
void refuse_elements(const Mechanism& mechanism, const char* format, ExportRefusals& refusals);

/// "0.1 0 -3"
std::string spaced(const Vec3& vector);
std::string spaced_number(double value);

}  // namespace cardan
