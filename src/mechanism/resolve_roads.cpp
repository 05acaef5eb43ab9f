// Roads.
#include <fmt/format.h>

#include <cmath>

#include "mechanism/checks.hpp"
#include "mechanism/resolver.hpp"
#include "mechanism/trajectory_columns.hpp"

namespace cardan {

namespace {

constexpr double kDeviation = 1e-4;  // m
constexpr int kFirstPieces = 64;     // so that no bump is missed between two samples
constexpr std::size_t kMostPoints = 1000000;
constexpr int kDeepest = 40;  // halvings: a jump becomes a face this steep

enum class Divided { done, not_finite, too_many };

/// Divides [a, b] until the height at the quarter points is within `deviation` of the chord.
Divided divide(const Function& height, const Vec2& a, const Vec2& b, double deviation, int depth,
               std::vector<Vec2>& points) {
  if (!a.allFinite() || !b.allFinite()) return Divided::not_finite;
  double off = 0;
  for (const double share : {0.25, 0.5, 0.75}) {
    const Vec2 chord = a + share * (b - a);
    const double at = height(chord.x());
    if (!std::isfinite(at)) return Divided::not_finite;
    off = std::max(off, std::abs(at - chord.y()));
  }
  const Vec2 middle(0.5 * (a.x() + b.x()), height(0.5 * (a.x() + b.x())));
  if (points.size() >= kMostPoints) return Divided::too_many;
  if (off > deviation && depth < kDeepest) {
    const Divided first = divide(height, a, middle, deviation, depth + 1, points);
    return first == Divided::done ? divide(height, middle, b, deviation, depth + 1, points) : first;
  }
  points.push_back(b);
  return Divided::done;
}

}  // namespace

bool Resolver::resolve_road(const RoadSpec& spec, const std::string& element, Road& road) {
  const SourceLocation& where = spec.name.where;
  const bool flat = spec.plane.has_value(), grid = spec.grid.has_value();
  const int shapes = spec.profile.has_value() + spec.height.has_value() + flat + grid;
  if (shapes != 1) {
    problems_.error(where, element,
                    spec.profile && spec.height ? "both 'profile' and 'height' are given"
                    : shapes > 1                ? "it has more than one shape"
                                                : "it has no shape",
                    shapes > 1 ? "give one of them" : "add 'profile: [[x, height], ...]' or 'height: FUNCTION of x'");
    return false;
  }
  if (!flat && (spec.normal || spec.body)) {
    problems_.error(where, element, "'normal' and 'body' belong to 'plane'", "leave them out");
    return false;
  }
  if (flat || grid) return flat ? take_plane(spec, element, road) : take_grid(spec, element, road);
  return spec.profile ? take_profile(spec, element, road) : sample_height(spec, element, road);
}

bool Resolver::take_plane(const RoadSpec& spec, const std::string& element, Road& road) {
  road.sort = Road::Sort::plane;
  const auto at = find_place(*spec.plane, element);
  road.normal = spec_.planar ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitZ());
  const auto normal = spec.normal ? find_direction(*spec.normal, element, "normal") : std::optional(road.normal);
  const auto body = spec.body ? find_body(*spec.body, element) : std::optional(kGround);
  if (!at || !normal || !body) return false;
  road.origin = *at, road.normal = *normal, road.body = *body;
  return true;
}

bool Resolver::take_grid(const RoadSpec& spec, const std::string& element, Road& road) {
  road.sort = Road::Sort::grid;
  road.grid = spec.grid->value;
  const HeightMap& map = *road.grid;
  const SourceLocation& at = first_known(spec.grid->where, spec.name.where);
  const auto refuse = [&](const std::string& message, const char* remedy) {
    problems_.error(at, element, message, remedy);
    return false;
  };
  if (spec_.planar) return refuse("a planar model has no heights on a grid", "give 'profile', 'height' or 'plane'");
  if (map.rows < 2 || map.columns < 2)
    return refuse(fmt::format("the grid has {} row{} of {} heights", map.rows, map.rows == 1 ? "" : "s", map.columns),
                  "give two rows and two columns at least");
  if (map.height.size() != static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns))
    return refuse(fmt::format("{} heights do not fill {} rows of {}", map.height.size(), map.rows, map.columns), "");
  if (!(map.dx > 0) || !(map.dy > 0) || !std::isfinite(map.dx * map.dy + map.x0 + map.y0))
    return refuse(fmt::format("the spacing is {} and {} m", map.dx, map.dy), "give it greater than 0");
  for (const double height : map.height)
    if (!std::isfinite(height)) return refuse("a height is not a finite number", "");
  return true;
}

bool Resolver::is_sound_party(const Name& name, const std::string& element) {
  if (name.value == "ground") return true;
  std::vector<std::string> known;
  bool sound = true, found = false;
  const auto look = [&](const std::map<std::string, int>& elements, const std::vector<bool>& are_sound) {
    for (const auto& [other, index] : elements) {
      known.push_back(other);
      if (other != name.value && columns_like({other}, name.value).empty()) continue;
      found = true;
      sound = sound && are_sound[static_cast<std::size_t>(index)];
    }
  };
  look(bodies_, body_is_sound_);
  look(roads_, road_is_sound_);
  if (!found)
    problems_.error(name.where, element, fmt::format("no body or road is called '{}'", name.value),
                    suggestion(name.value, known, "there are"));
  return found && sound;
}

bool Resolver::take_profile(const RoadSpec& spec, const std::string& element, Road& road) {
  const SourceLocation &where = spec.name.where, &at = first_known(spec.profile->where, where);
  for (const auto& number : {spec.from, spec.to, spec.deviation}) {
    if (!number) continue;
    problems_.error(first_known(number->where, where), element,
                    "'from', 'to' and 'deviation' belong to 'height', not to 'profile'", "leave them out");
    return false;
  }
  for (const Vec2& point : spec.profile->value) {
    if (!point.allFinite()) {
      problems_.error(at, element, "a coordinate is not a finite number");
      return false;
    }
    if (!road.profile.empty() && point.x() < road.profile.back().x()) {
      report_backward_profile(problems_, at, element, road.profile.back().x(), point.x());
      return false;
    }
    if (road.profile.empty() || point != road.profile.back()) road.profile.push_back(point);
  }
  if (road.profile.size() < 2 || !(road.profile.back().x() > road.profile.front().x())) {
    problems_.error(at, element, "the profile has no length", "give at least two points");
    return false;
  }
  return true;
}

bool Resolver::sample_height(const RoadSpec& spec, const std::string& element, Road& road) {
  const SourceLocation& where = spec.name.where;
  if (!spec.from || !spec.to) {
    problems_.error(where, element, "it is not said from where to where the height is meant", "add 'from' and 'to', m");
    return false;
  }
  const double from = spec.from->value, to = spec.to->value;
  const double deviation = spec.deviation ? spec.deviation->value : kDeviation;
  if (!std::isfinite(from) || !std::isfinite(to) || !(to > from)) {
    problems_.error(first_known(spec.to->where, where), element, fmt::format("it reaches from {} to {} m", from, to),
                    "'to' must be greater than 'from'");
    return false;
  }
  if (!(deviation > 0) || !std::isfinite(deviation)) {
    problems_.error(first_known(spec.deviation ? spec.deviation->where : where, where), element,
                    fmt::format("the deviation is {}", deviation), "give it in m, greater than 0");
    return false;
  }
  const Function& height = spec.height->value;
  road.profile.emplace_back(from, height(from));
  for (int i = 0; i < kFirstPieces; ++i) {
    const double x = from + (to - from) * (i + 1) / kFirstPieces;
    const Divided divided = divide(height, Vec2(road.profile.back()), Vec2(x, height(x)), deviation, 0, road.profile);
    if (divided == Divided::done) continue;
    const double near = road.profile.back().x();
    problems_.error(
        first_known(spec.height->where, where), element,
        divided == Divided::not_finite
            ? fmt::format("the height has no finite value near x = {:.6g} m", near)
            : fmt::format("up to x = {:.6g} m it takes {} straight pieces to follow the height within {:g} m", near,
                          kMostPoints, deviation),
        divided == Divided::not_finite ? "give a function that has a value from 'from' to 'to'"
                                       : "make the road shorter, or 'deviation' larger");
    return false;
  }
  check_table_covers(*spec.height, from, to, element);
  return true;
}

/// Of a road that is given by a table, it is known before the run where the table ends.
void Resolver::check_table_covers(const Located<Function>& height, double from, double to, const std::string& element) {
  for (const double x : {from, to}) {
    const auto end = height.value.passed_end(x);
    if (!end) continue;
    const std::string message =
        fmt::format("its table reaches from {:.6g} to {:.6g} m, but the road from {:.6g} to {:.6g} m", end->low,
                    end->high, from, to);
    if (end->beyond == Function::Beyond::error) {
      problems_.error(height.where, element, message, "make the road shorter, or the table longer");
    } else {
      problems_.warning(height.where, element, message,
                        end->beyond == Function::Beyond::hold ? "it is level beyond" : "it goes straight on beyond");
    }
    return;
  }
}

void Resolver::resolve_roads() {
  for (const RoadSpec& spec : spec_.roads) {
    Road road;
    road.name = spec.name.value;
    road.where = spec.name.where;
    road_is_sound_.push_back(!noted(spec).incomplete && resolve_road(spec, element_label("road", road.name), road));
    result_.roads.push_back(std::move(road));
  }
}

std::optional<int> Resolver::find_road(const Name& name, const std::string& element, const SourceLocation& where) {
  if (const auto found = roads_.find(name.value); found != roads_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [road, unused] : roads_) known.push_back(road);
  problems_.error(first_known(name.where, where), element, fmt::format("no road is called '{}'", name.value),
                  known.empty() ? "add the section 'roads: {NAME: {profile: [[x, height], ...]}}'"
                                : suggestion(name.value, known, "the roads are"));
  return std::nullopt;
}

}  // namespace cardan
