// What functions measure between markers, as signals of the model: DX(i, j, k) is the way from j to i along x of k, and
// so on.
#include <fmt/format.h>

#include "io/adams/adams_model.hpp"

namespace cardan {

namespace {

/// sum of factors times terms, as short as it can be said.
std::string combination(const std::array<double, 3>& factors, const std::array<std::string, 3>& terms) {
  std::string text;
  for (std::size_t k = 0; k < 3; ++k) {
    const double factor = tidy(factors[k]);
    if (factor == 0 || terms[k] == "0") continue;
    const bool whole = terms[k].find(' ') != std::string::npos;
    const std::string term = whole ? "(" + terms[k] + ")" : terms[k];
    const std::string sign = text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    const double size = std::abs(factor);
    text += sign + (size == 1 ? term : number_text(size) + "*" + term);
  }
  return text.empty() ? "0" : text;
}

std::string minus(const std::string& a, const std::string& b) {
  double x = 0, y = 0;
  if (parse_adams_number(a, x) && parse_adams_number(b, y)) return number_text(tidy(x - y));
  if (b == "0") return a;
  if (a == "0") return "-" + (b.find(' ') == std::string::npos ? b : "(" + b + ")");
  return b.front() == '-' ? fmt::format("{} + {}", a, b.substr(1)) : fmt::format("{} - {}", a, b);
}

std::string over(const std::string& text, double unit) {
  if (unit == 1 || text == "0") return text;
  const double factor = 1 / unit;
  double value = 0;
  if (parse_adams_number(text, value)) return number_text(tidy(value * factor));
  return fmt::format("{}*({})", number_text(tidy(factor)), text);
}

std::string root_of_squares(const std::array<std::string, 3>& c) {
  return fmt::format("sqrt(({})^2 + ({})^2 + ({})^2)", c[0], c[1], c[2]);
}

}  // namespace

std::string AdamsModel::marker_name(int id) {
  if (const auto found = marker_names_.find(id); found != marker_names_.end()) return found->second;
  const AdamsMarker& at = marker(id);
  const Statement* statement = nullptr;
  for (const Statement& s : dataset_.statements)
    if (s.keyword == "MARKER" && s.id == id) statement = &s;
  const std::string name = name_of(*statement);
  model_.add("markers", name, statement->where, fmt::format("MARKER/{}", id))
      .word("body", body_of(at))
      .vector("at", at.frame.origin)
      .axes(at.frame.axes);
  return marker_names_[id] = name;
}

std::string AdamsModel::signal_name(const std::string& key, const std::string& wanted, const TreeNode& value) {
  auto [found, is_new] = signals_.emplace(key, "");
  if (is_new) {
    found->second = names_.take(wanted, "signal");
    model_.add("signals", found->second, value);
  }
  return found->second;
}

// Of marker i less that of marker j, in the axes of marker k; 0 stands for ground. SI units.
std::array<std::string, 3> AdamsModel::difference(const char* kind, int i, int j, int k, bool rates) {
  const std::string quantity = kind;
  static const AdamsMarker origin{};
  const auto at = [&](int id) -> const AdamsMarker& { return id == 0 ? origin : marker(id); };
  const auto on = [&](int id) { return id == 0 ? std::string("ground") : body_of(marker(id)); };
  const std::string frame_body = on(k);
  const AdamsPart* frame_part = frame_body == "ground" ? nullptr : &parts_.at(at(k).part);
  Vec3 center = Vec3::Zero();
  if (frame_part != nullptr)
    if (const auto cm = identifier(*frame_part->statement, "CM")) center = marker(*cm).frame.origin;
  if (frame_part != nullptr && !frame_part->statement->has("CM")) center = frame_part->frame.origin;
  const auto components = [&](int id) -> std::array<std::string, 3> {
    const std::string body = on(id);
    if (quantity != "position" && body == "ground") return {"0", "0", "0"};
    if (quantity == "position" && body == frame_body) {
      if (rates) return {"0", "0", "0"};
      const Vec3 p = frame_part == nullptr ? at(id).frame.origin
                                           : Vec3(frame_part->frame.axes.transpose() * (at(id).frame.origin - center));
      return {number_text(tidy(p.x())), number_text(tidy(p.y())), number_text(tidy(p.z()))};
    }
    std::string name;
    std::array<const char*, 3> ends{".x", ".y", ".z"};
    if (frame_part == nullptr) {
      name = quantity.starts_with("angular") ? body : marker_name(id);
      if (quantity == "velocity" || (rates && quantity == "position")) ends = {".vx", ".vy", ".vz"};
      if (quantity == "acceleration") ends = {".ax", ".ay", ".az"};
      if (quantity == "angular_velocity") ends = {".wx", ".wy", ".wz"};
      if (quantity == "angular_acceleration") ends = {".alphax", ".alphay", ".alphaz"};
    } else {
      TreeNode value = map_node(current_->where);
      TreeElement fields(value, current_->where);
      fields.word(quantity, body);
      if (quantity != "angular_velocity" && id != 0 && body != "ground") fields.word("at", marker_name(id));
      if (quantity != "angular_velocity" && body == "ground") fields.vector("at", at(id).frame.origin);
      fields.word("axes", frame_body);
      const std::string who = id == 0 ? "origin" : quantity == "angular_velocity" ? body : marker_name(id);
      name = signal_name(quantity + " " + who + " " + frame_body,
                         fmt::format("{}_of_{}_in_{}", quantity, who, frame_body), value);
      if (rates)
        return {fmt::format("rate({}.x)", name), fmt::format("rate({}.y)", name), fmt::format("rate({}.z)", name)};
    }
    return {name + ends[0], name + ends[1], name + ends[2]};
  };
  const auto a = components(i), b = components(j);
  const std::array<std::string, 3> relative{minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])};
  const Mat3 turn = frame_part == nullptr ? Mat3(at(k).frame.axes.transpose())
                                          : Mat3(at(k).frame.axes.transpose() * frame_part->frame.axes);
  std::array<std::string, 3> result;
  for (int row = 0; row < 3; ++row)
    result[static_cast<std::size_t>(row)] = combination({turn(row, 0), turn(row, 1), turn(row, 2)}, relative);
  return result;
}

const AdamsJoint* AdamsModel::hinge_between(const AdamsMarker& i, const AdamsMarker& j) const {
  for (const auto& [id, joint] : joints_) {
    if (joint.type != "revolute" && joint.type != "cylindrical") continue;
    const int one = markers_.at(joint.i).part, other = markers_.at(joint.j).part;
    const bool same = (one == i.part && other == j.part) || (one == j.part && other == i.part);
    if (same && joint.axis.cross(j.frame.axes.col(2)).norm() < 1e-9) return &joint;
  }
  return nullptr;
}

// The turn of marker i about an axis of marker j, where those about the other two are small:
//     AX = atan2(-z_i . y_j, z_i . z_j),  AY = atan2(z_i . x_j, z_i . z_j),  AZ = atan2(x_i . y_j, x_i . x_j),
// about z of any size; of a hinge its coordinate, which counts over full turns.
std::string AdamsModel::angle(int i, int j, int axis) {
  const AdamsMarker& one = marker(i);
  const AdamsJoint* hinge = axis == 2 && j != 0 ? hinge_between(one, marker(j)) : nullptr;
  if (hinge == nullptr) {
    const std::size_t seen = axis == 2 ? 0 : 2, zero = seen, quarter = axis == 1 ? 0 : 1;
    const std::string law =
        fmt::format("atan2({}({}), {})", axis == 0 ? "-" : "", cosine(i, seen, j, quarter), cosine(i, seen, j, zero));
    return signal_name(fmt::format("angle {} {} {}", i, j, axis), fmt::format("angle_{}_{}_{}", "xyz"[axis], i, j),
                       word_node(law, current_->where));
  }
  const AdamsMarker &other = marker(j), &joint_i = marker(hinge->i), &joint_j = marker(hinge->j);
  const double sign = (joint_i.part == one.part ? 1 : -1) * (hinge->axis.dot(other.frame.axes.col(2)) > 0 ? 1 : -1);
  const double offset =
      tidy(angle_about_z(one.frame, other.frame) - sign * tidy(angle_about_z(joint_i.frame, joint_j.frame)));
  const std::string name = (sign < 0 ? "-" : "") + hinge->name + (hinge->type == "cylindrical" ? ".q2" : ".q");
  if (offset == 0) return name;
  return fmt::format("{} {} {}", name, offset < 0 ? "-" : "+", number_text(std::abs(offset)));
}

std::optional<std::string> AdamsModel::value_of(const std::string& name, int id, std::string& why_not) {
  const auto& known = name == "DIF" ? states_ : variables_;
  const auto found = known.find(id);
  if (found == known.end()) {
    why_not = fmt::format("there is no {}/{}", name == "DIF" ? "DIFF" : "VARIABLE", id);
    return std::nullopt;
  }
  for (const Statement& s : dataset_.statements)
    if (name == "VARVAL" && s.keyword == "VARIABLE" && s.id == id) why_not = define_variable(s);
  if (why_not.empty()) return found->second;
  why_not = fmt::format("VARIABLE/{}: {}", id, why_not);
  return std::nullopt;
}

bool AdamsModel::is_still(int marker_id) { return marker_id == 0 || body_of(marker(marker_id)) == "ground"; }

// ACCX(i, j, k, l), ACCM(i, j, l), WDTX(i, j, k, l), ...
std::optional<std::string> AdamsModel::acceleration(const std::string& name, const std::array<int, 4>& id,
                                                    std::string& why_not) {
  const bool size = name.back() == 'M', turns = name[0] == 'W';
  if (!is_still(size ? id[2] : id[3])) {
    why_not = fmt::format("{} seen from a part that moves is not understood", name);
    return std::nullopt;
  }
  const int k = size ? 0 : id[2];
  const auto all = turns ? seen_from(k, difference("angular_acceleration", id[0], id[1], 0, false))
                         : difference("acceleration", id[0], id[1], k, false);
  const double unit = (turns ? 1 : units_.length) / (units_.time * units_.time);
  return over(size ? root_of_squares(all) : all[static_cast<std::size_t>(name.back() - 'X')], unit);
}

std::optional<std::string> AdamsModel::measure(const std::string& name, const std::vector<int>& ids,
                                               std::string& why_not) {
  const auto id = [&](std::size_t k) { return k < ids.size() ? ids[k] : 0; };
  if (name == "VARVAL" || name == "DIF") return value_of(name, id(0), why_not);
  try {
    if (const auto force = force_of(name, ids)) return force;
  } catch (const Refusal& refusal) {
    if (refusal.broken) throw;
    why_not = refusal.message;
    return std::nullopt;
  }
  if ((name == "PSI" || name == "THETA" || name == "PHI") && !ids.empty() && ids.size() <= 2)
    return angles_313(id(0), id(1))[name == "PSI" ? 0 : name == "THETA" ? 1 : 2];
  const bool axis = name.size() == 2 && name[1] >= 'X' && name[1] <= 'Z';
  if ((name.starts_with("ACC") || name.starts_with("WDT")) && name.size() == 4 && !ids.empty() && ids.size() <= 4 &&
      std::string_view("XYZM").find(name.back()) != std::string_view::npos)
    return acceleration(name, {id(0), id(1), id(2), id(3)}, why_not);
  const auto component = [&](char last) { return static_cast<std::size_t>(last - 'X'); };
  const bool known = (axis || name == "DM" || name == "VR" || name == "VM" || name == "WM") &&
                     std::string_view("DVWA").find(name[0]) != std::string_view::npos;
  if (!known || ids.empty() || ids.size() > 4) {
    why_not = fmt::format("{} is not understood", name);
    return std::nullopt;
  }
  for (const int marker_id : ids)
    if (marker_id != 0) marker(marker_id);
  const double speed = units_.length / units_.time;
  if (name == "DM" || name == "VR") {
    const std::string one = id(1) == 0 ? "ground" : body_of(marker(id(1))), two = body_of(marker(id(0)));
    const std::string key = fmt::format("distance {} {}", id(1), id(0));
    TreeNode value = map_node(current_->where);
    TreeElement fields(value, current_->where);
    fields.words("distance", {one, two});
    const Vec3 p = id(1) == 0 ? Vec3(Vec3::Zero()) : marker(id(1)).frame.origin;
    fields.set("at", list_node({vector_node(tidy(p), current_->where),
                                vector_node(tidy(marker(id(0)).frame.origin), current_->where)},
                               current_->where));
    const std::string signal = signal_name(key, fmt::format("distance_{}_{}", id(0), id(1)), value);
    return name == "DM" ? over(signal, units_.length) : over(fmt::format("rate({})", signal), speed);
  }
  if (name[0] == 'A') return angle(id(0), id(1), name[1] - 'X');
  if (name[0] == 'D')
    return over(difference("position", id(0), id(1), id(2), false)[component(name[1])], units_.length);
  if (name[0] == 'W') {
    const auto all = difference("angular_velocity", id(0), id(1), id(2), false);
    return over(name == "WM" ? root_of_squares(all) : all[component(name[1])], 1 / units_.time);
  }
  // Velocities as an observer in l sees them.
  const int l = name == "VM" ? id(2) : id(3), k = name == "VM" ? l : id(2);
  const bool moving = !is_still(l);
  if (moving && (is_still(k) || body_of(marker(k)) != body_of(marker(l)))) {
    why_not = fmt::format("{} seen from one part and told in the axes of another is not understood", name);
    return std::nullopt;
  }
  const auto all = difference(moving ? "position" : "velocity", id(0), id(1), k, moving);
  return over(name == "VM" ? root_of_squares(all) : all[component(name[1])], speed);
}

}  // namespace cardan
