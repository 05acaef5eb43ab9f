// What becomes of each sort of element when the part it belongs to is included: its names, its points, its vectors.
#include "mechanism/subsystem.hpp"

namespace cardan {

namespace {

/// What a body outside would lend to a shape is not turned with the part: the part's own axes are.
AxesSpec part_axes(bool planar) {
  AxesSpec axes;
  axes.x = Direction("x");
  if (!planar) axes.y = Direction("y");
  return axes;
}

template <class Shape>
void carry_places(Inclusion& to, Shape& shape) {
  if constexpr (requires { shape.from; }) to.place(shape.from), to.place(shape.to);
  if constexpr (requires { shape.center; }) to.place(shape.center);
  if constexpr (requires { shape.origin; }) to.place(shape.origin);
}

}  // namespace

void carry(Inclusion& to, PointSpec& point) {
  to.own("point", point.name);
  point.position = to.point(point.position);
}

void carry(Inclusion& to, BodySpec& body) {
  to.image(noted(body).image, to.signs_of(body));
  to.own("body", body.name);
  to.places_of(body.axes);
  std::visit([&to](auto& shape) { carry_places(to, shape); }, body.shape);
}

// Outlines and meshes keep their coordinates times the signs of their axes: L A v = (L A D) (D v).
void carry(Inclusion& to, GeometrySpec& geometry) {
  to.report_as("geometry of " + element_label("body", geometry.body.value));
  if (!to.has_body(geometry.body) && !geometry.axes && to.turns()) geometry.axes = part_axes(to.planar());
  const Vec3 signs = to.signs_of(geometry);
  to.image(noted(geometry).image, signs);
  to.body(geometry.body);
  to.places_of(geometry.axes);
  std::visit([&to](auto& shape) { carry_places(to, shape); }, geometry.shape);
  if (auto* polygon = std::get_if<PolygonShape>(&geometry.shape))
    for (Vec2& corner : polygon->outline) corner = corner.cwiseProduct(signs.head<2>());
  if (auto* mesh = std::get_if<MeshShape>(&geometry.shape)) mesh->scale = mesh->scale.cwiseProduct(signs);
}

void carry(Inclusion& to, MarkerSpec& marker) {
  to.image(noted(marker).image, to.signs_of(marker));
  to.own("marker", marker.name);
  to.body(marker.body);
  to.place(marker.at);
  to.places_of(marker.axes);
}

void carry(Inclusion& to, JointSpec& joint) {
  const Vec3 signs = to.signs_of(joint);
  to.lent_axes(noted(joint), joint.at1, joint.at2, signs);
  noted(joint).outside1 |= to.mirrors() && to.is_connection(joint.at1);
  noted(joint).outside2 |= to.mirrors() && to.is_connection(joint.at2);
  to.image(noted(joint).image, signs);
  for (std::size_t i = 0; i < joint.drawn.value.size(); ++i)
    joint.drawn.value[i] *= to.coordinate_sign(joint, static_cast<int>(i));
  if (to.mirrors()) negate(joint.pitch);  // the mirror image of a thread is left-handed
  to.own("joint", joint.name);
  to.body(joint.body1);
  to.body(joint.body2);
  to.place(joint.at1);
  to.place(joint.at2);
  to.places_of(joint.axis1);
  to.places_of(joint.axis2);
  to.places_of(joint.x_axis);
}

void carry(Inclusion& to, InputSpec& input) { to.own("input", input.name); }

void carry(Inclusion& to, StateSpec& state) {
  to.own("state", state.name);
  to.signals(state.rate);
}

void carry(Inclusion& to, SignalSpec& signal) {
  to.own("signal", signal.name);
  to.signals(signal.value);
  if (signal.kind == SignalSpec::Kind::value) return;
  to.body(signal.body2);
  to.body(signal.body1);
  to.body(signal.axes);
  to.place(signal.at1);
  to.place(signal.at2);
  if (signal.about) to.axial(*signal.about);
}

void carry(Inclusion& to, CompanionSpec& companion) {
  to.own("fmu", companion.name);
  for (CompanionSpec::InputOf& input : companion.inputs) to.signals(input.value);
}

void carry(Inclusion& to, RoadSpec& road) {
  to.own("road", road.name);
  if (road.body) to.body(*road.body);
  if (road.plane) to.place(*road.plane);
  to.refuse_to_move(road.name.where, "road");
}

void carry(Inclusion& to, InitialSpec& initial) {
  if (to.coordinate_sign(initial.name, {}, CoordinateSort::any) < 0) {
    negate(initial.joint_position);
    negate(initial.joint_velocity);
  }
  to.body_or_joint("initial", initial.name);
  to.open_polar(initial.velocity);
  to.open_axial(initial.angular_velocity);
}

void carry(Inclusion& to, EventSpec& event) {
  to.own("event", event.name);
  for (Name& target : event.targets) {
    switch (event.action) {
      case Event::Action::attach:
      case Event::Action::release:
        to.joint(target);
        break;
      case Event::Action::on:
      case Event::Action::off:
        to.load_or_driver(target);
        break;
      case Event::Action::drop:
        to.refer("road", target.value, target.where);
        break;
      case Event::Action::set:
      case Event::Action::end:
      case Event::Action::note:
        break;  // name nothing that is there
    }
  }
  if (event.guard.value.given) to.signals(event.guard);
  for (EventSpec::Assignment& assignment : event.assignments) {
    to.own("event", assignment.name);
    to.signals(assignment.value);
  }
}

void carry(Inclusion& to, PlotSpec& plot) {
  to.own("plot", plot.title);
  for (Name& column : plot.columns) carry(to, column);
}

void carry(Inclusion& to, Name& column) {
  const std::size_t dot = column.value.rfind('.');
  Name element(column.value.substr(0, dot), column.where);
  to.own("plot", element);
  column.value = element.value + (dot == std::string::npos ? "" : column.value.substr(dot));
}

void carry(Inclusion& to, ConnectedSpec& connected) {
  to.report_as(connected.element);
  if (connected.kind == "signal") return to.signal(connected.target.value, connected.target.where);
  to.refer(connected.kind, connected.target.value, connected.target.where);
}

}  // namespace cardan
