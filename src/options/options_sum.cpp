#include "options/options_sum.hpp"

#include <string_view>
#include <type_traits>

#include "options/option_list.hpp"
#include "text/fingerprint.hpp"

namespace cardan {

double options_sum(const RunOptions& options) {
  Fingerprint sum;
  const auto add = [&sum]<class T>(const RunOption& option, const T& value) {
    sum.add(option.name);
    if constexpr (std::is_same_v<T, std::string>) {
      sum.add(value);
    } else if constexpr (requires { value.has_value(); }) {
      if (!value) return;
      if constexpr (std::is_same_v<T, std::optional<std::string>>) {
        sum.add(*value);
      } else {
        sum.add(static_cast<double>(*value));
      }
    } else if (std::string_view(option.name) != "until" && std::string_view(option.name) != "every") {
      sum.add(static_cast<double>(value));  // where a run ends does not matter to a step
    }
  };
  visit_options(add, options);
  return static_cast<double>(sum.sum() >> 12);
}

}  // namespace cardan
