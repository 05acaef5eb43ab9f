#include "export/tunable_parameters.hpp"

#include <algorithm>

#include "cardan/io.hpp"
#include "options/options_sum.hpp"
#include "system/fingerprint.hpp"

namespace cardan {
namespace {

struct ReadModel {
  explicit ReadModel(const FmuExport& request, const std::map<std::string, double>& parameters) {
    const Mechanism mechanism = read_mechanism(request.model, parameters, sources);
    RunOptions options = RunOptions::for_mechanism(mechanism);
    options.apply(request.options);
    run_sum = options_sum(options);
    whole = fingerprint(mechanism, "", {}, {});
    standing = standing_parts(mechanism);
  }
  ModelSources sources;
  double run_sum = 0;
  std::int64_t whole = 0;
  std::vector<StandingPart> standing;
};

bool changes_loads_alone(const ReadModel& before, const ReadModel& after) {
  const auto same = [](const StandingPart& a, const StandingPart& b) { return a.sum == b.sum; };
  return before.run_sum == after.run_sum && before.whole != after.whole &&
         std::equal(before.standing.begin(), before.standing.end(), after.standing.begin(), after.standing.end(), same);
}

}  // namespace

std::set<std::string> tunable_parameters(const FmuExport& request) {
  constexpr double kNudge = 0x1p-10;
  const ReadModel before(request, request.parameters);
  std::set<std::string> tunable;
  for (const ModelParameter& parameter : before.sources.parameters) {
    if (parameter.follows) continue;
    std::map<std::string, double> changed = request.parameters;
    changed[parameter.name] = parameter.value == 0 ? kNudge : parameter.value * (1 + kNudge);
    try {
      const ReadModel after(request, changed);
      if (!changes_loads_alone(before, after)) continue;
      for (std::size_t i = 0; i < before.sources.parameters.size(); ++i)
        if (before.sources.parameters[i].value != after.sources.parameters[i].value)
          tunable.insert(before.sources.parameters[i].name);
    } catch (const ModelError&) {
      continue;  // it may not change at all
    }
  }
  return tunable;
}

}  // namespace cardan
