// FMI 3.0 for co-simulation. Which functions may be called when is the standard's state machine (sections 2.3 and 4.2);
// what is called at another time is answered with fmi3Error and puts the instance in error. Functions of other kinds of
// FMU are in fmi3_refusals.cpp.
#include <cstring>

#include "fmi3_instance.hpp"

namespace cardan_fmu {
namespace {

Instance::Log log_of(fmi3LogMessageCallback callback, fmi3InstanceEnvironment environment) {
  return [callback, environment](Severity severity, const char* category, const char* message) {
    if (callback == nullptr) return;
    const fmi3Status status = severity == Severity::error     ? fmi3Error
                              : severity == Severity::warning ? fmi3Warning
                                                              : fmi3OK;
    callback(environment, status, category, message);
  };
}

const Instance::State* state_of(fmi3FMUState state) { return static_cast<const Instance::State*>(state); }

}  // namespace

fmi3Instance refuse_to_instantiate(fmi3LogMessageCallback callback, fmi3InstanceEnvironment environment,
                                   const char* why) {
  log_of(callback, environment)(Severity::error, "logStatusError", why);
  return nullptr;
}

}  // namespace cardan_fmu

using namespace cardan_fmu;

extern "C" {

const char* fmi3GetVersion(void) { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t count, const fmi3String categories[]) {
  return with(instance, kAlways, "fmi3SetDebugLogging", [&](Instance& i) {
    bool events = count == 0;
    for (size_t k = 0; k < count; ++k) {
      if (categories == nullptr || categories[k] == nullptr) return i.fail("a category is NULL");
      events = events || std::strcmp(categories[k], "logEvents") == 0 || std::strcmp(categories[k], "logAll") == 0;
    }
    i.log_events(on && events);
    return true;
  });
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean,
                                         fmi3Boolean logging, fmi3Boolean event_mode_used,
                                         fmi3Boolean early_return_allowed, const fmi3ValueReference[],
                                         size_t intermediate_count, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback callback, fmi3IntermediateUpdateCallback) {
  try {
    if (event_mode_used) return refuse_to_instantiate(callback, environment, "this FMU has no event mode");
    if (intermediate_count > 0)
      return refuse_to_instantiate(callback, environment, "this FMU has no intermediate variables");
    if (resources == nullptr) return refuse_to_instantiate(callback, environment, "the path of the resources is NULL");
    auto instance = std::make_unique<Fmi3Instance>();
    instance->core = Instance::create(name, token, path_of_address(resources), log_of(callback, environment));
    if (!instance->core) return nullptr;
    instance->core->log_events(logging);
    instance->early_return_allowed = early_return_allowed;
    return instance.release();
  } catch (...) {
    return nullptr;
  }
}

void fmi3FreeInstance(fmi3Instance instance) { delete static_cast<Fmi3Instance*>(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean, fmi3Float64, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
  return with(instance, kInstantiated, "fmi3EnterInitializationMode",
              [&](Instance& i) { return i.set_up(start, stop_defined, stop) && i.enter_initialization(); });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return with(instance, kInitialization, "fmi3ExitInitializationMode",
              [](Instance& i) { return i.exit_initialization(); });
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  return with(instance, kStepping, "fmi3Terminate", [](Instance& i) { return i.terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return with(instance, kAlways, "fmi3Reset", [](Instance& i) { return i.reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                          fmi3Float64 values[], size_t value_count) {
  return with(instance, kReadable, "fmi3GetFloat64", [&](Instance& i) {
    if (value_count != count) return i.fail("fmi3GetFloat64: all variables of this FMU are scalars");
    return i.get(references, count, values);
  });
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                          const fmi3Float64 values[], size_t value_count) {
  return with(instance, kSettable, "fmi3SetFloat64", [&](Instance& i) {
    if (value_count != count) return i.fail("fmi3SetFloat64: all variables of this FMU are scalars");
    return i.set(references, count, values);
  });
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return with(instance, kAlways & ~kError, "fmi3GetFMUState", [&](Instance& i) {
    if (state == nullptr) return i.fail("fmi3GetFMUState: the place for the state is NULL");
    Instance::State* saved = i.save(static_cast<Instance::State*>(*state));
    if (saved == nullptr) return false;
    *state = saved;
    return true;
  });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return with(instance, kAlways, "fmi3SetFMUState", [&](Instance& i) {
    return i.owns(state_of(state)) ? i.restore(*state_of(state))
                                   : i.fail("fmi3SetFMUState: this is no state of this instance");
  });
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return with(instance, kAlways, "fmi3FreeFMUState", [&](Instance& i) {
    if (state == nullptr || *state == nullptr) return true;
    if (!i.free(static_cast<Instance::State*>(*state))) return false;
    *state = nullptr;
    return true;
  });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t* size) {
  return with(instance, kAlways, "fmi3SerializedFMUStateSize", [&](Instance& i) {
    if (size == nullptr || !i.owns(state_of(state)))
      return i.fail("fmi3SerializedFMUStateSize: no state of this instance, or no place");
    *size = state_of(state)->bytes.size();
    return true;
  });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  return with(instance, kAlways, "fmi3SerializeFMUState", [&](Instance& i) {
    if (bytes == nullptr || !i.owns(state_of(state)) || size < state_of(state)->bytes.size())
      return i.fail("fmi3SerializeFMUState: no state of this instance, or no room");
    std::memcpy(bytes, state_of(state)->bytes.data(), state_of(state)->bytes.size());
    return true;
  });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
  return with(instance, kAlways, "fmi3DeserializeFMUState", [&](Instance& i) {
    if (state == nullptr) return i.fail("fmi3DeserializeFMUState: the place for the state is NULL");
    Instance::State* taken = i.take(bytes, size);
    if (taken == nullptr) return false;
    *state = taken;
    return true;
  });
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                        size_t unknown_count, const fmi3ValueReference knowns[], size_t known_count,
                                        const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],
                                        size_t sensitivity_count) {
  return with(instance, kReadable, "fmi3GetDirectionalDerivative", [&](Instance& i) {
    if (seed_count != known_count || sensitivity_count != unknown_count)
      return i.fail("fmi3GetDirectionalDerivative: all variables of this FMU are scalars");
    return i.differentiate(unknowns, unknown_count, knowns, known_count, seed, sensitivity);
  });
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t unknown_count,
                                    const fmi3ValueReference knowns[], size_t known_count, const fmi3Float64 seed[],
                                    size_t seed_count, fmi3Float64 sensitivity[], size_t sensitivity_count) {
  return with(instance, kReadable, "fmi3GetAdjointDerivative", [&](Instance& i) {
    if (seed_count != unknown_count || sensitivity_count != known_count)
      return i.fail("fmi3GetAdjointDerivative: all variables of this FMU are scalars");
    return i.differentiate_back(unknowns, unknown_count, knowns, known_count, seed, sensitivity);
  });
}

/// Where an event of the model ends the run, terminate is set at its time. A step that was taken to its end has come to
/// that very time, which the model's own may miss by rounding.
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step, fmi3Boolean,
                      fmi3Boolean* event_handling_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_successful_time) {
  return with(instance, kStepping, "fmi3DoStep", [&](Instance& i) {
    if (event_handling_needed == nullptr || terminate == nullptr || early_return == nullptr ||
        last_successful_time == nullptr)
      return i.fail("fmi3DoStep: a place for a result is NULL");
    bool early = false;
    const bool may = static_cast<Fmi3Instance*>(instance)->early_return_allowed;
    const Answer answer = i.step(time, step, may ? &early : nullptr);
    *event_handling_needed = false;
    *terminate = answer == Answer::discard;
    *early_return = early;
    *last_successful_time = answer == Answer::ok && !early ? time + step : i.time();
    return answer != Answer::error;
  });
}

}  // extern "C"
