// Forces and torques whose direction, or whose reaction, moves with other parts, told in inertial axes. With R the axes
// of the part of RM, A the marker's axes in these and f its components,
//     F = R A f,
// where a column of R is the way between two markers of the part that are drawn 1 m apart. The marker of the reaction
// stays on the I marker wherever that goes: on its part -F acts at the point c that I was drawn at, with -(p_I - c) x
// F.
#include <fmt/format.h>

#include "io/adams/adams_model.hpp"

namespace cardan {

std::string multiple(double factor, const std::string& text) {
  double value = 0;
  if (parse_adams_number(text, value)) return number_text(tidy(factor * value));
  if (factor == 1) return text;
  return factor == -1 ? fmt::format("-({})", text) : fmt::format("{}*({})", number_text(factor), text);
}

std::array<std::string, 3> turned_by(const Mat3& matrix, const std::array<std::string, 3>& components) {
  std::array<std::string, 3> result;
  for (int row = 0; row < 3; ++row) {
    std::string text;
    for (int k = 0; k < 3; ++k) {
      const double factor = tidy(matrix(row, k));
      const std::string& c = components[static_cast<std::size_t>(k)];
      if (factor == 0 || c == "0") continue;
      text += (text.empty() ? "" : " + ") + multiple(factor, c);
    }
    result[static_cast<std::size_t>(row)] = text.empty() ? "0" : text;
  }
  return result;
}

TreeNode words_node(const std::array<std::string, 3>& words, const SourceLocation& where) {
  return list_node({word_node(words[0], where), word_node(words[1], where), word_node(words[2], where)}, where);
}

/// At the origin of a part's own axes (`axis` 3), or 1 m along one of them.
std::string AdamsModel::direction_marker(int part, int axis) {
  auto [found, is_new] = direction_markers_.emplace(std::pair(part, axis), "");
  if (!is_new) return found->second;
  const AdamsPart& on = parts_.at(part);
  static constexpr const char* kEnds[] = {"_x", "_y", "_z", "_origin"};
  found->second = names_.take(on.body + kEnds[axis], "marker");
  Vec3 place = on.frame.origin;
  if (axis < 3) place += on.frame.axes.col(axis);
  model_.add("markers", found->second, current_->where, "for directions").word("body", on.body).vector("at", place);
  return found->second;
}

std::array<std::string, 3> AdamsModel::in_space(const AdamsMarker& reference,
                                                const std::array<std::string, 3>& components) {
  if (reference.part == 0 || body_of(reference) == "ground") return turned_by(reference.frame.axes, components);
  const Mat3 axes = parts_.at(reference.part).frame.axes.transpose() * reference.frame.axes;
  const std::array<std::string, 3> own = turned_by(axes, components);
  std::array<std::string, 3> result;
  for (std::size_t k = 0; k < 3; ++k) {
    if (own[k] == "0") continue;
    const std::string tip = direction_marker(reference.part, static_cast<int>(k)),
                      origin = direction_marker(reference.part, 3);
    double constant = 0;
    const bool atom = own[k].find_first_of(" +-*/^?") == std::string::npos || parse_adams_number(own[k], constant);
    const std::string size = atom ? own[k] : shared(own[k]);
    for (std::size_t row = 0; row < 3; ++row) {
      const char letter = "xyz"[row];
      result[row] += fmt::format("{}({}.{} - {}.{}){}", result[row].empty() ? "" : " + ", tip, letter, origin, letter,
                                 size == "1"           ? ""
                                 : size.front() == '-' ? "*(" + size + ")"
                                                       : "*" + size);
    }
  }
  for (std::string& text : result)
    if (text.empty()) text = "0";
  return result;
}

void AdamsModel::add_in_space(const Statement& s, bool torque, std::array<std::string, 3> components,
                              const AdamsMarker* reaction) {
  int id = 0;
  const AdamsMarker& i = marker_of(s, "I", &id);
  for (std::string& text : components)
    if (text.find_first_of(" *(") != std::string::npos) text = shared(text);
  const auto opposite = turned_by(-Mat3::Identity(), components);
  const auto load = [&](const char* kind, const std::string& body, const std::array<std::string, 3>& values) {
    TreeElement added = model_.add("loads", name_of(s), s.where, s.label());
    added.word(kind, body);
    if (std::string_view(kind) == "force") added.vector("at", i.frame.origin);
    added.set("components", words_node(values, s.where));
  };
  const char* kind = torque ? "torque" : "force";
  if (body_of(i) != "ground") load(kind, body_of(i), components);
  if (reaction == nullptr || body_of(*reaction) == "ground") return;
  load(kind, body_of(*reaction), opposite);
  if (torque) return;
  const std::string at = names_.take(body_of(*reaction) + "_reaction", "marker"), goes = marker_name(id);
  model_.add("markers", at, s.where, "where the reaction was drawn")
      .word("body", body_of(*reaction))
      .vector("at", i.frame.origin);
  std::array<std::string, 3> moment;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
    const char a = "xyz"[u], b = "xyz"[v];
    const std::string &fu = components[u], &fv = components[v];
    if (fv != "0") moment[k] = fmt::format("-({}.{} - {}.{})*({})", goes, a, at, a, fv);
    if (fu != "0")
      moment[k] += fmt::format("{}({}.{} - {}.{})*({})", moment[k].empty() ? "" : " + ", goes, b, at, b, fu);
    if (moment[k].empty()) moment[k] = "0";
  }
  load("torque", body_of(*reaction), moment);
}

}  // namespace cardan
