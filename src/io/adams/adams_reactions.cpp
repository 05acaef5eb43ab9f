// Forces of elements, as functions ask for them: JOINT(id, jflag, component, rm), SFORCE(...), FX(i, j, rm), ... All
// that a statement does is one wrench: on the part of its I marker, at that marker, in inertial axes and SI units.
#include <fmt/format.h>

#include "io/adams/adams_model.hpp"

namespace cardan {

namespace {

using Texts = std::array<std::string, 3>;

const Texts kNone{"0", "0", "0"};

bool is_zero(const Texts& c) { return c == kNone; }

std::string in_brackets(const std::string& text) {
  return text.find_first_of(" +-*/^?") == std::string::npos ? text : "(" + text + ")";
}

std::string added(const std::string& a, const std::string& b) {
  if (a == "0") return b;
  return b == "0" ? a : fmt::format("{} + {}", a, b);
}

std::string product(const std::string& a, const std::string& b) {
  if (a == "0" || b == "0") return "0";
  if (a == "1" || b == "1") return a == "1" ? b : a;
  return fmt::format("{}*{}", in_brackets(a), in_brackets(b));
}

std::string dot(const Texts& a, const Texts& b) {
  return added(added(product(a[0], b[0]), product(a[1], b[1])), product(a[2], b[2]));
}

Texts cross(const Texts& a, const Texts& b) {
  Texts c;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
    c[k] = added(product(a[u], b[v]), product("-1", product(a[v], b[u])));
  }
  return c;
}

/// As long as it is there, the forces of a statement are being written.
struct Asked {
  std::set<const AdamsStatement*>& all;
  const AdamsStatement* one;
  ~Asked() { all.erase(one); }
};

/// What functions of forces are called, and the statements that they are of.
constexpr std::pair<std::string_view, std::string_view> kFunctions[] = {
    {"JOINT", "JOINT"},       {"JPRIM", "JPRIM"},   {"MOTION", "MOTION"}, {"SFORCE", "SFORCE"},   {"BUSH", "BUSHING"},
    {"BUSHING", "BUSHING"},   {"VFORCE", "VFORCE"}, {"VTORQ", "VTORQUE"}, {"VTORQUE", "VTORQUE"}, {"GFORCE", "GFORCE"},
    {"SPDP", "SPRINGDAMPER"}, {"BEAM", "BEAM"},     {"FIELD", "FIELD"}};

}  // namespace

void AdamsModel::remember(const Statement& s, const std::string& name) { made_[&s].push_back(name); }

std::string AdamsModel::translated(const std::string& text, double unit) {
  std::string why_not;
  const auto law = translate_adams_expression(text, *this, why_not);
  if (!law) refuse(why_not);
  return multiple(unit, *law);
}

AdamsWrench AdamsModel::wrench_on_i(const Statement& s) {
  AdamsWrench wrench{kNone, kNone};
  if (!asked_.insert(&s).second) refuse(fmt::format("{} follows itself", s.label()));
  const Asked asked{asked_, &s};
  const std::vector<std::string>& names = made_[&s];
  const bool by_name = s.keyword == "JOINT" || s.keyword == "JPRIM" || s.keyword == "MOTION";
  if (by_name && names.empty()) refuse(fmt::format("{} is not there", s.label()));
  if (s.keyword == "JOINT" || s.keyword == "JPRIM") {
    for (const std::string& name : names)
      for (std::size_t k = 0; k < 3; ++k) {
        wrench.force[k] = added(wrench.force[k], fmt::format("{}.inertial_f{}", name, "xyz"[k]));
        wrench.torque[k] = added(wrench.torque[k], fmt::format("{}.inertial_m{}", name, "xyz"[k]));
      }
  } else if (s.keyword == "MOTION") {
    const auto id = identifier(s, "JOINT");
    if (!id) refuse("forces of motions between markers are not understood");
    const AdamsJoint& joint = joint_of(*id);
    const bool turns = s.has("ROTATIONAL") || (!s.has("TRANSLATIONAL") && coordinate(joint, true) == 1);
    (turns ? wrench.torque : wrench.force) = in_space(marker(joint.j), {"0", "0", names[0] + ".effort"});
  } else if (s.keyword == "SFORCE" || s.keyword == "SPRINGDAMPER") {
    single_wrench(s, wrench);
  } else {
    const bool elastic = s.keyword == "BEAM" || s.keyword == "FIELD" || s.keyword == "BUSHING";
    const Statement general = elastic ? elastic_force(s) : s;
    const auto rm = identifier(general, "RM");
    static const AdamsMarker origin{};
    const AdamsMarker& reference = rm && *rm != 0 ? marker(*rm) : origin;
    wrench = {in_space(reference, components(general, {"FX", "FY", "FZ"}, units_.force)),
              in_space(reference, components(general, {"TX", "TY", "TZ"}, units_.torque()))};
    if (s.keyword == "BUSHING" && !names.empty()) {
      const Texts pushed = in_space(reference, {names[0] + ".fx", names[0] + ".fy", names[0] + ".fz"});
      for (std::size_t k = 0; k < 3; ++k) wrench.force[k] = added(wrench.force[k], pushed[k]);
    }
  }
  return wrench;
}

// Along the line from J to I, or about z of J.
void AdamsModel::single_wrench(const Statement& s, AdamsWrench& wrench) {
  int i = 0, j = 0;
  marker_of(s, "I", &i);
  marker_of(s, "J", &j);
  const bool turns = s.has("ROTATIONAL");
  const double unit = turns ? units_.torque() : units_.force;
  std::string law;
  if (s.keyword == "SFORCE") {
    law = expression(s, "FUNCTION", unit);
  } else if (turns) {
    law = translated(fmt::format("-({})*WZ({},{},{}) - ({})*(AZ({},{}) - ({})) + ({})", number(s, "CT", 0), i, j, j,
                                 number(s, "KT", 0), i, j, number(s, "ANGLE", 0), number(s, "TORQUE", 0)),
                     unit);
  } else {
    law = translated(fmt::format("-({})*VR({},{}) - ({})*(DM({},{}) - ({})) + ({})", number(s, "C", 0), i, j,
                                 number(s, "K", 0), i, j, number(s, "LENGTH", 0), number(s, "FORCE", 0)),
                     unit);
  }
  if (turns || s.has("ACTIONONLY")) {
    (turns ? wrench.torque : wrench.force) = in_space(marker(j), {"0", "0", law});
    return;
  }
  const std::string length = translated(fmt::format("DM({},{})", i, j), units_.length);
  const std::string per_length = shared(fmt::format("{}/{}", in_brackets(law), in_brackets(length)));
  const auto way = difference("position", i, j, 0, false);
  for (std::size_t k = 0; k < 3; ++k) wrench.force[k] = product(per_length, way[k]);
}

// On the J side: the opposite, about the J marker.
AdamsWrench AdamsModel::wrench_on_j(const Statement& s) {
  AdamsWrench wrench = wrench_on_i(s);
  const auto i = identifier(s, "I"), j = identifier(s, "J");
  const bool together = s.keyword == "JOINT" && !s.has("TRANSLATIONAL") && !s.has("CYLINDRICAL") && !s.has("PLANAR");
  if (!together && i && j && !is_zero(wrench.force)) {
    const auto moment = cross(difference("position", *i, *j, 0, false), wrench.force);
    for (std::size_t k = 0; k < 3; ++k) wrench.torque[k] = added(wrench.torque[k], moment[k]);
  }
  for (Texts* side : {&wrench.force, &wrench.torque})
    for (std::string& text : *side) text = product("-1", text);
  return wrench;
}

std::array<std::string, 3> AdamsModel::seen_from(int rm, const std::array<std::string, 3>& vector) {
  if (rm == 0 || is_zero(vector)) return vector;
  const AdamsMarker& frame = marker(rm);
  if (body_of(frame) == "ground") return turned_by(frame.frame.axes.transpose(), vector);
  std::array<std::string, 3> result;
  for (std::size_t k = 0; k < 3; ++k) {
    Texts unit = kNone;
    unit[k] = "1";
    result[k] = dot(in_space(frame, unit), vector);
  }
  return result;
}

/// 1 the size, 2 to 4 along x, y and z.
std::string AdamsModel::component_of(const AdamsWrench& wrench, bool torque, int component, int rm) {
  auto all = seen_from(rm, torque ? wrench.torque : wrench.force);
  const double unit = torque ? units_.torque() : units_.force;
  std::string text =
      component == 1 ? fmt::format("sqrt({})", dot(all, all)) : all[static_cast<std::size_t>(component - 2)];
  return multiple(1 / unit, text);
}

std::optional<std::string> AdamsModel::force_of(const std::string& name, const std::vector<int>& ids) {
  const auto id = [&](std::size_t k) { return k < ids.size() ? ids[k] : 0; };
  for (const auto& [function, keyword] : kFunctions) {
    if (name != function) continue;
    if (ids.size() < 3 || ids.size() > 4 || id(1) > 1 || id(2) < 1 || id(2) > 8)
      refuse(fmt::format("{} takes an identifier, 0 or 1, a component from 1 to 8, and a marker", name));
    for (const Statement& s : dataset_.statements)
      if (s.keyword == keyword && s.id == id(0))
        return component_of(id(1) == 0 ? wrench_on_i(s) : wrench_on_j(s), id(2) > 4, (id(2) - 1) % 4 + 1, id(3));
    refuse(fmt::format("there is no {}/{}", keyword, id(0)));
  }
  const bool known =
      name.size() == 2 && (name[0] == 'F' || name[0] == 'T') && ((name[1] >= 'X' && name[1] <= 'Z') || name[1] == 'M');
  if (!known || ids.empty() || ids.size() > 3) return std::nullopt;
  AdamsWrench sum{kNone, kNone};
  bool any = false;
  for (const Statement& s : dataset_.statements) {
    const bool force =
        std::any_of(std::begin(kFunctions), std::end(kFunctions), [&](const auto& f) { return f.second == s.keyword; });
    if (!force || s.has("RACKPIN")) continue;
    const int i = identifier(s, "I").value_or(0), j = identifier(s, s.has("JFLOAT") ? "JFLOAT" : "J").value_or(0);
    const bool on_i = i == id(0) && j == id(1), on_j = i == id(1) && j == id(0);
    if (!on_i && !on_j) continue;
    const AdamsWrench one = on_i ? wrench_on_i(s) : wrench_on_j(s);
    for (std::size_t k = 0; k < 3; ++k) {
      sum.force[k] = added(sum.force[k], one.force[k]);
      sum.torque[k] = added(sum.torque[k], one.torque[k]);
    }
    any = true;
  }
  if (!any) refuse(fmt::format("no element acts between the markers {} and {}", id(0), id(1)));
  return component_of(sum, name[0] == 'T', name[1] == 'M' ? 1 : name[1] - 'X' + 2, id(2));
}

std::string AdamsModel::cosine(int i, std::size_t column, int j, std::size_t row) {
  const auto axis = [&](int id, std::size_t k) {
    Texts unit = kNone;
    unit[k] = "1";
    return id == 0 ? unit : in_space(marker(id), unit);
  };
  return dot(axis(j, row), axis(i, column));
}

/// psi, theta and phi of marker i as it is turned against j: R = Rz(psi) Rx(theta) Rz(phi). Where the z axes are
/// parallel, as in all that moves in a plane, only psi + phi (or psi - phi) is there to be told: it is psi, and phi is
/// 0.
std::array<std::string, 3> AdamsModel::angles_313(int i, int j) {
  const auto cosine = [&](std::size_t row, std::size_t column) { return this->cosine(i, column, j, row); };
  const std::string sine = fmt::format("sqrt(({})^2 + ({})^2)", cosine(0, 2), cosine(1, 2));
  const std::string apart = fmt::format("{} > 1e-7", sine);
  return {fmt::format("if({}, atan2({}, {}), atan2({}, {}))", apart, cosine(0, 2), product("-1", cosine(1, 2)),
                      cosine(1, 0), cosine(0, 0)),
          fmt::format("atan2({}, {})", sine, cosine(2, 2)),
          fmt::format("if({}, atan2({}, {}), 0)", apart, cosine(2, 0), cosine(2, 1))};
}

}  // namespace cardan
