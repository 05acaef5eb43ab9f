// Turns a description (specs.hpp) into a Mechanism: names into indices, places into coordinates, directions into
// frames. Every problem goes to Problems and the work goes on; an element that failed keeps its index, so that what
// refers to it is still checked and does not complain as well. The result counts only when there are no errors.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cardan/mechanism.hpp"
#include "cardan/specs.hpp"
#include "mechanism/joint_types.hpp"
#include "mechanism/problems.hpp"
#include "mechanism/provenance.hpp"
#include "mechanism/signal_table.hpp"
#include "mechanism/spinning_rod.hpp"

namespace cardan {

/// Resolves and checks. Throws ModelError when `problems` holds errors at the end, those already there included.
Mechanism resolve_mechanism(const MechanismSpec& spec, Problems& problems);

class Resolver {
 public:
  Resolver(const MechanismSpec& spec, Problems& problems)
      : spec_(spec), problems_(problems), signals_(result_, problems) {}
  Mechanism resolve();
  Problems& problems() { return problems_; }

  // What elements refer to: the answer, or nothing. What is not there is reported; what failed was reported before.
  std::optional<int> find_body(const Name& name, const std::string& element);
  std::optional<int> find_joint(const Name& name, const std::string& element);
  std::optional<Vec3> find_place(const Place& place, const std::string& element);
  /// In the axes of the part that `image` carries over.
  std::optional<Vec3> find_direction(const Direction& direction, const std::string& element, const char* what,
                                     const AxesImage& image = {});
  std::optional<Mat3> find_axes(const AxesSpec& axes, const std::string& element, const AxesImage& image);
  const Marker* marker_named(const std::string& name) const;
  std::optional<int> find_road(const Name& name, const std::string& element, const SourceLocation& where);
  /// The 0-based coordinate; `other_sort`: the remedy when the sort does not fit.
  std::optional<int> find_coordinate(int joint, const std::optional<Located<int>>& asked, CoordinateSort sort,
                                     const std::string& element, const SourceLocation& where,
                                     const char* other_sort = nullptr);
  /// An element of one of these kinds.
  const Element* find_element(const Name& name, const std::vector<std::string>& kinds, const std::string& element);
  /// Or null.
  const Element* element_named(const std::string& name) const;
  bool is_sound_body(int body) const { return body == kGround || body_is_sound_[static_cast<std::size_t>(body)]; }
  /// Bodies and roads that touch, `*` standing for anything; reports a name that stands for none.
  bool is_sound_party(const Name& name, const std::string& element);
  bool is_sound_road(int road) const { return road_is_sound_[static_cast<std::size_t>(road)]; }
  bool is_read_joint(int joint) const { return !noted(spec_.joints[static_cast<std::size_t>(joint)]).incomplete; }
  bool check_two_bodies(int body1, int body2, const std::string& element, const SourceLocation& where);
  bool check_finite(const Number& number, const std::string& element, const char* what);
  bool check_function(const Located<Function>& function, double at, bool derivatives, const std::string& element,
                      const SourceLocation& where, const char* variable);
  Lowering::Coordinate with_start(Lowering::Coordinate coordinate, const std::string& joint) const;
  /// What follows the number: a load whose tangent has its derivatives, one that takes it as given, or a driver.
  enum class Follower { load, given, driver };
  Law law(const Located<Varying>& number, const std::string& element, const SourceLocation& where, Follower follower);

  // Signals of elements, under their whole names.
  bool has_signal(const std::string& name) const;
  void add_state(StateVariable state, const Varying& rate, const std::string& element, const SourceLocation& where);
  void add_signal(const std::string& name, const char* unit, const Located<Varying>& value, const std::string& element,
                  const SourceLocation& where);
  void declare_sum(const std::string& name, const char* unit, const std::string& element, const SourceLocation& where);
  void add_term(const std::string& sum, const Varying& term, const std::string& element, const SourceLocation& where);

 private:
  // resolver.cpp
  bool check_connections();
  void register_names();
  void register_element(const Name& name, std::string_view kind);
  void check_name(const Name& name, std::string_view kind, const SourceLocation& where);

  // resolve_bodies.cpp
  void resolve_bodies();
  void steady_slender_rods();    // after resolve_joints()
  void warn_of_spinning_rods();  // after all loads
  bool resolve_body(const BodySpec& spec, Body& body);
  bool resolve_shape(const BodySpec& spec, const std::string& element, const std::optional<Mat3>& axes, Body& body);
  /// A rod or cylinder; `axes` in place of those along it.
  bool resolve_along(const BodySpec& spec, const std::string& element, const RodShape& rod, const char* what,
                     const char* no_density, const std::optional<Mat3>& axes, Body& body);
  bool resolve_about(const BodySpec& spec, const std::string& element, const Place& center, double volume,
                     const char* no_density, const std::function<Mat3(double mass)>& moments,
                     const std::optional<Mat3>& axes, Body& body);
  /// Reports a length that is not above zero.
  bool check_length(double length, const char* what, const std::string& element, const SourceLocation& where);
  bool resolve_mass(const BodySpec& spec, const std::string& element, double volume, const char* no_density,
                    Body& body);
  void check_inertia(const Body& body, const std::string& element, const SourceLocation& where);
  void resolve_markers();

  // resolve_geometry.cpp
  void resolve_geometry();
  bool resolve_geometry(const GeometrySpec& spec, const std::string& element, Geometry& geometry);
  bool resolve_drawn_shape(const GeometrySpec& spec, const std::string& element, Geometry& geometry);
  /// Along the body's axes unless it has its own.
  bool orient(const GeometrySpec& spec, const std::string& element, Geometry& geometry);
  bool check_outline(const PolygonShape& polygon, const std::string& element, const SourceLocation& where);
  std::optional<std::string> find_color(const Name& color, const std::string& element);

  // resolve_joints.cpp
  void resolve_joints();
  bool resolve_joint(const JointSpec& spec, Joint& joint);
  bool check_joint_fits_plane(const JointSpec& spec, const std::string& element);
  bool place_joint(const JointSpec& spec, const std::string& element, Joint& joint);
  bool orient_joint(const JointSpec& spec, const std::string& element, Joint& joint);
  bool orient_universal(const JointSpec& spec, const std::string& element, Joint& joint);
  bool orient_along_axis(const JointSpec& spec, const std::string& element, Joint& joint);
  bool resolve_length(const JointSpec& spec, const std::string& element, Joint& joint);
  bool resolve_pitch(const JointSpec& spec, const std::string& element, Joint& joint);
  bool check_drawn(const JointSpec& spec, const std::string& element);

  // resolve_elements.cpp
  void resolve_elements();

  // resolve_signals.cpp
  void resolve_inputs();
  void resolve_states();
  void resolve_sums();
  void resolve_signals();  // after all elements
  void resolve_outputs();
  void expand_outputs();
  void finish_signals();  // and events
  void resolve_sampled(const SignalSpec& spec, const std::string& element);
  void resolve_companions();
  void resolve_signal(const SignalSpec& spec);
  void resolve_angle(const SignalSpec& spec, Signal leaf, const std::string& element);

  // resolve_roads.cpp
  void resolve_roads();
  bool resolve_road(const RoadSpec& spec, const std::string& element, Road& road);
  bool take_profile(const RoadSpec& spec, const std::string& element, Road& road);
  bool take_plane(const RoadSpec& spec, const std::string& element, Road& road);
  bool take_grid(const RoadSpec& spec, const std::string& element, Road& road);
  bool sample_height(const RoadSpec& spec, const std::string& element, Road& road);
  void check_table_covers(const Located<Function>& height, double from, double to, const std::string& element);

  // resolve_start.cpp
  void resolve_initial();
  void resolve_initial_motion(const InitialSpec& spec, const std::string& element);
  void resolve_body_initial(const InitialSpec& spec, const std::string& element, Body& body);
  void resolve_joint_initial(const InitialSpec& spec, const std::string& element, Joint& joint);
  void resolve_gravity();
  void resolve_simulation();

  // resolve_events.cpp
  void resolve_events();
  bool resolve_event(const EventSpec& spec, Event& event);
  void resolve_condition(const EventSpec& spec, const std::string& element, Event& event);
  void resolve_assignments(const EventSpec& spec, const std::string& element, Event& event);
  void follow_joint(int joint);
  void follow_switch(const std::string& name);

  /// A signal that several elements add to.
  struct Sum {
    std::vector<Varying> terms;
    std::string unit;
    std::string element;  // who has it; until that is known, who adds to it
    SourceLocation where;
    bool declared = false;
  };

  const MechanismSpec& spec_;
  Problems& problems_;
  Mechanism result_;
  SignalTable signals_;
  std::map<std::string, const PointSpec*> points_;
  std::map<std::string, int> bodies_, markers_, joints_, roads_;
  std::map<std::string, Sum> sums_;
  std::vector<SpinningRod> spinning_rods_;
  std::vector<bool> body_is_sound_, marker_is_sound_, joint_is_sound_, road_is_sound_;
  std::map<std::string_view, std::pair<std::string_view, const SourceLocation*>>
      elements_;  // name -> kind, where: of spec_
};

/// check_fields.cpp: checks what the fields of an element say of themselves. Required ones are there, names are known,
/// numbers keep their bounds, functions of time have a value at the start. False when something is wrong with them, or
/// with what they name. What spans several fields is checked when the element is lowered.
bool check_fields(Resolver& resolver, Element& element, bool planar);

/// `where` when it points somewhere, else `fallback`.
const SourceLocation& first_known(const SourceLocation& where, const SourceLocation& fallback);

}  // namespace cardan
