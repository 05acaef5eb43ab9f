// An FMU of version 3.0 under way.
#include "fmi3.h"
#include "fmu/versioned_run.hpp"

namespace cardan {
namespace {

void take_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String, fmi3String message) {
  if (environment == nullptr || message == nullptr || status == fmi3OK) return;
  *static_cast<std::string*>(environment) = message;
}

class Fmi3Run final : public VersionedRun<fmi3Instance, fmi3Status, fmi3FMUState, fmi3Byte> {
 public:
  Fmi3Run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables, const std::string& name)
      : VersionedRun(std::move(fmu), variables, name) {
    find(instantiate_, "fmi3InstantiateCoSimulation"), find(free_, "fmi3FreeInstance");
    find(enter_, "fmi3EnterInitializationMode"), find(leave_, "fmi3ExitInitializationMode"), find(step_, "fmi3DoStep");
    find(set_float_, "fmi3SetFloat64"), find(get_float_, "fmi3GetFloat64"), find(set_integer_, "fmi3SetInt32");
    find(get_integer_, "fmi3GetInt32"), find(set_boolean_, "fmi3SetBoolean"), find(get_boolean_, "fmi3GetBoolean");
    find_states({"fmi3GetFMUState", "fmi3SetFMUState", "fmi3FreeFMUState", "fmi3SerializedFMUStateSize",
                 "fmi3SerializeFMUState", "fmi3DeserializeFMUState"});
    make();
  }
  ~Fmi3Run() override { end(); }

 protected:
  bool set(const FmuVariable& variable, double value) override {
    const auto whole = static_cast<fmi3Int32>(value);
    const fmi3Boolean flag = value != 0;
    switch (variable.type) {
      case FmuVariable::Type::integer:
        return good(set_integer_(instance_, &variable.reference, 1, &whole, 1));
      case FmuVariable::Type::boolean:
        return good(set_boolean_(instance_, &variable.reference, 1, &flag, 1));
      default:
        return good(set_float_(instance_, &variable.reference, 1, &value, 1));
    }
  }
  bool get(const FmuVariable& variable, double& value) override {
    fmi3Int32 whole = 0;
    fmi3Boolean flag = false;
    fmi3Status status = fmi3OK;
    switch (variable.type) {
      case FmuVariable::Type::integer:
        status = get_integer_(instance_, &variable.reference, 1, &whole, 1);
        value = whole;
        return good(status);
      case FmuVariable::Type::boolean:
        status = get_boolean_(instance_, &variable.reference, 1, &flag, 1);
        value = flag ? 1 : 0;
        return good(status);
      default:
        return good(get_float_(instance_, &variable.reference, 1, &value, 1));
    }
  }
  bool begin(double t) override {
    start_ = t;
    return true;
  }
  bool enter() override { return good(enter_(instance_, false, 0, start_, false, 0)); }
  bool leave() override { return good(leave_(instance_)); }
  bool do_step(double t, double h) override {
    fmi3Boolean event = false, terminate = false, early = false;
    fmi3Float64 reached = t;
    if (!good(step_(instance_, t, h, !can_save(), &event, &terminate, &early, &reached))) return false;
    if (terminate) log_ = "it has ended the simulation";
    return !terminate;
  }

 private:
  fmi3Instance instantiate() override {
    const std::string path = (fmu_->folder() / "resources").string() + "/";
    return instantiate_(name_.c_str(), description().token.c_str(), path.c_str(), false, false, false, false, nullptr,
                        0, &log_, take_message, nullptr);
  }

  double start_ = 0;
  decltype(&fmi3InstantiateCoSimulation) instantiate_ = nullptr;
  decltype(&fmi3EnterInitializationMode) enter_ = nullptr;
  decltype(&fmi3ExitInitializationMode) leave_ = nullptr;
  decltype(&fmi3DoStep) step_ = nullptr;
  decltype(&fmi3SetFloat64) set_float_ = nullptr;
  decltype(&fmi3GetFloat64) get_float_ = nullptr;
  decltype(&fmi3SetInt32) set_integer_ = nullptr;
  decltype(&fmi3GetInt32) get_integer_ = nullptr;
  decltype(&fmi3SetBoolean) set_boolean_ = nullptr;
  decltype(&fmi3GetBoolean) get_boolean_ = nullptr;
};

}  // namespace

std::unique_ptr<CompanionRun> make_fmi3_run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables,
                                            const std::string& name) {
  return std::make_unique<Fmi3Run>(std::move(fmu), variables, name);
}

}  // namespace cardan
