// Couplers of two joint coordinates.
#include <fmt/format.h>

#include <cmath>

#include "mechanism/resolver.hpp"

namespace cardan {

void Resolver::resolve_couplers() {
  for (const CouplerSpec& spec : spec_.couplers) {
    Coupler coupler;
    coupler.name = spec.name.value;
    coupler.where = spec.name.where;
    coupler.ratio = spec.ratio.value;
    result_.couplers.push_back(coupler);
    if (spec.incomplete) continue;
    const std::string element = element_label("coupler", spec.name.value);
    if (!std::isfinite(coupler.ratio) || coupler.ratio == 0) {
      problems_.error(first_known(spec.ratio.where, coupler.where), element,
                      fmt::format("the {} is {}", spec.rack ? "radius" : "ratio", coupler.ratio),
                      "give another than 0");
      continue;
    }
    const auto find = [&](const Name& name, const std::optional<Located<int>>& asked, CoordinateSort sort, int& joint,
                          int& coordinate) {
      const auto found = find_joint(name, element);
      if (!found || spec_.joints[static_cast<std::size_t>(*found)].incomplete) return false;
      const auto which = find_coordinate(*found, asked, sort, element, first_known(name.where, coupler.where),
                                         "a rack takes an angle, then a translation; use 'gear' for others");
      joint = *found;
      coordinate = which.value_or(0);
      return which.has_value();
    };
    const bool first = find(spec.joint1, spec.coordinate1, spec.rack ? CoordinateSort::angle : CoordinateSort::any,
                            coupler.joint1, coupler.coordinate1);
    const bool second =
        find(spec.joint2, spec.coordinate2, spec.rack ? CoordinateSort::translation : CoordinateSort::any,
             coupler.joint2, coupler.coordinate2);
    if (!first || !second) continue;
    if (coupler.joint1 == coupler.joint2 && coupler.coordinate1 == coupler.coordinate2) {
      problems_.error(first_known(spec.joint2.where, coupler.where), element,
                      "both ends are the same coordinate of one joint", "name two joints");
      continue;
    }
    result_.couplers.back() = coupler;
  }
}

}  // namespace cardan
