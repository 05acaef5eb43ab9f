// An FMU of version 2.0 under way.
#include <cstdarg>
#include <cstdio>
#include <filesystem>

#include "fmi2.h"
#include "fmu/address.hpp"
#include "fmu/fmu_run.hpp"

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

bool good(fmi2Status status) { return status == fmi2OK || status == fmi2Warning; }

class Fmi2Run : public FmuRun {
 public:
  Fmi2Run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables, const std::string& name)
      : FmuRun(std::move(fmu), variables, name) {
    find(instantiate_, "fmi2Instantiate"), find(free_, "fmi2FreeInstance"), find(set_up_, "fmi2SetupExperiment");
    find(enter_, "fmi2EnterInitializationMode"), find(leave_, "fmi2ExitInitializationMode"), find(step_, "fmi2DoStep");
    find(set_real_, "fmi2SetReal"), find(get_real_, "fmi2GetReal"), find(set_integer_, "fmi2SetInteger");
    find(get_integer_, "fmi2GetInteger"), find(set_boolean_, "fmi2SetBoolean"), find(get_boolean_, "fmi2GetBoolean");
    if (can_save()) {
      find(get_state_, "fmi2GetFMUstate"), find(set_state_, "fmi2SetFMUstate"), find(free_state_, "fmi2FreeFMUstate");
      find(size_, "fmi2SerializedFMUstateSize"), find(serialize_, "fmi2SerializeFMUstate");
      find(deserialize_, "fmi2DeSerializeFMUstate");
    }
    make();
  }
  ~Fmi2Run() override { free_(component_); }

  bool reset() override {
    free_(component_);
    component_ = nullptr;
    try {
      make();
    } catch (const std::runtime_error& error) {
      log_ = error.what();
      return complain("starting it again");
    }
    return true;
  }

 protected:
  bool set(const FmuVariable& variable, double value) override {
    const int whole = static_cast<int>(value);
    switch (variable.type) {
      case FmuVariable::Type::integer:
        return good(set_integer_(component_, &variable.reference, 1, &whole));
      case FmuVariable::Type::boolean: {
        const fmi2Boolean flag = value != 0 ? fmi2True : fmi2False;
        return good(set_boolean_(component_, &variable.reference, 1, &flag));
      }
      default:
        return good(set_real_(component_, &variable.reference, 1, &value));
    }
  }
  bool get(const FmuVariable& variable, double& value) override {
    int whole = 0;
    if (variable.type == FmuVariable::Type::real) return good(get_real_(component_, &variable.reference, 1, &value));
    const bool is_integer = variable.type == FmuVariable::Type::integer;
    const fmi2Status status = is_integer ? get_integer_(component_, &variable.reference, 1, &whole)
                                         : get_boolean_(component_, &variable.reference, 1, &whole);
    value = is_integer ? whole : whole != 0 ? 1 : 0;
    return good(status);
  }
  bool begin(double t) override { return good(set_up_(component_, fmi2False, 0, t, fmi2False, 0)); }
  bool enter() override { return good(enter_(component_)); }
  bool leave() override { return good(leave_(component_)); }
  bool do_step(double t, double h) override { return good(step_(component_, t, h, can_save() ? fmi2False : fmi2True)); }

  bool write_state(std::vector<std::uint8_t>& bytes) override {
    fmi2FMUstate state = nullptr;
    std::size_t size = 0;
    if (!good(get_state_(component_, &state))) return false;
    bool done = good(size_(component_, state, &size));
    bytes.resize(size);
    done = done && good(serialize_(component_, state, reinterpret_cast<fmi2Byte*>(bytes.data()), size));
    return good(free_state_(component_, &state)) && done;
  }
  bool read_state(const std::vector<std::uint8_t>& bytes) override {
    fmi2FMUstate state = nullptr;
    if (!good(deserialize_(component_, reinterpret_cast<const fmi2Byte*>(bytes.data()), bytes.size(), &state)))
      return false;
    const bool done = good(set_state_(component_, state));
    return good(free_state_(component_, &state)) && done;
  }

 private:
  void make() {
    const std::string address = address_of_path(fmu_->folder() / "resources");
    component_ = instantiate_(name_.c_str(), fmi2CoSimulation, description().token.c_str(), address.c_str(),
                              &callbacks_, fmi2False, fmi2False);
    if (component_ == nullptr)
      throw std::runtime_error("it cannot be instantiated" + (log_.empty() ? "" : ": " + log_));
  }

  const fmi2CallbackFunctions callbacks_{take_message, calloc, ::free, nullptr, &log_};
  fmi2Component component_ = nullptr;
  decltype(&fmi2Instantiate) instantiate_ = nullptr;
  decltype(&fmi2FreeInstance) free_ = nullptr;
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
  decltype(&fmi2GetFMUstate) get_state_ = nullptr;
  decltype(&fmi2SetFMUstate) set_state_ = nullptr;
  decltype(&fmi2FreeFMUstate) free_state_ = nullptr;
  decltype(&fmi2SerializedFMUstateSize) size_ = nullptr;
  decltype(&fmi2SerializeFMUstate) serialize_ = nullptr;
  decltype(&fmi2DeSerializeFMUstate) deserialize_ = nullptr;
};

}  // namespace

std::unique_ptr<CompanionRun> make_fmi2_run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables,
                                            const std::string& name) {
  return std::make_unique<Fmi2Run>(std::move(fmu), variables, name);
}

}  // namespace cardan
