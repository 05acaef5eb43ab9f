/* FMI 3.0. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi3.h"
#include "master.h"

/* All of them: importers look every one up. */
#define FUNCTIONS(X) \
  X(GetVersion) X(SetDebugLogging) X(InstantiateModelExchange) X(InstantiateCoSimulation) \
  X(InstantiateScheduledExecution) X(FreeInstance) X(EnterInitializationMode) X(ExitInitializationMode) \
  X(EnterEventMode) X(Terminate) X(Reset) X(GetFloat32) X(SetFloat32) X(GetFloat64) X(SetFloat64) X(GetInt8) X(SetInt8) \
  X(GetUInt8) X(SetUInt8) X(GetInt16) X(SetInt16) X(GetUInt16) X(SetUInt16) X(GetInt32) X(SetInt32) X(GetUInt32) \
  X(SetUInt32) X(GetInt64) X(SetInt64) X(GetUInt64) X(SetUInt64) X(GetBoolean) X(SetBoolean) X(GetString) X(SetString) \
  X(GetBinary) X(SetBinary) X(GetClock) X(SetClock) X(GetNumberOfVariableDependencies) X(GetVariableDependencies) \
  X(GetFMUState) X(SetFMUState) X(FreeFMUState) X(SerializedFMUStateSize) X(SerializeFMUState) X(DeserializeFMUState) \
  X(GetDirectionalDerivative) X(GetAdjointDerivative) X(EnterConfigurationMode) X(ExitConfigurationMode) \
  X(GetIntervalDecimal) X(GetIntervalFraction) X(GetShiftDecimal) X(GetShiftFraction) X(SetIntervalDecimal) \
  X(SetIntervalFraction) X(SetShiftDecimal) X(SetShiftFraction) X(EvaluateDiscreteStates) X(UpdateDiscreteStates) \
  X(EnterContinuousTimeMode) X(CompletedIntegratorStep) X(SetTime) X(SetContinuousStates) \
  X(GetContinuousStateDerivatives) X(GetEventIndicators) X(GetContinuousStates) X(GetNominalsOfContinuousStates) \
  X(GetNumberOfEventIndicators) X(GetNumberOfContinuousStates) X(EnterStepMode) X(GetOutputDerivatives) X(DoStep) \
  X(ActivateModelPartition)

/* Pointers of the types that the declarations have. */
#define POINTER(Name) __typeof__(&fmi3##Name) Name;
static struct {
  FUNCTIONS(POINTER)
} f;

static int messages = 0;
static char last_message[3000];

static void log_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
  snprintf(last_message, sizeof last_message, "%s", message);
  ++messages;
  CHECK(environment == &messages && category != NULL && status <= fmi3Error);
  if (getenv("FMU_MASTER_SAYS") != NULL) printf("%s: %s\n", category, message);
}

static void* instance(const Master* m, const char* name, fmi3Boolean early) {
  return f.InstantiateCoSimulation(name, m->token, m->resources, false, true, false, early, NULL, 0, &messages, log_message, NULL);
}
static void* instantiate(const Master* m, const char* name) { return instance(m, name, false); }
static int enter(void* c, double stop) { return (int)f.EnterInitializationMode(c, false, 0, 0, true, stop); }
static int leave(void* c) { return (int)f.ExitInitializationMode(c); }
static int terminate(void* c) { return (int)f.Terminate(c); }
static int reset(void* c) { return (int)f.Reset(c); }
static int set(void* c, unsigned reference, double value) { return (int)f.SetFloat64(c, &reference, 1, &value, 1); }
static int get(void* c, unsigned reference, double* value) { return (int)f.GetFloat64(c, &reference, 1, value, 1); }
static int step(void* c, double t, double h) {
  fmi3Boolean event = true, end = true, early = true;
  double reached = -1;
  const fmi3Status status = f.DoStep(c, t, h, false, &event, &end, &early, &reached);
  if (status == fmi3OK) CHECK(!event && !end && !early && reached > t);
  return (int)status;
}
static int derivative(void* c, const unsigned* unknowns, size_t unknown_count, const unsigned* knowns, size_t known_count, const double* along, double* result) {
  return (int)f.GetDirectionalDerivative(c, unknowns, unknown_count, knowns, known_count, along, known_count, result, unknown_count);
}
static int adjoint(void* c, const unsigned* unknowns, size_t unknown_count, const unsigned* knowns, size_t known_count, const double* along, double* result) {
  return (int)f.GetAdjointDerivative(c, unknowns, unknown_count, knowns, known_count, along, unknown_count, result, known_count);
}
static int get_state(void* c, void** state) { return (int)f.GetFMUState(c, state); }
static int set_state(void* c, void* state) { return (int)f.SetFMUState(c, state); }
static int free_state(void* c, void** state) { return (int)f.FreeFMUState(c, state); }
static int state_size(void* c, void* state, size_t* size) { return (int)f.SerializedFMUStateSize(c, state, size); }
static int serialize(void* c, void* state, char* bytes, size_t size) { return (int)f.SerializeFMUState(c, state, (fmi3Byte*)bytes, size); }
static int deserialize(void* c, const char* bytes, size_t size, void** state) {
  return (int)f.DeserializeFMUState(c, (const fmi3Byte*)bytes, size, state);
}

#define FIND(Name) find(m, "fmi3" #Name, &f.Name);
void load3(Master* m) {
  FUNCTIONS(FIND)
  CHECK(strcmp(f.GetVersion(), "3.0") == 0);
  m->instantiate = instantiate;
  m->release = f.FreeInstance;
  m->enter = enter;
  m->leave = leave;
  m->terminate = terminate;
  m->reset = reset;
  m->set = set;
  m->get = get;
  m->step = step;
  m->derivative = derivative;
  m->adjoint = adjoint;
  m->get_state = get_state;
  m->set_state = set_state;
  m->free_state = free_state;
  m->state_size = state_size;
  m->serialize = serialize;
  m->deserialize = deserialize;
}

/* One call of every function with arguments that are right, so that only the time of it can be wrong; from kNever on they are
 * functions of what this FMU does not have. */
enum { kNever = 13, kCalls = 71 };
static double now; /* where a step goes on */
static fmi3Status call(int which, const Master* m, void* c) {
  static fmi3Float64 real;
  static fmi3Int32 integer;
  static fmi3Boolean flags[5];
  static fmi3Clock clock;
  static size_t size;
  static fmi3Byte bytes[1];
  static fmi3UInt64 count;
  static fmi3DependencyKind kind;
  static fmi3IntervalQualifier qualifier;
  static unsigned other;
  fmi3FMUState state = NULL;
  const unsigned output = m->output[0], input = 1;
  const double value = 0;
  const fmi3String category = "logEvents";
  switch (which) {
    case 0: return f.EnterInitializationMode(c, false, 0, 0, false, 0);
    case 1: return f.ExitInitializationMode(c);
    case 2: return f.Terminate(c);
    case 3: return f.GetFloat64(c, &output, 1, &real, 1);
    case 4: return f.SetFloat64(c, &input, 1, &value, 1);
    case 5: return f.DoStep(c, now, m->step_size, false, &flags[0], &flags[1], &flags[2], &real);
    case 6: return f.GetInt32(c, NULL, 0, NULL, 0);
    case 7: return f.SetString(c, NULL, 0, NULL, 0);
    case 8: return f.SetDebugLogging(c, true, 1, &category);
    case 9: return f.GetFMUState(c, &state);
    case 10: return f.Reset(c);
    case 11: return f.GetDirectionalDerivative(c, &output, 1, &input, 1, &value, 1, &real, 1);
    case 12: return f.GetAdjointDerivative(c, &output, 1, &input, 1, &value, 1, &real, 1);
    case 13: return f.EnterConfigurationMode(c);
    case 14: return f.ExitConfigurationMode(c);
    case 15: return f.EnterContinuousTimeMode(c);
    case 16: return f.EvaluateDiscreteStates(c);
    case 17: return f.UpdateDiscreteStates(c, &flags[0], &flags[1], &flags[2], &flags[3], &flags[4], &real);
    case 18: return f.CompletedIntegratorStep(c, true, &flags[0], &flags[1]);
    case 19: return f.SetTime(c, 0);
    case 20: return f.SetContinuousStates(c, &value, 1);
    case 21: return f.GetContinuousStateDerivatives(c, &real, 1);
    case 22: return f.GetEventIndicators(c, &real, 1);
    case 23: return f.GetContinuousStates(c, &real, 1);
    case 24: return f.GetNominalsOfContinuousStates(c, &real, 1);
    case 25: return f.GetNumberOfEventIndicators(c, &size);
    case 26: return f.GetNumberOfContinuousStates(c, &size);
    case 27: return f.GetOutputDerivatives(c, &output, 1, &integer, &real, 1);
    case 28: return f.ActivateModelPartition(c, 1, 0);
    case 29: return f.GetNumberOfVariableDependencies(c, output, &size);
    case 30: return f.GetVariableDependencies(c, output, &size, &other, &size, &kind, 1);
    case 31: return f.EnterEventMode(c);
    case 32: return f.EnterStepMode(c);
    case 33: return f.GetIntervalDecimal(c, &input, 1, &real, &qualifier);
    case 34: return f.GetIntervalFraction(c, &input, 1, &count, &count, &qualifier);
    case 35: return f.GetShiftDecimal(c, &input, 1, &real);
    case 36: return f.GetShiftFraction(c, &input, 1, &count, &count);
    case 37: return f.SetIntervalDecimal(c, &input, 1, &value);
    case 38: return f.SetIntervalFraction(c, &input, 1, &count, &count);
    case 39: return f.SetShiftDecimal(c, &input, 1, &value);
    case 40: return f.SetShiftFraction(c, &input, 1, &count, &count);
    case 41: return f.GetClock(c, &input, 1, &clock);
    case 42: return f.SetClock(c, &input, 1, &clock);
    case 43: return f.GetBinary(c, &input, 1, &size, NULL, 1);
    case 44: return f.SetBinary(c, &input, 1, &size, NULL, 1);
    case 45: return f.GetFloat32(c, &input, 1, NULL, 1);
    case 46: return f.SetInt8(c, &input, 1, NULL, 1);
    case 47: return f.SetFMUState(c, &state);
    case 48: return f.SerializedFMUStateSize(c, NULL, &size);
    case 49: return f.SerializeFMUState(c, NULL, bytes, 1);
    case 50: return f.DeserializeFMUState(c, bytes, 1, &state);
    case 51: return f.GetInt8(c, &input, 1, NULL, 1);
    case 52: return f.GetUInt8(c, &input, 1, NULL, 1);
    case 53: return f.SetUInt8(c, &input, 1, NULL, 1);
    case 54: return f.GetInt16(c, &input, 1, NULL, 1);
    case 55: return f.SetInt16(c, &input, 1, NULL, 1);
    case 56: return f.GetUInt16(c, &input, 1, NULL, 1);
    case 57: return f.SetUInt16(c, &input, 1, NULL, 1);
    case 58: return f.GetUInt32(c, &input, 1, NULL, 1);
    case 59: return f.SetUInt32(c, &input, 1, NULL, 1);
    case 60: return f.GetInt64(c, &input, 1, NULL, 1);
    case 61: return f.SetInt64(c, &input, 1, NULL, 1);
    case 62: return f.GetUInt64(c, &input, 1, NULL, 1);
    case 63: return f.SetUInt64(c, &input, 1, NULL, 1);
    case 64: return f.GetBoolean(c, &input, 1, NULL, 1);
    case 65: return f.GetString(c, &input, 1, NULL, 1);
    case 66: return f.SetFloat32(c, &input, 1, NULL, 1);
    case 67: return f.SetInt32(c, &input, 1, NULL, 1);
    case 68: return f.GetInt32(c, &input, 1, NULL, 1);
    case 69: return f.SetString(c, &input, 1, NULL, 1);
    default: return f.SetBoolean(c, &input, 1, NULL, 1);
  }
}

/* Modes: instantiated, in initialization, stepping, terminated, in error. */
static const char* const kAllowed[kNever] = {/* enter */ "10000", /* leave */ "01000", /* terminate */ "00100", /* get */ "01111",
                                             /* set */ "11100",   /* step */ "00100",  /* integers */ "01111",  /* strings */ "11100",
                                             /* logging */ "11111", /* get state */ "11110", /* reset */ "11111",
                                             /* derivatives */ "01111", "01111"};

/* Functions one after the other at random; the table and what has been called say what each must answer. */
static void walk(const Master* m, unsigned seed, int calls, int* visits) {
  int k, mode = 0;
  void* c = instantiate(m, "walk");
  CHECK(c != NULL);
  now = 0;
  srand(seed);
  for (k = 0; k < calls; ++k) {
    /* Forward more often than chance would, so that all modes are seen. */
    static const int forward[5] = {0, 1, 5, 10, 10};
    const int which = mode == 2 && rand() % 8 == 0 ? 2 : rand() % 3 == 0 ? forward[mode] : rand() % 2 == 0 ? rand() % kNever : rand() % kCalls;
    const fmi3Status status = call(which, m, c);
    ++visits[mode];
    CHECK(status == (which < kNever && kAllowed[which][mode] == '1' ? fmi3OK : fmi3Error));
    if (status == fmi3Error) mode = 4;
    else if (which == 0) mode = 1;
    else if (which == 1) mode = 2;
    else if (which == 2) mode = 3;
    else if (which == 10) mode = 0, now = 0;
    else if (which == 5) now += m->step_size, ++visits[5];
  }
  f.FreeInstance(c);
  now = 0;
}

static void* in_mode(const Master* m, int mode) {
  void* c = instantiate(m, "wrong");
  CHECK(c != NULL);
  if (mode >= 1) CHECK(enter(c, 100) == 0);
  if (mode >= 2) CHECK(leave(c) == 0);
  if (mode == 3) CHECK(terminate(c) == 0);
  if (mode == 4) CHECK(set(c, 4000000000u, 0) == fmi3Error);
  return c;
}

void wrong_orders3(const Master* m) {
  int which, mode, called = 0, refused = 0;
  for (which = 0; which < kCalls; ++which) {
    CHECK(call(which, m, NULL) == fmi3Error);
    for (mode = 0; mode < 5; ++mode) {
      void* c = in_mode(m, mode);
      const int before = messages;
      const fmi3Status status = call(which, m, c);
      ++called;
      refused += status == fmi3Error;
      CHECK(status == (which < kNever && kAllowed[which][mode] == '1' ? fmi3OK : fmi3Error));
      if (status == fmi3Error) {
        CHECK(messages > before && strlen(last_message) > 10);
        CHECK(step(c, 0, m->step_size) == fmi3Error);
        CHECK(reset(c) == 0 && enter(c, 100) == 0 && leave(c) == 0 && step(c, 0, m->step_size) == 0);
      }
      f.FreeInstance(c);
    }
  }
  f.FreeInstance(NULL);
  int visits[6] = {0}; /* of the modes, and steps */
  for (which = 0; which < 10; ++which) walk(m, (unsigned)which, 500, visits);
  for (which = 0; which <= 5; ++which) CHECK(visits[which] > 50);
  printf("%d calls, %d refused\n", called, refused);
  CHECK(called == 5 * kCalls && refused > 200);

  CHECK(f.InstantiateModelExchange("a", m->token, m->resources, false, false, &messages, log_message) == NULL);
  CHECK(f.InstantiateScheduledExecution("a", m->token, m->resources, false, false, &messages, log_message, NULL, NULL, NULL) == NULL);
  CHECK(f.InstantiateCoSimulation("a", "{another}", m->resources, false, false, false, false, NULL, 0, &messages, log_message, NULL) == NULL);
  CHECK(strstr(last_message, "{another}") != NULL);
  CHECK(f.InstantiateCoSimulation("a", m->token, m->resources, false, false, true, false, NULL, 0, &messages, log_message, NULL) == NULL);
  CHECK(f.InstantiateCoSimulation("a", m->token, NULL, false, false, false, false, NULL, 0, &messages, log_message, NULL) == NULL);
  CHECK(f.InstantiateCoSimulation("a", "{another}", m->resources, false, false, false, false, NULL, 0, NULL, NULL, NULL) == NULL);
  void* c = in_mode(m, 2);
  CHECK(f.DoStep(c, 0, m->step_size, false, NULL, NULL, NULL, NULL) == fmi3Error);
  f.FreeInstance(c);
  double values[2] = {0, 0};
  unsigned references[2] = {m->output[0], m->output[0]};
  c = in_mode(m, 2);
  CHECK(f.GetFloat64(c, references, 2, values, 1) == fmi3Error);
  f.FreeInstance(c);

  /* With early returns allowed, a model without events has none. */
  fmi3Boolean event = true, end = true, early = true;
  double reached = 0;
  c = instance(m, "early", true);
  CHECK(enter(c, 100) == 0 && leave(c) == 0);
  CHECK(f.DoStep(c, 0, m->step_size, false, &event, &end, &early, &reached) == fmi3OK && !event && !end && !early);
  f.FreeInstance(c);
}

/* A model whose events come at times that no step ends at: one step, as often as it returns early. */
void early_returns3(const Master* m) {
  fmi3Boolean event = true, end = false, early = true;
  double t = 0;
  const double goal = m->steps * m->step_size;
  void* c = instance(m, "early", true);
  CHECK(enter(c, goal) == 0 && leave(c) == 0);
  while (t < goal - 1e-9 && !end) {
    CHECK(f.DoStep(c, t, goal - t, false, &event, &end, &early, &t) == fmi3OK);
    CHECK(!event);
    printf("return %d %d %.9g\n", (int)early, (int)end, t);
  }
  f.FreeInstance(c);
}
