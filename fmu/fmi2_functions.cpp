// FMI 2.0 for co-simulation. Which functions may be called when is the standard's table for slaves (section 4.2.4);
// what is called at another time is answered with fmi2Error and puts the instance in error.
#include <cstring>
#include <exception>

#include "fmi2.h"
#include "instance.hpp"

namespace {

using namespace cardan_fmu;

constexpr unsigned kAlways = kInstantiated | kInitialization | kStepping | kDiscarded | kTerminated | kError;
constexpr unsigned kReadable = kInitialization | kStepping | kDiscarded | kTerminated | kError;

/// The instance calls `act`, which answers true or a status, if it may.
template <class Act>
fmi2Status with(fmi2Component component, unsigned modes, const char* function, const Act& act) noexcept {
  auto* instance = static_cast<Instance*>(component);
  if (instance == nullptr) return fmi2Error;
  try {
    if (!instance->allows(modes, function)) return fmi2Error;
    return act(*instance) ? fmi2OK : fmi2Error;
  } catch (const std::exception& error) {
    try {
      instance->fail(error.what());
    } catch (...) {
    }
    return fmi2Error;
  }
}

/// As a format of printf that asks for no arguments: importers that show formats as they are show the message.
std::string as_format(const char* message) {
  std::string format;
  for (const char* c = message; *c != '\0'; ++c) format.append(*c == '%' ? 2 : 1, *c);
  return format;
}

/// The callbacks are copied: not every importer keeps their struct.
Instance::Log log_of(const fmi2CallbackFunctions* given, const char* name) {
  return
      [logger = given == nullptr ? nullptr : given->logger,
       environment = given == nullptr ? nullptr : given->componentEnvironment,
       name = std::string(name == nullptr ? "" : name)](Severity severity, const char* category, const char* message) {
        if (logger == nullptr) return;
        const fmi2Status status = severity == Severity::error     ? fmi2Error
                                  : severity == Severity::warning ? fmi2Warning
                                                                  : fmi2OK;
        logger(environment, name.c_str(), status, category, as_format(message).c_str(), message);
      };
}

/// Of variables that this FMU has none of.
fmi2Status none(fmi2Component component, unsigned modes, const char* function, std::size_t count) {
  return with(component, modes, function, [&](Instance& i) {
    return count == 0 || i.fail(std::string(function) + ": this FMU has real variables only");
  });
}

constexpr unsigned kSettable = kInstantiated | kInitialization | kStepping;
constexpr unsigned kHasStepped = kStepping | kDiscarded | kTerminated;

/// What is asked about a step is told where it can be; what only steps that are pending have is no error to ask for.
fmi2Status no_status(fmi2Component component, const char* function) {
  const fmi2Status allowed = with(component, kHasStepped, function, [](Instance&) { return true; });
  return allowed == fmi2OK ? fmi2Discard : allowed;
}

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t count, const fmi2String categories[]) {
  return with(component, kAlways, "fmi2SetDebugLogging", [&](Instance& i) {
    bool events = count == 0;
    for (size_t k = 0; k < count; ++k) {
      if (categories == nullptr || categories[k] == nullptr) return i.fail("a category is NULL");
      events = events || std::strcmp(categories[k], "logEvents") == 0 || std::strcmp(categories[k], "logAll") == 0;
    }
    i.log_events(on != fmi2False && events);
    return true;
  });
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean logging) {
  try {
    const Instance::Log log = log_of(functions, name);
    if (type != fmi2CoSimulation) {
      log(Severity::error, "logStatusError", "this FMU is for co-simulation");
      return nullptr;
    }
    if (resources == nullptr) {
      log(Severity::error, "logStatusError", "fmi2Instantiate: the location of the resources is NULL");
      return nullptr;
    }
    auto instance = Instance::create(name, guid, path_of_address(resources), log);
    if (instance) instance->log_events(logging != fmi2False);
    return instance.release();
  } catch (...) {
    return nullptr;
  }
}

void fmi2FreeInstance(fmi2Component component) { delete static_cast<Instance*>(component); }

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean stop_defined,
                               fmi2Real stop) {
  return with(component, kInstantiated, "fmi2SetupExperiment",
              [&](Instance& i) { return i.set_up(start, stop_defined != fmi2False, stop); });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
  return with(component, kInstantiated, "fmi2EnterInitializationMode", [](Instance& i) {
    if (!i.is_set_up()) return i.fail("fmi2SetupExperiment must be called before fmi2EnterInitializationMode");
    return i.enter_initialization();
  });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
  return with(component, kInitialization, "fmi2ExitInitializationMode",
              [](Instance& i) { return i.exit_initialization(); });
}

fmi2Status fmi2Terminate(fmi2Component component) {
  return with(component, kStepping | kDiscarded, "fmi2Terminate", [](Instance& i) { return i.terminate(); });
}

fmi2Status fmi2Reset(fmi2Component component) {
  return with(component, kAlways, "fmi2Reset", [](Instance& i) { return i.reset(); });
}

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       fmi2Real values[]) {
  return with(component, kReadable, "fmi2GetReal", [&](Instance& i) { return i.get(references, count, values); });
}
fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[]) {
  return with(component, kSettable, "fmi2SetReal", [&](Instance& i) { return i.set(references, count, values); });
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference[], size_t count, fmi2Integer[]) {
  return none(c, kReadable, "fmi2GetInteger", count);
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t count, fmi2Boolean[]) {
  return none(c, kReadable, "fmi2GetBoolean", count);
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t count, fmi2String[]) {
  return none(c, kReadable, "fmi2GetString", count);
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference[], size_t count, const fmi2Integer[]) {
  return none(c, kSettable, "fmi2SetInteger", count);
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t count, const fmi2Boolean[]) {
  return none(c, kSettable, "fmi2SetBoolean", count);
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t count, const fmi2String[]) {
  return none(c, kSettable, "fmi2SetString", count);
}

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* state) {
  return with(component, kAlways, "fmi2GetFMUstate", [&](Instance& i) {
    if (state == nullptr) return i.fail("fmi2GetFMUstate: the place for the state is NULL");
    Instance::State* saved = i.save(static_cast<Instance::State*>(*state));
    if (saved == nullptr) return false;
    *state = saved;
    return true;
  });
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
  return with(component, kAlways, "fmi2SetFMUstate", [&](Instance& i) {
    const auto* own = static_cast<const Instance::State*>(state);
    return i.owns(own) ? i.restore(*own) : i.fail("fmi2SetFMUstate: this is no state of this instance");
  });
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate* state) {
  return with(component, kAlways, "fmi2FreeFMUstate", [&](Instance& i) {
    if (state == nullptr || *state == nullptr) return true;
    if (!i.free(static_cast<Instance::State*>(*state))) return false;
    *state = nullptr;
    return true;
  });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t* size) {
  return with(component, kAlways, "fmi2SerializedFMUstateSize", [&](Instance& i) {
    const auto* own = static_cast<const Instance::State*>(state);
    if (size == nullptr || !i.owns(own))
      return i.fail("fmi2SerializedFMUstateSize: no state of this instance, or no place");
    *size = own->bytes.size();
    return true;
  });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  return with(component, kAlways, "fmi2SerializeFMUstate", [&](Instance& i) {
    const auto* own = static_cast<const Instance::State*>(state);
    if (bytes == nullptr || !i.owns(own) || size < own->bytes.size())
      return i.fail("fmi2SerializeFMUstate: no state of this instance, or no room");
    std::memcpy(bytes, own->bytes.data(), own->bytes.size());
    return true;
  });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state) {
  return with(component, kAlways, "fmi2DeSerializeFMUstate", [&](Instance& i) {
    if (state == nullptr) return i.fail("fmi2DeSerializeFMUstate: the place for the state is NULL");
    Instance::State* taken = i.take(reinterpret_cast<const unsigned char*>(bytes), size);
    if (taken == nullptr) return false;
    *state = taken;
    return true;
  });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknowns[],
                                        size_t unknown_count, const fmi2ValueReference knowns[], size_t known_count,
                                        const fmi2Real along[], fmi2Real result[]) {
  return with(component, kReadable, "fmi2GetDirectionalDerivative", [&](Instance& i) {
    return i.differentiate(unknowns, unknown_count, knowns, known_count, along, result);
  });
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference[], size_t count,
                                       const fmi2Integer[], const fmi2Real[]) {
  return with(component, kSettable, "fmi2SetRealInputDerivatives", [&](Instance& i) {
    return count == 0 || i.fail("fmi2SetRealInputDerivatives: inputs of this FMU are held");
  });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference[], size_t count,
                                        const fmi2Integer[], fmi2Real[]) {
  return with(component, kReadable, "fmi2GetRealOutputDerivatives", [&](Instance& i) {
    return count == 0 || i.fail("fmi2GetRealOutputDerivatives: this FMU provides none");
  });
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real time, fmi2Real step, fmi2Boolean) {
  fmi2Status status = fmi2OK;
  const fmi2Status allowed = with(component, kStepping, "fmi2DoStep", [&](Instance& i) {
    const Answer answer = i.step(time, step, nullptr);
    if (answer == Answer::discard) status = fmi2Discard;
    return answer != Answer::error;
  });
  if (status == fmi2Discard) static_cast<Instance*>(component)->discard();
  return allowed == fmi2OK ? status : allowed;
}

fmi2Status fmi2CancelStep(fmi2Component component) {
  return with(component, 0, "fmi2CancelStep", [](Instance&) { return false; });
}

fmi2Status fmi2GetStatus(fmi2Component component, fmi2StatusKind, fmi2Status*) {
  return no_status(component, "fmi2GetStatus");
}

fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real* value) {
  if (kind != fmi2LastSuccessfulTime) return no_status(component, "fmi2GetRealStatus");
  return with(component, kHasStepped, "fmi2GetRealStatus", [&](Instance& i) {
    if (value == nullptr) return i.fail("fmi2GetRealStatus: the place for the time is NULL");
    *value = i.time();
    return true;
  });
}

fmi2Status fmi2GetIntegerStatus(fmi2Component component, fmi2StatusKind, fmi2Integer*) {
  return no_status(component, "fmi2GetIntegerStatus");
}

fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2StatusKind kind, fmi2Boolean* value) {
  if (kind != fmi2Terminated) return no_status(component, "fmi2GetBooleanStatus");
  return with(component, kHasStepped, "fmi2GetBooleanStatus", [&](Instance& i) {
    if (value == nullptr) return i.fail("fmi2GetBooleanStatus: the place for the answer is NULL");
    *value = i.terminated_by_model() ? fmi2True : fmi2False;
    return true;
  });
}

fmi2Status fmi2GetStringStatus(fmi2Component component, fmi2StatusKind, fmi2String*) {
  return no_status(component, "fmi2GetStringStatus");
}

}  // extern "C"
