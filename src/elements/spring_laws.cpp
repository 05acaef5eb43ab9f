#include "elements/spring_laws.hpp"

#include <fmt/format.h>

namespace cardan {

void SpringLaws::check(Lowering& to, double start) const {
  const auto refuse_both = [&](const auto& factor, const auto& given, const char* name, const std::string& law_name) {
    if (factor && given)
      to.error(given->where, fmt::format("both '{}' and '{}' are given", name, law_name), "give one of them");
  };
  refuse_both(stiffness, law, "stiffness", law_name);
  refuse_both(damping, damping_law, "damping", damping_law_name);
  if (!stiffness && !law && !damping && !damping_law)
    to.error({}, "the spring does nothing",
             fmt::format("add 'stiffness', 'damping', '{}' or '{}'", law_name, damping_law_name));
  to.check_law(law, start);
  to.check_law(damping_law, 0);
}

Function SpringLaws::chosen(const std::optional<Number>& factor, const std::optional<Located<Function>>& law) {
  return law ? law->value : factor ? Function::polynomial({0, factor->value}) : Function();
}

}  // namespace cardan
