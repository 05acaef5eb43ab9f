// An FMU of version 2.0 under way.
#include <cstdarg>
#include <cstdio>
#include <filesystem>

#include "fmi2.h"
#include "fmu/address.hpp"
#include "fmu/versioned_run.hpp"

namespace cardan {
namespace {

void take_message(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String, fmi2String message,
                  ...) {
  if (environment == nullptr || message == nullptr || status == fmi2OK) return;
  char text[2000];
  va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  *static_cast<std::string*>(environment) = text;
}

class Fmi2Run final : public VersionedRun<fmi2Component, fmi2Status, fmi2FMUstate, fmi2Byte> {
 public:
  Fmi2Run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables, const std::string& name)
      : VersionedRun(std::move(fmu), variables, name) {
    find(instantiate_, "fmi2Instantiate"), find(free_, "fmi2FreeInstance"), find(set_up_, "fmi2SetupExperiment");
    find(enter_, "fmi2EnterInitializationMode"), find(leave_, "fmi2ExitInitializationMode"), find(step_, "fmi2DoStep");
    find(set_real_, "fmi2SetReal"), find(get_real_, "fmi2GetReal"), find(set_integer_, "fmi2SetInteger");
    find(get_integer_, "fmi2GetInteger"), find(set_boolean_, "fmi2SetBoolean"), find(get_boolean_, "fmi2GetBoolean");
    find_states({"fmi2GetFMUstate", "fmi2SetFMUstate", "fmi2FreeFMUstate", "fmi2SerializedFMUstateSize",
                 "fmi2SerializeFMUstate", "fmi2DeSerializeFMUstate"});
    make();
  }
  ~Fmi2Run() override { end(); }

 protected:
  bool set(const FmuVariable& variable, double value) override {
    const int whole = static_cast<int>(value);
    switch (variable.type) {
      case FmuVariable::Type::integer:
        return good(set_integer_(instance_, &variable.reference, 1, &whole));
      case FmuVariable::Type::boolean: {
        const fmi2Boolean flag = value != 0 ? fmi2True : fmi2False;
        return good(set_boolean_(instance_, &variable.reference, 1, &flag));
      }
      default:
        return good(set_real_(instance_, &variable.reference, 1, &value));
    }
  }
  bool get(const FmuVariable& variable, double& value) override {
    int whole = 0;
    if (variable.type == FmuVariable::Type::real) return good(get_real_(instance_, &variable.reference, 1, &value));
    const bool is_integer = variable.type == FmuVariable::Type::integer;
    const fmi2Status status = is_integer ? get_integer_(instance_, &variable.reference, 1, &whole)
                                         : get_boolean_(instance_, &variable.reference, 1, &whole);
    value = is_integer ? whole : whole != 0 ? 1 : 0;
    return good(status);
  }
  bool begin(double t) override { return good(set_up_(instance_, fmi2False, 0, t, fmi2False, 0)); }
  bool enter() override { return good(enter_(instance_)); }
  bool leave() override { return good(leave_(instance_)); }
  bool do_step(double t, double h) override { return good(step_(instance_, t, h, can_save() ? fmi2False : fmi2True)); }

 private:
  fmi2Component instantiate() override {
    const std::string address = address_of_path(fmu_->folder() / "resources");
    return instantiate_(name_.c_str(), fmi2CoSimulation, description().token.c_str(), address.c_str(), &callbacks_,
                        fmi2False, fmi2False);
  }

  const fmi2CallbackFunctions callbacks_{take_message, calloc, ::free, nullptr, &log_};
  decltype(&fmi2Instantiate) instantiate_ = nullptr;
  decltype(&fmi2SetupExperiment) set_up_ = nullptr;
  decltype(&fmi2EnterInitializationMode) enter_ = nullptr;
  decltype(&fmi2ExitInitializationMode) leave_ = nullptr;
  decltype(&fmi2DoStep) step_ = nullptr;
  decltype(&fmi2SetReal) set_real_ = nullptr;
  decltype(&fmi2GetReal) get_real_ = nullptr;
  decltype(&fmi2SetInteger) set_integer_ = nullptr;
  decltype(&fmi2GetInteger) get_integer_ = nullptr;
  decltype(&fmi2SetBoolean) set_boolean_ = nullptr;
  decltype(&fmi2GetBoolean) get_boolean_ = nullptr;
};

}  // namespace

std::unique_ptr<CompanionRun> make_fmi2_run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables,
                                            const std::string& name) {
  return std::make_unique<Fmi2Run>(std::move(fmu), variables, name);
}

}  // namespace cardan
