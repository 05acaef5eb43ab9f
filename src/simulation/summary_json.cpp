// RunSummary as JSON. The keys are a promise to programs that read summary.json: more may follow, none goes.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cardan/simulation.hpp"

namespace cardan {
namespace {

using Json = nlohmann::ordered_json;

/// JSON knows no NaN and no infinity: they become null, and a warning says where.
class Numbers {
 public:
  Json operator()(const char* key, double value) {
    if (std::isfinite(value)) return value;
    warnings_.push_back(std::string(key) + " is " + (std::isnan(value) ? "not a number" : "infinite") +
                        ", written as null");
    return nullptr;
  }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::vector<std::string> warnings_;
};

Json worst(Numbers& number, const char* key, const ConstraintViolation& violation) {
  Json json;
  json["time"] = number(key, violation.time);
  json["constraint"] = violation.constraint;
  return json;
}

}  // namespace

const char* status_name(RunStatus status) {
  switch (status) {
    case RunStatus::ok:
      return "ok";
    case RunStatus::failed:
      return "failed";
    case RunStatus::interrupted:
      return "interrupted";
  }
  return "";
}

/// Key after key, in the order of docs/output.md.
std::string RunSummary::json() const {
  Numbers number;
  Json json;
  json["status"] = status_name(status);
  json["reason"] = reason;
  json["model"] = model;
  json["formulation"] = {{"asked", formulation_asked}, {"used", formulation_used}};
  if (!formulation_because.empty()) json["formulation"]["because"] = formulation_because;
  json["integrator"] = {{"asked", integrator_asked}, {"used", integrator_used}};
  if (!integrator_because.empty()) json["integrator"]["because"] = integrator_because;
  for (const MethodTrial& trial : trials) {
    json["integrator"]["trials"].push_back({{"formulation", trial.formulation},
                                            {"integrator", trial.integrator},
                                            {"tolerance", trial.tolerance},
                                            {"error", trial.error < 0 ? Json(nullptr) : Json(trial.error)},
                                            {"work", trial.work},
                                            {"cpu_seconds", trial.cpu_seconds}});
  }
  json["treatment"] = treatment_used;
  json["solver"] = {{"asked", solver_asked}, {"used", solver_used}};
  json["start"] = start;
  json["step"] = number("step", step);
  json["duration"] = number("duration", duration);
  json["step_control"] = step_control_used;
  json["step_smallest"] = number("step_smallest", step_smallest);
  json["step_largest"] = number("step_largest", step_largest);
  json["evaluations"] = evaluations;
  json["steps"] = steps;
  json["rejected_steps"] = rejected_steps;
  json["iterations"] = iterations;
  json["factorizations"] = factorizations;
  json["stagnated_steps"] = stagnated_steps;
  json["repartitions"] = repartitions;
  json["cpu_seconds"] = number("cpu_seconds", cpu_seconds);
  json["real_time_factor"] = number("real_time_factor", real_time_factor);

  Json& energy = json["energy"];
  energy["initial"] = number("energy.initial", energy_initial);
  energy["final"] = number("energy.final", energy_final);
  energy["max_error"] = number("energy.max_error", energy_max_error);
  energy["max_error_time"] = number("energy.max_error_time", energy_max_error_time);

  Json& error = json["error"];  // nulls: not estimated
  const bool estimated = error_estimate >= 0;
  error["estimate"] = estimated ? number("error.estimate", error_estimate) : Json(nullptr);
  error["body"] = estimated ? Json(error_body) : Json(nullptr);
  error["time"] = estimated ? number("error.time", error_time) : Json(nullptr);
  error["step"] = estimated && error_step > 0 ? number("error.step", error_step) : Json(nullptr);
  error["tolerances"] =
      estimated && error_tolerances > 0 ? number("error.tolerances", error_tolerances) : Json(nullptr);

  Json& violation = json["constraint_violation"];
  violation["position"] = number("constraint_violation.position", position.value);
  violation["velocity"] = number("constraint_violation.velocity", velocity.value);
  violation["acceleration"] = number("constraint_violation.acceleration", acceleration.value);
  Json& where = json["constraint_violation_worst"];
  where["position"] = worst(number, "constraint_violation_worst.position.time", position);
  where["velocity"] = worst(number, "constraint_violation_worst.velocity.time", velocity);
  where["acceleration"] = worst(number, "constraint_violation_worst.acceleration.time", acceleration);

  json["coordinates"] = coordinates;
  json["constraints"] = constraints;
  json["redundant_constraints"] = redundant_constraints;
  json["redundant"] = redundant;
  json["degrees_of_freedom"] = degrees_of_freedom;
  json["velocity_degrees_of_freedom"] = velocity_degrees_of_freedom;
  json["driven"] = driven;
  json["events"] = Json::array();
  for (const EventSummary& event : events) {
    json["events"].push_back({{"name", event.name},
                              {"time", number("events.time", event.time)},
                              {"energy", number("events.energy", event.energy)},
                              {"constraints", event.constraints},
                              {"redundant_constraints", event.redundant_constraints},
                              {"degrees_of_freedom", event.degrees_of_freedom},
                              {"velocity_degrees_of_freedom", event.velocity_degrees_of_freedom},
                              {"driven", event.driven}});
    if (!event.condition.empty()) json["events"].back()["condition"] = event.condition;
  }
  json["event_count"] = event_count;
  json["allocations"] = allocations < 0 ? Json(nullptr) : Json(allocations);  // null: not counted in this program
  Json& penalty = json["penalty"];
  penalty["smallest"] = number("penalty.smallest", penalty_smallest);
  penalty["largest"] = number("penalty.largest", penalty_largest);
  json["tolerance"] = tolerance_used == 0 ? Json("automatic") : number("tolerance", tolerance_used);

  json["warnings"] = warnings;
  for (const std::string& warning : number.warnings()) json["warnings"].push_back(warning);
  // Names come from files and may not be valid UTF-8; the output must be.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cardan
