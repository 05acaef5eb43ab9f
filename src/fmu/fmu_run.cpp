#include "fmu/fmu_run.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace cardan {

FmuRun::FmuRun(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables, std::string name)
    : fmu_(std::move(fmu)), variables_(variables), name_(std::move(name)) {
  if (description().only_once && fmu_->runs() > 0)
    throw std::runtime_error(
        fmt::format("'{}' can be run only once at a time in a program; a run with an error estimate runs it twice: "
                    "--no-error-estimate",
                    description().model));
  std::string why_not;
  if (fmu_->library(why_not) == nullptr) throw std::runtime_error("its binary cannot be loaded: " + why_not);
  ++fmu_->runs();
}

FmuRun::~FmuRun() { --fmu_->runs(); }

void* FmuRun::symbol(const char* name) const {
  std::string why_not;
  void* found = dlsym(fmu_->library(why_not), name);
  if (found == nullptr) throw std::runtime_error(fmt::format("its binary has no function {}", name));
  return found;
}

bool FmuRun::complain(const std::string& during) {
  complaint_ = during + (log_.empty() ? " did not succeed" : ": " + log_);
  return false;
}

/// Parameters before the initialization, inputs within it.
bool FmuRun::start(double t, const double* inputs, double* outputs) {
  log_.clear();
  for (const auto& [variable, value] : variables_.parameters)
    if (!set(variable, value)) return complain(fmt::format("setting parameter '{}' to {}", variable.name, value));
  if (!begin(t) || !enter()) return complain("its initialization");
  for (std::size_t i = 0; i < variables_.inputs.size(); ++i)
    if (!set(variables_.inputs[i], inputs[i]))
      return complain(fmt::format("setting input '{}'", variables_.inputs[i].name));
  if (!leave()) return complain("its initialization");
  return exchange(inputs, outputs);
}

bool FmuRun::step(double t, double h, const double* inputs, double* outputs) {
  log_.clear();
  if (!do_step(t, h)) return complain(fmt::format("its step from {} s over {} s", t, h));
  return exchange(inputs, outputs);
}

bool FmuRun::exchange(const double* inputs, double* outputs) {
  for (std::size_t i = 0; i < variables_.inputs.size(); ++i)
    if (!set(variables_.inputs[i], inputs[i]))
      return complain(fmt::format("setting input '{}'", variables_.inputs[i].name));
  for (std::size_t i = 0; i < variables_.outputs.size(); ++i)
    if (!get(variables_.outputs[i], outputs[i]))
      return complain(fmt::format("getting output '{}'", variables_.outputs[i].name));
  return true;
}

bool FmuRun::can_save() const { return description().can_save && description().can_serialize; }

bool FmuRun::save(std::vector<std::uint8_t>& bytes) {
  log_.clear();
  return (can_save() && write_state(bytes)) || complain("saving its state");
}

bool FmuRun::restore(const std::vector<std::uint8_t>& bytes) {
  log_.clear();
  return (can_save() && read_state(bytes)) || complain("restoring its state");
}

}  // namespace cardan
