/* A small FMU written by hand, of both versions: a PI controller with a filtered derivative, y = kp u + i + d with i' = ki u held over a step,
 * d = kd (u - u before)/h. References: 0 u (input), 1 y (output), 2 kp, 3 ki, 4 kd (parameters), 5 n (integer output: steps), 6 on
 * (boolean input). It is what others' FMUs are like: no look at resources, its state in a struct. */
#include <stdlib.h>
#include <string.h>

#include "fmi2.h"
#include "fmi3.h"

typedef struct {
  double u, kp, ki, kd, i, before, h;
  int n, on;
} Pid;

static double output(const Pid* p) { return p->on ? p->kp * p->u + p->i + (p->n > 0 ? p->kd * ((p->u - p->before) / p->h) : 0) : 0; }

static Pid* make(void) {
  Pid* p = calloc(1, sizeof(Pid));
  p->kp = 1;
  p->on = 1;
  return p;
}

static int set(Pid* p, unsigned reference, double value) {
  if (reference == 0) p->u = value;
  else if (reference == 2) p->kp = value;
  else if (reference == 3) p->ki = value;
  else if (reference == 4) p->kd = value;
  else return 3;
  return 0;
}

static int get(const Pid* p, unsigned reference, double* value) {
  const double values[] = {p->u, output(p), p->kp, p->ki, p->kd};
  if (reference > 4) return 3;
  *value = values[reference];
  return 0;
}

/* Fails beyond a second when ki is negative, so that failures can be seen. */
static int step(Pid* p, double t, double h) {
  if (p->ki < 0 && t > 1) return 3;
  p->h = h;
  p->i = p->i + p->ki * p->u * h;
  p->before = p->u;
  p->n += 1;
  return 0;
}

static const fmi2CallbackFunctions* told;

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean logging) {
  (void)name, (void)type, (void)resources, (void)visible, (void)logging;
  told = functions;
  return strcmp(guid, "{pid}") == 0 ? make() : NULL;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean a, fmi2Real b, fmi2Real start, fmi2Boolean d, fmi2Real stop) {
  (void)c, (void)a, (void)b, (void)start, (void)d, (void)stop;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return (void)c, fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return (void)c, fmi2OK; }
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) { return n == 1 ? (fmi2Status)set(c, r[0], v[0]) : fmi2Error; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) { return n == 1 ? (fmi2Status)get(c, r[0], v) : fmi2Error; }
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer v[]) { return (void)c, (void)r, (void)n, (void)v, fmi2Error; }
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Integer v[]) { return (void)n, v[0] = ((Pid*)c)->n, r[0] == 5 ? fmi2OK : fmi2Error; }
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Boolean v[]) { return (void)n, ((Pid*)c)->on = v[0], r[0] == 6 ? fmi2OK : fmi2Error; }
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Boolean v[]) { return (void)c, (void)r, (void)n, (void)v, fmi2Error; }
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean n) {
  const int status = step(c, t, h);
  (void)n;
  if (status != 0) told->logger(told->componentEnvironment, "pid", fmi2Error, "logStatusError", "the integral ran away at %g s", t);
  return (fmi2Status)status;
}

const char* fmi3GetVersion(void) { return "3.0"; }
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean a, fmi3Boolean b, fmi3Boolean d, fmi3Boolean e, const fmi3ValueReference r[], size_t n,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
  (void)name, (void)resources, (void)a, (void)b, (void)d, (void)e, (void)r, (void)n, (void)environment, (void)log, (void)update;
  return strcmp(token, "{pid}") == 0 ? make() : NULL;
}
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean a, fmi3Float64 b, fmi3Float64 d, fmi3Boolean e, fmi3Float64 g) { return (void)c, (void)a, (void)b, (void)d, (void)e, (void)g, fmi3OK; }
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return (void)c, fmi3OK; }
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 v[], size_t k) { return (void)k, n == 1 ? (fmi3Status)set(c, r[0], v[0]) : fmi3Error; }
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 v[], size_t k) { return (void)k, n == 1 ? (fmi3Status)get(c, r[0], v) : fmi3Error; }
fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Int32 v[], size_t k) { return (void)c, (void)r, (void)n, (void)v, (void)k, fmi3Error; }
fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Int32 v[], size_t k) { return (void)n, (void)k, v[0] = ((Pid*)c)->n, r[0] == 5 ? fmi3OK : fmi3Error; }
fmi3Status fmi3SetBoolean(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Boolean v[], size_t k) { return (void)n, (void)k, ((Pid*)c)->on = v[0], r[0] == 6 ? fmi3OK : fmi3Error; }
fmi3Status fmi3GetBoolean(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Boolean v[], size_t k) { return (void)c, (void)r, (void)n, (void)v, (void)k, fmi3Error; }
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean n, fmi3Boolean* event, fmi3Boolean* end, fmi3Boolean* early, fmi3Float64* reached) {
  (void)n;
  *event = *end = *early = false;
  *reached = t + h;
  return (fmi3Status)step(c, t, h);
}

/* The state is the struct. */
fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* s) { return *s = malloc(sizeof(Pid)), memcpy(*s, c, sizeof(Pid)), fmi3OK; }
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState s) { return memcpy(c, s, sizeof(Pid)), fmi3OK; }
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState* s) { return (void)c, free(*s), *s = NULL, fmi3OK; }
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState s, size_t* n) { return (void)c, (void)s, *n = sizeof(Pid), fmi3OK; }
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState s, fmi3Byte b[], size_t n) { return (void)c, memcpy(b, s, n), fmi3OK; }
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte b[], size_t n, fmi3FMUState* s) { return (void)c, *s = malloc(n), memcpy(*s, b, n), fmi3OK; }
