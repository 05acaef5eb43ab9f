#include "options/unknown_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/nearest_name.hpp"

namespace cardan {

std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return fmt::format("no {} is called '{}'{} Known: {}", kind, name,
                     nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest), fmt::join(known, ", "));
}

}  // namespace cardan
