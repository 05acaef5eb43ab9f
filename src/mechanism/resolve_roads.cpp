// Roads.
#include <fmt/format.h>

#include <cmath>

#include "mechanism/checks.hpp"
#include "mechanism/resolver.hpp"

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
  if (spec.profile.has_value() == spec.height.has_value()) {
    problems_.error(where, element, spec.profile ? "both 'profile' and 'height' are given" : "it has no shape",
                    spec.profile ? "give one of them" : "add 'profile: [[x, height], ...]' or 'height: FUNCTION of x'");
    return false;
  }
  return spec.profile ? take_profile(spec, element, road) : sample_height(spec, element, road);
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
