/* FMI 2.0. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2.h"
#include "master.h"

static struct {
  const char* (*platform)(void);
  const char* (*version)(void);
  fmi2Status (*logging)(fmi2Component, fmi2Boolean, size_t, const fmi2String[]);
  fmi2Component (*instantiate)(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*, fmi2Boolean, fmi2Boolean);
  void (*release)(fmi2Component);
  fmi2Status (*set_up)(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real);
  fmi2Status (*enter)(fmi2Component), (*leave)(fmi2Component), (*terminate)(fmi2Component), (*reset)(fmi2Component), (*cancel)(fmi2Component);
  fmi2Status (*get_real)(fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]);
  fmi2Status (*set_real)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]);
  fmi2Status (*get_integer)(fmi2Component, const fmi2ValueReference[], size_t, fmi2Integer[]);
  fmi2Status (*set_integer)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[]);
  fmi2Status (*get_boolean)(fmi2Component, const fmi2ValueReference[], size_t, fmi2Boolean[]);
  fmi2Status (*set_boolean)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Boolean[]);
  fmi2Status (*get_string)(fmi2Component, const fmi2ValueReference[], size_t, fmi2String[]);
  fmi2Status (*set_string)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2String[]);
  fmi2Status (*get_state)(fmi2Component, fmi2FMUstate*), (*set_state)(fmi2Component, fmi2FMUstate), (*free_state)(fmi2Component, fmi2FMUstate*);
  fmi2Status (*state_size)(fmi2Component, fmi2FMUstate, size_t*);
  fmi2Status (*serialize)(fmi2Component, fmi2FMUstate, fmi2Byte[], size_t);
  fmi2Status (*deserialize)(fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate*);
  fmi2Status (*derivative)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2ValueReference[], size_t, const fmi2Real[], fmi2Real[]);
  fmi2Status (*input_derivatives)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[], const fmi2Real[]);
  fmi2Status (*output_derivatives)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[], fmi2Real[]);
  fmi2Status (*step)(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean);
  fmi2Status (*status)(fmi2Component, fmi2StatusKind, fmi2Status*);
  fmi2Status (*real_status)(fmi2Component, fmi2StatusKind, fmi2Real*);
  fmi2Status (*integer_status)(fmi2Component, fmi2StatusKind, fmi2Integer*);
  fmi2Status (*boolean_status)(fmi2Component, fmi2StatusKind, fmi2Boolean*);
  fmi2Status (*string_status)(fmi2Component, fmi2StatusKind, fmi2String*);
} f;

static int messages = 0;
static char last_message[3000];

static void log_message(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category, fmi2String message, ...) {
  va_list arguments;
  va_start(arguments, message);
  vsnprintf(last_message, sizeof last_message, message, arguments);
  va_end(arguments);
  ++messages;
  CHECK(environment == &messages && name != NULL && category != NULL && status <= fmi2Error);
  if (getenv("FMU_MASTER_SAYS") != NULL) printf("%s: %s\n", category, last_message);
}

static const fmi2CallbackFunctions callbacks = {log_message, calloc, free, NULL, &messages};

static void* instantiate(const Master* m, const char* name) {
  char address[4000];
  fmi2CallbackFunctions passing = callbacks; /* gone when the instance logs */
  void* c;
  snprintf(address, sizeof address, "file://%s", m->resources);
  c = f.instantiate(name, fmi2CoSimulation, m->token, address, &passing, fmi2False, fmi2True);
  memset(&passing, 0, sizeof passing);
  return c;
}
static int enter(void* c, double stop) {
  const fmi2Status status = f.set_up(c, fmi2False, 0, 0, fmi2True, stop);
  return status != fmi2OK ? (int)status : (int)f.enter(c);
}
static int leave(void* c) { return (int)f.leave(c); }
static int terminate(void* c) { return (int)f.terminate(c); }
static int reset(void* c) { return (int)f.reset(c); }
static int set(void* c, unsigned reference, double value) { return (int)f.set_real(c, &reference, 1, &value); }
static int get(void* c, unsigned reference, double* value) { return (int)f.get_real(c, &reference, 1, value); }
static int step(void* c, double t, double h) { return (int)f.step(c, t, h, fmi2False); }
static int derivative(void* c, const unsigned* unknowns, size_t unknown_count, const unsigned* knowns, size_t known_count, const double* along, double* result) {
  return (int)f.derivative(c, unknowns, unknown_count, knowns, known_count, along, result);
}
static int get_state(void* c, void** state) { return (int)f.get_state(c, state); }
static int set_state(void* c, void* state) { return (int)f.set_state(c, state); }
static int free_state(void* c, void** state) { return (int)f.free_state(c, state); }
static int state_size(void* c, void* state, size_t* size) { return (int)f.state_size(c, state, size); }
static int serialize(void* c, void* state, char* bytes, size_t size) { return (int)f.serialize(c, state, bytes, size); }
static int deserialize(void* c, const char* bytes, size_t size, void** state) { return (int)f.deserialize(c, bytes, size, state); }

void load2(Master* m) {
  find(m, "fmi2GetTypesPlatform", &f.platform);
  find(m, "fmi2GetVersion", &f.version);
  find(m, "fmi2SetDebugLogging", &f.logging);
  find(m, "fmi2Instantiate", &f.instantiate);
  find(m, "fmi2FreeInstance", &f.release);
  find(m, "fmi2SetupExperiment", &f.set_up);
  find(m, "fmi2EnterInitializationMode", &f.enter);
  find(m, "fmi2ExitInitializationMode", &f.leave);
  find(m, "fmi2Terminate", &f.terminate);
  find(m, "fmi2Reset", &f.reset);
  find(m, "fmi2GetReal", &f.get_real);
  find(m, "fmi2SetReal", &f.set_real);
  find(m, "fmi2GetInteger", &f.get_integer);
  find(m, "fmi2SetInteger", &f.set_integer);
  find(m, "fmi2GetBoolean", &f.get_boolean);
  find(m, "fmi2SetBoolean", &f.set_boolean);
  find(m, "fmi2GetString", &f.get_string);
  find(m, "fmi2SetString", &f.set_string);
  find(m, "fmi2GetFMUstate", &f.get_state);
  find(m, "fmi2SetFMUstate", &f.set_state);
  find(m, "fmi2FreeFMUstate", &f.free_state);
  find(m, "fmi2SerializedFMUstateSize", &f.state_size);
  find(m, "fmi2SerializeFMUstate", &f.serialize);
  find(m, "fmi2DeSerializeFMUstate", &f.deserialize);
  find(m, "fmi2GetDirectionalDerivative", &f.derivative);
  find(m, "fmi2SetRealInputDerivatives", &f.input_derivatives);
  find(m, "fmi2GetRealOutputDerivatives", &f.output_derivatives);
  find(m, "fmi2DoStep", &f.step);
  find(m, "fmi2CancelStep", &f.cancel);
  find(m, "fmi2GetStatus", &f.status);
  find(m, "fmi2GetRealStatus", &f.real_status);
  find(m, "fmi2GetIntegerStatus", &f.integer_status);
  find(m, "fmi2GetBooleanStatus", &f.boolean_status);
  find(m, "fmi2GetStringStatus", &f.string_status);
  CHECK(strcmp(f.version(), "2.0") == 0 && strcmp(f.platform(), "default") == 0);
  m->instantiate = instantiate;
  m->release = f.release;
  m->enter = enter;
  m->leave = leave;
  m->terminate = terminate;
  m->reset = reset;
  m->set = set;
  m->get = get;
  m->step = step;
  m->derivative = derivative;
  m->get_state = get_state;
  m->set_state = set_state;
  m->free_state = free_state;
  m->state_size = state_size;
  m->serialize = serialize;
  m->deserialize = deserialize;
}

/* One call of every function with arguments that are right, so that only the time of it can be wrong. */
enum { kNever = 23, kFree = 23, kCalls = 30 };
static double now; /* where a step goes on */
static fmi2Status call(int which, const Master* m, void* c) {
  static fmi2Real real;
  static fmi2Integer integer;
  static fmi2String text;
  static fmi2Status status;
  static size_t size;
  static char bytes[1];
  fmi2FMUstate state = NULL;
  const unsigned output = m->output[0], input = 1;
  const double value = 0;
  const fmi2String category = "logAll";
  switch (which) {
    case 0: return f.set_up(c, fmi2False, 0, 0, fmi2False, 0);
    case 1: return f.enter(c);
    case 2: return f.leave(c);
    case 3: return f.terminate(c);
    case 4: return f.get_real(c, &output, 1, &real);
    case 5: return f.set_real(c, &input, 1, &value);
    case 6: return f.step(c, now, m->step_size, fmi2False);
    case 7: return f.cancel(c);
    case 8: return f.get_integer(c, NULL, 0, NULL);
    case 9: return f.set_integer(c, NULL, 0, NULL);
    case 10: return f.get_boolean(c, NULL, 0, NULL);
    case 11: return f.set_boolean(c, NULL, 0, NULL);
    case 12: return f.get_string(c, NULL, 0, NULL);
    case 13: return f.set_string(c, NULL, 0, NULL);
    case 14: return f.real_status(c, fmi2LastSuccessfulTime, &real);
    case 15: return f.boolean_status(c, fmi2Terminated, &integer);
    case 16: return f.logging(c, fmi2True, 1, &category);
    case 17: return f.get_state(c, &state);
    case 18: return f.reset(c);
    case 19: return f.derivative(c, &output, 1, &input, 1, &value, &real);
    case 20: return f.status(c, fmi2DoStepStatus, &status);
    case 21: return f.integer_status(c, fmi2DoStepStatus, &integer);
    case 22: return f.string_status(c, fmi2PendingStatus, &text);
    /* never good, whenever they are called */
    case kFree: return f.free_state(c, (fmi2FMUstate*)&text) == fmi2OK ? fmi2Error : fmi2OK; /* nothing to free is nothing wrong */
    case 24: return f.state_size(c, NULL, &size);
    case 25: return f.serialize(c, NULL, bytes, 1);
    case 26: return f.deserialize(c, bytes, 1, &state);
    case 27: return f.set_state(c, &state);
    case 28: return f.input_derivatives(c, &input, 1, &integer, &value);
    default: return f.output_derivatives(c, &output, 1, &integer, &real);
  }
}

/* Modes: instantiated, instantiated and set up, in initialization, stepping, terminated, in error. d: what this FMU cannot
 * tell of a step is discarded, and no error. */
static const char* const kAllowed[kNever] = {
    /* set_up */ "110000", /* enter */ "010000", /* leave */ "001000", /* terminate */ "000100", /* get */ "001111", /* set */ "111100",
    /* step */ "000100", /* cancel */ "000000", /* integers */ "001111", "111100", /* booleans */ "001111", "111100",
    /* strings */ "001111", "111100", /* status */ "000110", "000110", /* logging */ "111111", /* get state */ "111111", /* reset */ "111111",
    /* derivative */ "001111", /* of pending steps */ "000dd0", "000dd0", "000dd0"};

static fmi2Status expected(int which, int mode) {
  const char answer = which < kNever ? kAllowed[which][mode] : '0';
  return answer == '1' ? fmi2OK : answer == 'd' ? fmi2Discard : fmi2Error;
}

/* Functions one after the other at random; the table and what has been called say what each must answer. */
static void walk(const Master* m, unsigned seed, int calls, int* visits) {
  int k, mode = 0;
  void* c = instantiate(m, "walk");
  CHECK(c != NULL);
  now = 0;
  srand(seed);
  for (k = 0; k < calls; ++k) {
    /* Forward more often than chance would, so that all modes are seen. */
    static const int forward[6] = {0, 1, 2, 6, 18, 18};
    const int which = mode == 3 && rand() % 8 == 0 ? 3 : rand() % 3 == 0 ? forward[mode] : rand() % 2 == 0 ? rand() % kNever : rand() % kCalls;
    fmi2Status status;
    ++visits[mode];
    if (which == kFree) continue;
    status = call(which, m, c);
    CHECK(status == expected(which, mode));
    if (status == fmi2Error) mode = 5;
    else if (which == 0) mode = 1;
    else if (which == 1) mode = 2;
    else if (which == 2) mode = 3;
    else if (which == 3) mode = 4;
    else if (which == 18) mode = 0, now = 0;
    else if (which == 6) now += m->step_size, ++visits[6];
  }
  f.release(c);
  now = 0;
}

static void* in_mode(const Master* m, int mode) {
  void* c = instantiate(m, "wrong");
  const unsigned none = 4000000000u;
  const double value = 0;
  CHECK(c != NULL);
  if (mode == 1) CHECK(f.set_up(c, fmi2False, 0, 0, fmi2False, 0) == fmi2OK);
  if (mode >= 2) CHECK(enter(c, 100) == 0);
  if (mode >= 3) CHECK(leave(c) == 0);
  if (mode == 4) CHECK(f.terminate(c) == fmi2OK);
  if (mode == 5) CHECK(f.set_real(c, &none, 1, &value) == fmi2Error);
  return c;
}

void wrong_orders2(const Master* m) {
  int which, mode, called = 0, refused = 0;
  for (which = 0; which < kCalls; ++which) {
    CHECK(call(which, m, NULL) == fmi2Error || which == kFree);
    for (mode = 0; mode < 6; ++mode) {
      void* c = in_mode(m, mode);
      const int before = messages;
      const fmi2Status status = call(which, m, c);
      ++called;
      refused += status == fmi2Error;
      if (which != kFree) CHECK(status == expected(which, mode));
      if (status == fmi2Error && which != kFree) {
        CHECK(messages > before && strlen(last_message) > 10);
        CHECK(f.step(c, 0, m->step_size, fmi2False) == fmi2Error); /* an error is one until the instance is reset */
        CHECK(f.reset(c) == fmi2OK && enter(c, 100) == 0 && leave(c) == 0 && step(c, 0, m->step_size) == 0);
      }
      f.release(c);
    }
  }
  f.release(NULL);
  int visits[7] = {0}; /* of the modes, and steps */
  for (which = 0; which < 10; ++which) walk(m, (unsigned)which, 500, visits);
  for (which = 0; which <= 6; ++which) CHECK(visits[which] > 50);
  printf("%d calls, %d refused\n", called, refused);
  CHECK(called == 6 * kCalls && refused > 80);

  /* Wrong arguments. */
  const char* where = m->resources;
  CHECK(f.instantiate(NULL, fmi2CoSimulation, m->token, where, &callbacks, 0, 0) == NULL);
  CHECK(f.instantiate("a", fmi2CoSimulation, "{another}", where, &callbacks, 0, 0) == NULL && strstr(last_message, "{another}") != NULL);
  CHECK(f.instantiate("a", fmi2CoSimulation, NULL, where, &callbacks, 0, 0) == NULL);
  CHECK(f.instantiate("a", fmi2ModelExchange, m->token, where, &callbacks, 0, 0) == NULL);
  CHECK(f.instantiate("a", fmi2CoSimulation, m->token, "file:///nowhere", &callbacks, 0, 0) == NULL && strstr(last_message, "/nowhere"));
  CHECK(f.instantiate("a", fmi2CoSimulation, m->token, NULL, &callbacks, 0, 0) == NULL);
  CHECK(f.instantiate("a", fmi2CoSimulation, "{another}", where, NULL, 0, 0) == NULL); /* and nobody to tell */
  double value = 0, bad = 0.0 / 0.0;
  const unsigned output = m->output[0], input = 1, clock = 0;
  struct {
    int what;
  } wrong[] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}};
  size_t i;
  for (i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    void* c = in_mode(m, wrong[i].what == 9 ? 0 : 3);
    fmi2Status status = fmi2OK;
    if (i == 0) status = f.set_real(c, &output, 1, &value);          /* outputs are not set */
    if (i == 1) status = f.set_real(c, &clock, 1, &value);           /* nor is the time */
    if (i == 2) status = m->inputs > 0 ? f.set_real(c, &input, 1, &bad) : fmi2Error;
    if (i == 3) status = f.step(c, 0.5, m->step_size, fmi2False);    /* not where it is */
    if (i == 4) status = f.step(c, 0, 0, fmi2False);
    if (i == 5) status = f.step(c, 0, -1, fmi2False);
    if (i == 6) status = f.step(c, 0, 101, fmi2False);               /* beyond the end */
    if (i == 7) status = f.get_real(c, NULL, 1, &value);
    if (i == 8) status = f.get_real(c, &output, 1, NULL);
    if (i == 9) status = f.set_up(c, fmi2False, 0, 3, fmi2False, 0); /* another start */
    CHECK(status == fmi2Error);
    f.release(c);
  }
}
