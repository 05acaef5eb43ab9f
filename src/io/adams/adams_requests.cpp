// Requests: what ADAMS writes down of a run, as signals. In SI units of markers' motion, in those of the dataset where
// functions say it.
#include <fmt/format.h>

#include "io/adams/adams_model.hpp"

namespace cardan {

// Of marker I against J, in the axes of RM: three components of the way, the velocity, the acceleration or the force on
// I, and as many of the turn, its rates or the torque.
void AdamsModel::add_request_of(const Statement& s, const std::string& quantity, const std::string& name) {
  const int i = identifier(s, "I").value_or(0), j = identifier(s, "J").value_or(0),
            rm = identifier(s, "RM").value_or(0);
  for (const int id : {i, j, rm})
    if (id != 0) marker(id);
  const auto add = [&](const std::string& end, const std::string& value) {
    model_.add("signals", names_.take(name + end, "signal"), word_node(value, s.where), s.label());
  };
  const auto three = [&](const std::string& end, const std::array<std::string, 3>& values) {
    for (std::size_t k = 0; k < 3; ++k) add(end + "xyz"[k], values[k]);
  };
  if (quantity == "DISPLACEMENT") {
    three("_", difference("position", i, j, rm, false));
    const auto angles = angles_313(i, j);
    add("_psi", angles[0]);
    add("_theta", angles[1]);
    add("_phi", angles[2]);
  } else if (quantity == "VELOCITY") {
    three("_v", difference("velocity", i, j, rm, false));
    three("_w", difference("angular_velocity", i, j, rm, false));
  } else if (quantity == "ACCELERATION") {
    three("_a", difference("acceleration", i, j, rm, false));
    three("_alpha", seen_from(rm, difference("angular_acceleration", i, j, 0, false)));
  } else {
    for (const char* component : {"FX", "FY", "FZ", "TX", "TY", "TZ"}) {
      const auto value = force_of(component, {i, j, rm});
      const double unit = component[0] == 'F' ? units_.force : units_.torque();
      add(fmt::format("_{}{}", component[0] == 'F' ? 'f' : 'm', "xyz"[component[1] - 'X']), multiple(unit, *value));
    }
  }
}

void AdamsModel::add_request(const Statement& s) {
  for (const AdamsArgument& argument : s.arguments) argument.used = true;  // titles, comments, names of columns
  const std::string name = name_of(s);
  bool any = false;
  for (int k = 1; k <= 8; ++k) {
    const std::string column = "F" + std::to_string(k);
    const AdamsArgument* function = s.find(column);
    if (function == nullptr || function->value.empty()) continue;
    any = true;
    try {
      const std::string value = expression(s, column, 1);
      model_.add("signals", names_.take(name + "_f" + std::to_string(k), "signal"), word_node(value, s.where),
                 s.label());
    } catch (const Refusal& refusal) {
      leave_out(function->where, s.label(), refusal);
    }
  }
  for (const char* quantity : {"DISPLACEMENT", "VELOCITY", "ACCELERATION", "FORCE"}) {
    if (!s.has(quantity) && !s.has(std::string(1, quantity[0]))) continue;
    add_request_of(s, quantity, name);
    any = true;
  }
  if (!any) refuse("such requests are not understood");
}

}  // namespace cardan
