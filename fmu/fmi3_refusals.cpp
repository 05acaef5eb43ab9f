// Functions of FMI 3.0 for what this FMU does not have: other types of variables, clocks, configurations, derivatives
// in time, event mode, model exchange and scheduled execution. They are there, since importers look all of them up, and
// answer fmi3Error.
#include "fmi3_instance.hpp"

using namespace cardan_fmu;

namespace {

constexpr const char* kFloat64Only = "all variables of this FMU are Float64";
constexpr const char* kNoClocks = "this FMU has no clocks";
constexpr const char* kNone = "this FMU provides none";
constexpr const char* kNoEventMode = "this FMU has no event mode";
constexpr const char* kCoSimulation = "this FMU is for co-simulation";

/// No variables of a type are got and set at no cost.
fmi3Status none(fmi3Instance instance, unsigned modes, const char* function, size_t count) {
  return with(instance, modes, function,
              [&](Instance& i) { return count == 0 || i.fail(std::string(function) + ": " + kFloat64Only); });
}

}  // namespace

extern "C" {

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback) {
  return refuse_to_instantiate(callback, environment, kCoSimulation);
}
fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  return refuse_to_instantiate(callback, environment, kCoSimulation);
}

#define CARDAN_NONE_OF(Type)                                                                                       \
  fmi3Status fmi3Get##Type(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3##Type[], size_t) {       \
    return none(i, kReadable, "fmi3Get" #Type, count);                                                             \
  }                                                                                                                \
  fmi3Status fmi3Set##Type(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3##Type[], size_t) { \
    return none(i, kSettable, "fmi3Set" #Type, count);                                                             \
  }
CARDAN_NONE_OF(Float32)
CARDAN_NONE_OF(Int8)
CARDAN_NONE_OF(UInt8)
CARDAN_NONE_OF(Int16)
CARDAN_NONE_OF(UInt16)
CARDAN_NONE_OF(Int32)
CARDAN_NONE_OF(UInt32)
CARDAN_NONE_OF(Int64)
CARDAN_NONE_OF(UInt64)
CARDAN_NONE_OF(Boolean)
CARDAN_NONE_OF(String)
#undef CARDAN_NONE_OF

fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference[], size_t count, size_t[], fmi3Binary[], size_t) {
  return none(i, kReadable, "fmi3GetBinary", count);
}
fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference[], size_t count, const size_t[], const fmi3Binary[],
                         size_t) {
  return none(i, kSettable, "fmi3SetBinary", count);
}
fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference[], size_t count, fmi3Clock[]) {
  return none(i, kReadable, "fmi3GetClock", count);
}
fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference[], size_t count, const fmi3Clock[]) {
  return none(i, kSettable, "fmi3SetClock", count);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference, size_t*) {
  return refuse(i, "fmi3GetNumberOfVariableDependencies", kNone);
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[],
                                       fmi3DependencyKind[], size_t) {
  return refuse(i, "fmi3GetVariableDependencies", kNone);
}
fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference[], size_t count, const fmi3Int32[],
                                    fmi3Float64[], size_t) {
  return with(instance, kReadable, "fmi3GetOutputDerivatives",
              [&](Instance& i) { return count == 0 || i.fail(std::string("fmi3GetOutputDerivatives: ") + kNone); });
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance i) {
  return refuse(i, "fmi3EnterConfigurationMode", "this FMU has no structural parameters");
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance i) {
  return refuse(i, "fmi3ExitConfigurationMode", "this FMU has no structural parameters");
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
  return refuse(i, "fmi3GetIntervalDecimal", kNoClocks);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[],
                                   fmi3IntervalQualifier[]) {
  return refuse(i, "fmi3GetIntervalFraction", kNoClocks);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3Float64[]) {
  return refuse(i, "fmi3GetShiftDecimal", kNoClocks);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[]) {
  return refuse(i, "fmi3GetShiftFraction", kNoClocks);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return refuse(i, "fmi3SetIntervalDecimal", kNoClocks);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                   const fmi3UInt64[]) {
  return refuse(i, "fmi3SetIntervalFraction", kNoClocks);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return refuse(i, "fmi3SetShiftDecimal", kNoClocks);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                const fmi3UInt64[]) {
  return refuse(i, "fmi3SetShiftFraction", kNoClocks);
}
fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference, fmi3Float64) {
  return refuse(i, "fmi3ActivateModelPartition", kNoClocks);
}

fmi3Status fmi3EnterEventMode(fmi3Instance i) { return refuse(i, "fmi3EnterEventMode", kNoEventMode); }
fmi3Status fmi3EnterStepMode(fmi3Instance i) { return refuse(i, "fmi3EnterStepMode", kNoEventMode); }
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i) { return refuse(i, "fmi3EvaluateDiscreteStates", kNoEventMode); }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                    fmi3Boolean*, fmi3Float64*) {
  return refuse(i, "fmi3UpdateDiscreteStates", kNoEventMode);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i) {
  return refuse(i, "fmi3EnterContinuousTimeMode", kCoSimulation);
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) {
  return refuse(i, "fmi3CompletedIntegratorStep", kCoSimulation);
}
fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64) { return refuse(i, "fmi3SetTime", kCoSimulation); }
fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64[], size_t) {
  return refuse(i, "fmi3SetContinuousStates", kCoSimulation);
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64[], size_t) {
  return refuse(i, "fmi3GetContinuousStateDerivatives", kCoSimulation);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64[], size_t) {
  return refuse(i, "fmi3GetEventIndicators", kCoSimulation);
}
fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64[], size_t) {
  return refuse(i, "fmi3GetContinuousStates", kCoSimulation);
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64[], size_t) {
  return refuse(i, "fmi3GetNominalsOfContinuousStates", kCoSimulation);
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t*) {
  return refuse(i, "fmi3GetNumberOfEventIndicators", kCoSimulation);
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t*) {
  return refuse(i, "fmi3GetNumberOfContinuousStates", kCoSimulation);
}

}  // extern "C"
