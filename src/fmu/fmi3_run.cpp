// An FMU of version 3.0 under way.
#include "fmi3.h"
#include "fmu/fmu_run.hpp"

namespace cardan {
namespace {

void take_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String, fmi3String message) {
  if (environment == nullptr || message == nullptr || status == fmi3OK) return;
  *static_cast<std::string*>(environment) = message;
}

bool good(fmi3Status status) { return status == fmi3OK || status == fmi3Warning; }

class Fmi3Run : public FmuRun {
 public:
  Fmi3Run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables, const std::string& name)
      : FmuRun(std::move(fmu), variables, name) {
    find(instantiate_, "fmi3InstantiateCoSimulation"), find(free_, "fmi3FreeInstance");
    find(enter_, "fmi3EnterInitializationMode"), find(leave_, "fmi3ExitInitializationMode"), find(step_, "fmi3DoStep");
    find(set_float_, "fmi3SetFloat64"), find(get_float_, "fmi3GetFloat64"), find(set_integer_, "fmi3SetInt32");
    find(get_integer_, "fmi3GetInt32"), find(set_boolean_, "fmi3SetBoolean"), find(get_boolean_, "fmi3GetBoolean");
    if (can_save()) {
      find(get_state_, "fmi3GetFMUState"), find(set_state_, "fmi3SetFMUState"), find(free_state_, "fmi3FreeFMUState");
      find(size_, "fmi3SerializedFMUStateSize"), find(serialize_, "fmi3SerializeFMUState");
      find(deserialize_, "fmi3DeserializeFMUState");
    }
    make();
  }
  ~Fmi3Run() override { free_(instance_); }

  bool reset() override {
    free_(instance_);
    instance_ = nullptr;
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

  bool write_state(std::vector<std::uint8_t>& bytes) override {
    fmi3FMUState state = nullptr;
    std::size_t size = 0;
    if (!good(get_state_(instance_, &state))) return false;
    bool done = good(size_(instance_, state, &size));
    bytes.resize(size);
    done = done && good(serialize_(instance_, state, bytes.data(), size));
    return good(free_state_(instance_, &state)) && done;
  }
  bool read_state(const std::vector<std::uint8_t>& bytes) override {
    fmi3FMUState state = nullptr;
    if (!good(deserialize_(instance_, bytes.data(), bytes.size(), &state))) return false;
    const bool done = good(set_state_(instance_, state));
    return good(free_state_(instance_, &state)) && done;
  }

 private:
  void make() {
    const std::string path = (fmu_->folder() / "resources").string() + "/";
    instance_ = instantiate_(name_.c_str(), description().token.c_str(), path.c_str(), false, false, false, false,
                             nullptr, 0, &log_, take_message, nullptr);
    if (instance_ == nullptr) throw std::runtime_error("it cannot be instantiated" + (log_.empty() ? "" : ": " + log_));
  }

  fmi3Instance instance_ = nullptr;
  double start_ = 0;
  decltype(&fmi3InstantiateCoSimulation) instantiate_ = nullptr;
  decltype(&fmi3FreeInstance) free_ = nullptr;
  decltype(&fmi3EnterInitializationMode) enter_ = nullptr;
  decltype(&fmi3ExitInitializationMode) leave_ = nullptr;
  decltype(&fmi3DoStep) step_ = nullptr;
  decltype(&fmi3SetFloat64) set_float_ = nullptr;
  decltype(&fmi3GetFloat64) get_float_ = nullptr;
  decltype(&fmi3SetInt32) set_integer_ = nullptr;
  decltype(&fmi3GetInt32) get_integer_ = nullptr;
  decltype(&fmi3SetBoolean) set_boolean_ = nullptr;
  decltype(&fmi3GetBoolean) get_boolean_ = nullptr;
  decltype(&fmi3GetFMUState) get_state_ = nullptr;
  decltype(&fmi3SetFMUState) set_state_ = nullptr;
  decltype(&fmi3FreeFMUState) free_state_ = nullptr;
  decltype(&fmi3SerializedFMUStateSize) size_ = nullptr;
  decltype(&fmi3SerializeFMUState) serialize_ = nullptr;
  decltype(&fmi3DeserializeFMUState) deserialize_ = nullptr;
};

}  // namespace

std::unique_ptr<CompanionRun> make_fmi3_run(std::shared_ptr<const UnpackedFmu> fmu, const FmuVariables& variables,
                                            const std::string& name) {
  return std::make_unique<Fmi3Run>(std::move(fmu), variables, name);
}

}  // namespace cardan
