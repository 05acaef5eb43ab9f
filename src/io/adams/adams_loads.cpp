// Springs, bushings, forces and torques; variables and differential equations. Forces act on the part of the
// I marker and their opposite on that of J; a positive one between two markers drives them apart.
#include <fmt/format.h>

#include "io/adams/adams_model.hpp"

namespace cardan {

namespace {

TreeNode both_places(const AdamsMarker& j, const AdamsMarker& i, const SourceLocation& where) {
  return list_node({vector_node(tidy(j.frame.origin), where), vector_node(tidy(i.frame.origin), where)}, where);
}

}  // namespace

// Translational: force -C VR - K (DM - LENGTH) + FORCE, positive drives apart; rotational: torque on I likewise.
void AdamsModel::add_spring(const Statement& s) {
  const AdamsMarker &i = marker_of(s, "I"), &j = marker_of(s, "J");
  if (i.part == j.part) broken("both markers are on one part");
  if (s.has("ROTATIONAL")) {
    const AdamsJoint* hinge = hinge_between(i, j);
    if (hinge == nullptr)
      refuse("it is on no hinge", "rotational springs are understood at revolute and cylindrical joints");
    const double k = number(s, "KT", 0) * units_.torque(), c = number(s, "CT", 0) * units_.torque() * units_.time;
    const double torque = number(s, "TORQUE", 0) * units_.torque();
    // The joint's coordinate and AZ of these markers: the same but for a sign and a constant.
    const AdamsMarker &joint_i = marker(hinge->i), &joint_j = marker(hinge->j);
    const double sign = (joint_i.part == i.part ? 1 : -1) * (hinge->axis.dot(j.frame.axes.col(2)) > 0 ? 1 : -1);
    const double shift = angle_about_z(i.frame, j.frame) - sign * angle_about_z(joint_i.frame, joint_j.frame);
    const double free_angle = sign * (number(s, "ANGLE", 0) - shift + (k != 0 ? torque / k : 0));
    TreeElement spring = model_.add("loads", name_of(s), s.where, s.label());
    spring.word("torsion", hinge->name);
    if (hinge->type == "cylindrical") spring.number("coordinate", 2);
    spring.number("stiffness", k).number("damping", c);
    if (tidy(free_angle) != 0) spring.number("free_angle", tidy(free_angle));
    if (torque != 0 && k == 0) refuse("it has a torque and no stiffness");
    return;
  }
  s.find("TRANSLATIONAL");
  const double k = number(s, "K", 0) * units_.force / units_.length;
  const double c = number(s, "C", 0) * units_.force * units_.time / units_.length;
  const double force = number(s, "FORCE", 0) * units_.force, length = number(s, "LENGTH", 0) * units_.length;
  const std::string name = name_of(s);
  if (k != 0 || c != 0) {
    TreeElement spring = model_.add("loads", name, s.where, s.label());
    spring.words("spring", {body_of(j), body_of(i)}).set("at", both_places(j, i, s.where));
    if (k != 0) spring.number("stiffness", k).number("free_length", tidy(length + force / k));
    if (c != 0) spring.number("damping", c);
  }
  if (k == 0 && force != 0)
    model_.add("loads", names_.take(name + "_force", "load"), s.where, s.label())
        .words("force", {body_of(j), body_of(i)})
        .set("at", both_places(j, i, s.where))
        .number("pull", -force);
}

// Force on I in the axes of J: -K x - C x', by a bushing of the model, and all that a bushing of the model is not: the
// torque -KT a - CT w, whose angles are not small of one axis, and what is there at rest.
void AdamsModel::add_bushing(const Statement& s) {
  int id_i = 0, id_j = 0;
  const AdamsMarker &i = marker_of(s, "I", &id_i), &j = marker_of(s, "J", &id_j);
  if (i.part == j.part) broken("both markers are on one part");
  const Vec3 k = vector(s, "K", Vec3::Zero()) * units_.force / units_.length;
  const Vec3 c = vector(s, "C", Vec3::Zero()) * units_.force * units_.time / units_.length;
  if (!k.isZero(0) || !c.isZero(0)) {
    const std::string name = name_of(s);
    remember(s, name);
    const bool aligned = i.frame.axes.isApprox(j.frame.axes, 1e-9);
    const std::string on_j = aligned ? "" : marker_name(id_j), on_i = aligned ? "" : marker_name(id_i);
    TreeElement bushing = model_.add("loads", name, s.where, s.label());
    bushing.words("bushing", {body_of(j), body_of(i)});
    if (aligned) {
      bushing.set("at", both_places(j, i, s.where)).axes(j.frame.axes);
    } else {
      bushing.words("at", {on_j, on_i});
    }
    for (const auto& [field, value] : {std::pair("stiffness", k), {"damping", c}})
      if (!value.isZero(0)) bushing.vector(field, value);
  }
  add_vector_force(elastic_force(s));
}

void AdamsModel::add_single_force(const Statement& s) {
  const AdamsMarker &i = marker_of(s, "I"), &j = marker_of(s, "J");
  const bool rotation = s.has("ROTATIONAL"), alone = s.has("ACTIONONLY");
  s.find("TRANSLATIONAL");
  if (rotation && !alone) {
    add_twist(s, expression(s, "FUNCTION", units_.torque()), i, j);
  } else if (alone) {
    const std::string law = expression(s, "FUNCTION", rotation ? units_.torque() : units_.force);
    add_components(s, rotation ? "torque" : "force", i, j, {"0", "0", law}, nullptr);
  } else {
    if (i.part == j.part) broken("both markers are on one part");
    const std::string law = expression(s, "FUNCTION", -units_.force);
    model_.add("loads", name_of(s), s.where, s.label())
        .words("force", {body_of(j), body_of(i)})
        .set("at", both_places(j, i, s.where))
        .word("pull", law);
  }
}

// On a hinge about its axis an effort, else a torque that turns with the body that it acts on.
void AdamsModel::add_twist(const Statement& s, const std::string& torque, const AdamsMarker& i, const AdamsMarker& j) {
  if (i.part == j.part) broken("both markers are on one part");
  if (const AdamsJoint* hinge = hinge_between(i, j)) {
    const double sign =
        (marker(hinge->i).part == i.part ? 1 : -1) * (hinge->axis.dot(j.frame.axes.col(2)) > 0 ? 1 : -1);
    TreeElement load = model_.add("loads", name_of(s), s.where, s.label());
    load.word("actuator", hinge->name);
    if (hinge->type == "cylindrical") load.number("coordinate", 2);
    load.word("effort", multiple(sign, torque));
    return;
  }
  const bool on_ground = body_of(i) == "ground";
  const AdamsMarker &acted = on_ground ? j : i, &other = on_ground ? i : j;
  const Vec3 axis = parts_.at(acted.part).frame.axes.transpose() * acted.frame.axes.col(2) * (on_ground ? -1.0 : 1.0);
  model_.add("loads", name_of(s), s.where, s.label())
      .words("torque", {body_of(other), body_of(acted)})
      .set("components", words_node(turned_by(Mat3(axis * Vec3::UnitZ().transpose()), {"0", "0", torque}), s.where))
      .word("frame", "body");
}

// Components along the axes of a reference marker. Where that turns with the body that is acted on or not at all, and
// nothing moves by the reaction, a load of the model says it; all else is told in inertial axes.
void AdamsModel::add_components(const Statement& s, const char* kind, const AdamsMarker& i,
                                const AdamsMarker& reference, const std::array<std::string, 3>& components,
                                const AdamsMarker* reaction) {
  const std::string& body = body_of(i);
  const bool torque = std::string_view(kind) == "torque";
  const bool answered = reaction != nullptr && body_of(*reaction) != "ground";
  if (body == "ground" && !answered) return;  // takes no notice
  const bool fixed = reference.part == 0 || body_of(reference) == "ground", own = !fixed && reference.part == i.part;
  if ((!fixed && !own) || body == "ground" || (!torque && answered)) {
    add_in_space(s, torque, in_space(reference, components), reaction);
    return;
  }
  const Mat3 axes = own ? Mat3(parts_.at(i.part).frame.axes.transpose() * reference.frame.axes) : reference.frame.axes;
  TreeElement load = model_.add("loads", name_of(s), s.where, s.label());
  if (answered) {
    load.words(kind, {body_of(*reaction), body});
  } else {
    load.word(kind, body);
  }
  if (!torque) load.vector("at", i.frame.origin);
  load.set("components", words_node(turned_by(axes, components), s.where));
  if (own) load.word("frame", "body");
}

std::array<std::string, 3> AdamsModel::components(const Statement& s, std::array<const char*, 3> names, double unit) {
  std::array<std::string, 3> result;
  for (std::size_t k = 0; k < 3; ++k) result[k] = s.has(names[k]) ? expression(s, names[k], unit) : "0";
  return result;
}

void AdamsModel::add_vector_force(const Statement& s) {
  const AdamsMarker &i = marker_of(s, "I"), &j = marker_of(s, s.has("JFLOAT") ? "JFLOAT" : "J");
  static const AdamsMarker origin{};
  const auto rm = identifier(s, "RM");
  const AdamsMarker& reference = rm && *rm != 0 ? marker(*rm) : origin;
  if (s.has("FUNCTION")) refuse("it is a subroutine of its own");
  const auto zero = [](const std::array<std::string, 3>& c) { return c[0] == "0" && c[1] == "0" && c[2] == "0"; };
  const auto force = components(s, {"FX", "FY", "FZ"}, units_.force);
  const auto torque = components(s, {"TX", "TY", "TZ"}, units_.torque());
  if (!zero(force)) add_components(s, "force", i, reference, force, &j);
  if (!zero(torque)) add_components(s, "torque", i, reference, torque, &j);
}

// One that is not understood and that no force follows is there to be looked at: it is left out.
void AdamsModel::add_variable(const Statement& s) {
  for (const char* known : {"IC", "FUNCTION", "AUTOSCALE"}) s.find(known);
  define_variable(s);
}

// The variables of a PINPUT come from outside: inputs of the model.
void AdamsModel::find_plant_inputs() {
  for (const Statement& s : dataset_.statements) {
    const AdamsArgument* list = s.keyword == "PINPUT" ? s.find("VARIABLES") : nullptr;
    if (list == nullptr) continue;
    std::string_view rest = list->value;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find_first_of(",:"), rest.size());
      double id = 0;
      if (parse_adams_number(rest.substr(0, comma), id) && std::abs(id) < 2e9)
        plant_inputs_.insert(static_cast<int>(id));
      rest = comma < rest.size() ? rest.substr(comma + 1) : std::string_view();
    }
  }
}

const std::string& AdamsModel::define_variable(const Statement& s) {
  const auto [found, is_new] = lost_variables_.emplace(s.id, "");
  if (!is_new) return found->second;
  const Statement* following = current_;
  current_ = &s;
  try {
    if (plant_inputs_.count(s.id) > 0) {
      model_.add("inputs", variables_.at(s.id), s.where, s.label()).number("start", number(s, "IC", 0));
      current_ = following;
      return found->second;
    }
    model_.add("signals", variables_.at(s.id), word_node(expression(s, "FUNCTION", 1), s.where), s.label());
  } catch (const Refusal& refusal) {
    if (refusal.broken) {
      leave_out(s.where, s.label(), refusal);
    } else {
      left_out_.push_back(fmt::format("line {}: {}: {}", s.where.line, s.label(), refusal.message));
    }
    lost_variables_[s.id] = refusal.message;
  }
  current_ = following;
  return lost_variables_[s.id];
}

void AdamsModel::add_state(const Statement& s) {
  const std::string rate = expression(s, "FUNCTION", 1 / units_.time);
  const auto start = numbers(s, "IC", 1, 2);
  if (s.has("IMPLICIT")) refuse("implicit equations are not understood");
  model_.add("states", states_.at(s.id), s.where, s.label())
      .number("start", start ? (*start)[0] : 0)
      .word("rate", rate);
}

}  // namespace cardan
