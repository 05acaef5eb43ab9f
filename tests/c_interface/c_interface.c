/* The C interface from C: c_interface_program PART SOURCE. */
#include "cardan/cardan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0, checks = 0;
#define CHECK(what)                                              \
  do {                                                           \
    ++checks;                                                    \
    if (!(what)) {                                               \
      ++failures;                                                \
      printf("%s:%d: not %s\n", __FILE__, __LINE__, #what);      \
    }                                                            \
  } while (0)

static const char* const kArm =
    "cardan: 1\nname: arm\nplanar: true\nparameters: {L: 1.5, m: 2, J: m*L^2/3}\npoints: {O: [0, 0], P: [L, 0]}\n"
    "bodies: {arm: {rod: [O, P], mass: m}}\njoints: {pin: {revolute: [ground, arm], at: O}}\n"
    "inputs: {push: {start: 0.5, min: -10, max: 10, unit: N m}, slow: {start: 1, lag: 0.1}}\n"
    "signals: {swing: {value: 2*pin.q, unit: rad}}\nloads: {motor: {actuator: pin, effort: push + slow}}\n"
    "outputs: [pin.q, pin.v, swing, motor.effort]\nsimulation: {until: 1, step: 0.01}\n";

static cardan_simulation* open_arm(void) {
  cardan_simulation* arm = NULL;
  const cardan_status status = cardan_open_text(kArm, "arm.yaml", NULL, 0, NULL, 0, &arm);
  if (status != CARDAN_OK) printf("%s\n", cardan_message(NULL));
  CHECK(status == CARDAN_OK && arm != NULL);
  if (arm == NULL) exit(1);
  return arm;
}

static int same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* Of swing = 2 pin.q and of the effort push + slow, where slow has a lag and does not jump. */
static void check_derivatives(void) {
  cardan_simulation* arm = open_arm();
  double slopes[4];
  CHECK(cardan_step(arm) == CARDAN_OK);
  CHECK(cardan_get_derivatives(arm, 0, slopes, 4) == CARDAN_OK);
  CHECK(slopes[0] == 0 && slopes[1] == 0 && slopes[2] == 0 && slopes[3] == 1);
  CHECK(cardan_get_derivatives(arm, 1, slopes, 4) == CARDAN_OK && slopes[3] == 0);
  CHECK(cardan_get_derivatives(arm, 2, slopes, 4) == CARDAN_BAD_INPUT && strstr(cardan_message(arm), "input") != NULL);
  CHECK(cardan_get_derivatives(arm, 0, slopes, 3) == CARDAN_BAD_INPUT);
  CHECK(cardan_get_derivatives(arm, 0, NULL, 4) == CARDAN_BAD_CALL);
  CHECK(cardan_get_derivatives(NULL, 0, slopes, 4) == CARDAN_BAD_CALL);
  cardan_close(arm);
}

static void check_variables(void) {
  cardan_simulation* arm = open_arm();
  cardan_variable v;
  size_t i = 99;
  double value = 0;
  CHECK(strcmp(cardan_name(arm), "arm") == 0);
  CHECK(strlen(cardan_version()) > 0);
  CHECK(cardan_count(arm, CARDAN_INPUT) == 2);
  CHECK(cardan_describe(arm, CARDAN_INPUT, 0, &v) == CARDAN_OK);
  CHECK(strcmp(v.name, "push") == 0 && strcmp(v.unit, "N m") == 0 && v.start == 0.5 && v.min == -10 && v.max == 10);
  CHECK(cardan_describe(arm, CARDAN_INPUT, 1, &v) == CARDAN_OK && isinf(v.max) && isinf(v.min));
  CHECK(cardan_count(arm, CARDAN_OUTPUT) == 4);
  CHECK(cardan_describe(arm, CARDAN_OUTPUT, 2, &v) == CARDAN_OK);
  CHECK(strcmp(v.name, "swing") == 0 && strcmp(v.unit, "rad") == 0 && v.start == 0);
  CHECK(cardan_count(arm, CARDAN_PARAMETER) == 3);
  CHECK(cardan_describe(arm, CARDAN_PARAMETER, 0, &v) == CARDAN_OK && strcmp(v.name, "L") == 0 && v.start == 1.5);
  CHECK(!v.follows && cardan_describe(arm, CARDAN_PARAMETER, 2, &v) == CARDAN_OK && v.follows && v.start == 1.5);
  CHECK(cardan_count(arm, CARDAN_SIGNAL) == 7);
  CHECK(cardan_find(arm, CARDAN_SIGNAL, "arm.x", &i) == CARDAN_OK);
  CHECK(cardan_get(arm, CARDAN_SIGNAL, i, &value) == CARDAN_OK && value == 0.75);
  CHECK(cardan_get_named(arm, "motor.effort", &value) == CARDAN_OK && value == 1.5);
  CHECK(cardan_set_input_named(arm, "push", 3) == CARDAN_OK);
  CHECK(cardan_get_named(arm, "motor.effort", &value) == CARDAN_OK && value == 4);
  CHECK(cardan_set_input(arm, 0, 100) == CARDAN_OK); /* held at its limit */
  CHECK(cardan_get(arm, CARDAN_INPUT, 0, &value) == CARDAN_OK && value == 10);
  cardan_close(arm);

  const cardan_parameter longer[] = {{"L", 3}};
  const cardan_option options[] = {{"formulation", "cartesian"}, {"integrator", "rk4"}, {"step", "0.002"}};
  CHECK(cardan_open_text(kArm, "arm.yaml", longer, 1, options, 3, &arm) == CARDAN_OK);
  CHECK(cardan_step_size(arm) == 0.002 && cardan_end(arm) == 1);
  CHECK(cardan_get_named(arm, "arm.x", &value) == CARDAN_OK && fabs(value - 1.5) < 1e-12);
  CHECK(cardan_describe(arm, CARDAN_PARAMETER, 2, &v) == CARDAN_OK && v.start == 6); /* what follows L */
  CHECK(strstr(cardan_summary(arm), "\"cartesian\"") != NULL);
  cardan_close(arm);
}

/* Without gravity and with a constant torque M the angle is M t^2 / (2 J), which the trapezoidal rule has exactly. */
static void check_order(void) {
  char text[1000];
  cardan_simulation* arm = NULL;
  double q = 0;
  int k;
  snprintf(text, sizeof text, "%sgravity: [0, 0]\n", kArm);
  CHECK(cardan_open_text(text, "arm.yaml", NULL, 0, NULL, 0, &arm) == CARDAN_OK);
  CHECK(cardan_set_input(arm, 0, 2) == CARDAN_OK);
  for (k = 1; k <= 100; ++k) {
    CHECK(cardan_step(arm) == CARDAN_OK);
    CHECK(fabs(cardan_time(arm) - 0.01 * k) < 1e-12);
    CHECK(cardan_get(arm, CARDAN_OUTPUT, 0, &q) == CARDAN_OK);
    CHECK(fabs(q - 3 * 1e-4 * k * k / (2 * 1.5)) < 1e-10);
  }
  CHECK(cardan_time(arm) == 1); /* the end of the run, exactly */
  CHECK(cardan_step_to(arm, 1.005) == CARDAN_OK && fabs(cardan_time(arm) - 1.005) < 1e-12);
  CHECK(cardan_step_to(arm, 1.005) == CARDAN_OK); /* nothing to do */
  CHECK(cardan_step_to(arm, 0.5) == CARDAN_BAD_INPUT);
  cardan_close(arm);
}

/* However the way is divided: steps are those of the model. */
static void check_bits(void) {
  cardan_simulation *one = open_arm(), *many = open_arm();
  double a[4], b[4];
  int k, i;
  for (k = 1; k <= 20; ++k) {
    cardan_set_input(one, 0, sin(k));
    cardan_set_input(many, 0, sin(k));
    CHECK(cardan_step_to(one, 0.05 * k) == CARDAN_OK);
    for (i = 0; i < 5; ++i) CHECK(cardan_step(many) == CARDAN_OK);
    CHECK(cardan_get_all(one, CARDAN_OUTPUT, a, 4) == CARDAN_OK && cardan_get_all(many, CARDAN_OUTPUT, b, 4) == CARDAN_OK);
    for (i = 0; i < 4; ++i) CHECK(same_bits(a[i], b[i]));
  }
  CHECK(a[0] != 0);
  cardan_close(one);
  cardan_close(many);
}

static void check_events(void) {
  char text[1500];
  cardan_simulation *one = NULL, *many = NULL;
  double a[4], b[4];
  int stopped = 7, stops = 0, k, i;
  snprintf(text, sizeof text,
           "%sevents: {off: {at: 0.3137, off: motor}, on: {at: 0.5, on: motor}, done: {when: t > 0.8003, end: true}}\n", kArm);
  if (cardan_open_text(text, "arm.yaml", NULL, 0, NULL, 0, &one) != CARDAN_OK) printf("%s\n", cardan_message(NULL));
  CHECK(cardan_open_text(text, "arm.yaml", NULL, 0, NULL, 0, &many) == CARDAN_OK);
  for (k = 1; k <= 7; ++k) {
    CHECK(cardan_step_to(one, 0.1 * k) == CARDAN_OK);
    do {
      CHECK(cardan_step_to_event(many, 0.1 * k, &stopped) == CARDAN_OK);
      if (stopped) {
        ++stops;
        CHECK(fabs(cardan_time(many) - 0.3137) < 1e-9);
      }
    } while (stopped);
    cardan_get_all(one, CARDAN_OUTPUT, a, 4);
    cardan_get_all(many, CARDAN_OUTPUT, b, 4);
    for (i = 0; i < 4; ++i) CHECK(same_bits(a[i], b[i]));
  }
  CHECK(stops == 1); /* the one at 0.5 is at the end of a step asked for */
  CHECK(!cardan_ended(one));
  CHECK(cardan_step_to(one, 1) == CARDAN_OK);
  CHECK(cardan_ended(one) && fabs(cardan_time(one) - 0.8003) < 1e-6);
  cardan_close(one);
  cardan_close(many);
}

static void check_state(void) {
  cardan_simulation *arm = open_arm(), *other = open_arm();
  const size_t size = cardan_state_size(arm);
  size_t written = 0;
  unsigned char* bytes = malloc(size);
  double first[4], again[4], elsewhere[4], fresh[4];
  int k;
  CHECK(size > 100);
  for (k = 0; k < 30; ++k) cardan_step(arm);
  cardan_set_input(arm, 0, -3); /* set, but no step with it yet */
  CHECK(cardan_save_state(arm, bytes, size, &written) == CARDAN_OK && written <= size && written > 100);
  for (k = 0; k < 30; ++k) cardan_step(arm);
  cardan_get_all(arm, CARDAN_OUTPUT, first, 4);
  CHECK(cardan_restore_state(arm, bytes, written) == CARDAN_OK && fabs(cardan_time(arm) - 0.3) < 1e-12);
  for (k = 0; k < 30; ++k) cardan_step(arm);
  cardan_get_all(arm, CARDAN_OUTPUT, again, 4);
  CHECK(cardan_restore_state(other, bytes, written) == CARDAN_OK);
  for (k = 0; k < 30; ++k) cardan_step(other);
  cardan_get_all(other, CARDAN_OUTPUT, elsewhere, 4);
  for (k = 0; k < 4; ++k) CHECK(same_bits(first[k], again[k]) && same_bits(first[k], elsewhere[k]));

  {
    size_t damaged = 0, refused = 0;
    for (size_t i = 0; i < written; i += 3, ++damaged) { /* whichever byte it is */
      bytes[i] ^= 0x10;
      refused += cardan_restore_state(arm, bytes, written) == CARDAN_BAD_CALL;
      bytes[i] ^= 0x10;
    }
    CHECK(damaged > 30 && refused == damaged);
    CHECK(cardan_restore_state(arm, bytes, written) == CARDAN_OK);
  }
  CHECK(cardan_save_state(arm, bytes, 20, &written) == CARDAN_BAD_INPUT && written == 0);
  CHECK(cardan_restore_state(arm, bytes, 20) == CARDAN_BAD_CALL);
  CHECK(cardan_restore_state(arm, "some text that is no state", 26) == CARDAN_BAD_CALL);
  CHECK(strstr(cardan_message(arm), "no state of 'arm'") != NULL);
  cardan_close(other);
  CHECK(cardan_reset(arm) == CARDAN_OK && cardan_time(arm) == 0);
  other = open_arm();
  for (k = 0; k < 100; ++k) CHECK(cardan_step(arm) == CARDAN_OK && cardan_step(other) == CARDAN_OK);
  cardan_get_all(arm, CARDAN_OUTPUT, again, 4);
  cardan_get_all(other, CARDAN_OUTPUT, fresh, 4);
  for (k = 0; k < 4; ++k) CHECK(same_bits(fresh[k], again[k]));
  cardan_close(other);

  /* Another step is another run. */
  const cardan_option finer[] = {{"step", "0.005"}};
  CHECK(cardan_open_text(kArm, "arm.yaml", NULL, 0, finer, 1, &other) == CARDAN_OK);
  CHECK(cardan_save_state(arm, bytes, size, &written) == CARDAN_OK);
  CHECK(cardan_restore_state(other, bytes, written) == CARDAN_BAD_CALL);
  cardan_close(other);
  cardan_close(arm);
  free(bytes);
}

/* Another mass from half of the way on. */
static void check_take_over(void) {
  const cardan_parameter heavy[] = {{"m", 4}}, longer[] = {{"L", 3}};
  const cardan_option other_step[] = {{"step", "0.002"}};
  cardan_simulation *arm = open_arm(), *changed = NULL, *refused = NULL;
  double v = 0, q = 0, half = 0, expected = 0;
  CHECK(cardan_set_input_named(arm, "push", 3) == CARDAN_OK && cardan_step_to(arm, 0.5) == CARDAN_OK);
  CHECK(cardan_get_named(arm, "pin.q", &half) == CARDAN_OK && cardan_get_named(arm, "pin.v", &expected) == CARDAN_OK);
  CHECK(cardan_open_text(kArm, "arm.yaml", heavy, 1, NULL, 0, &changed) == CARDAN_OK);
  CHECK(cardan_take_over(changed, arm) == CARDAN_OK);
  CHECK(cardan_time(changed) == cardan_time(arm));
  CHECK(cardan_get_named(changed, "pin.q", &q) == CARDAN_OK && fabs(q - half) < 1e-14);
  CHECK(cardan_get_named(changed, "pin.v", &v) == CARDAN_OK && fabs(v - expected) < 1e-13);
  CHECK(cardan_get(changed, CARDAN_INPUT, 0, &v) == CARDAN_OK && v == 3);
  CHECK(cardan_step_to(changed, 0.6) == CARDAN_OK && cardan_step_to(arm, 0.6) == CARDAN_OK);
  CHECK(cardan_get_named(changed, "pin.v", &v) == CARDAN_OK && cardan_get_named(arm, "pin.v", &q) == CARDAN_OK);
  CHECK(fabs(v - q) > 1e-3);
  CHECK(cardan_reset(changed) == CARDAN_BAD_INPUT);
  CHECK(cardan_open_text(kArm, "arm.yaml", longer, 1, NULL, 0, &refused) == CARDAN_OK);
  CHECK(cardan_take_over(refused, arm) == CARDAN_BAD_INPUT);
  CHECK(strstr(cardan_message(refused), "its bodies cannot change on the way") != NULL);
  CHECK(cardan_time(refused) == 0 && cardan_step(refused) == CARDAN_OK); /* as it was */
  cardan_close(refused);
  CHECK(cardan_open_text(kArm, "arm.yaml", NULL, 0, other_step, 1, &refused) == CARDAN_OK);
  CHECK(cardan_take_over(refused, arm) == CARDAN_BAD_INPUT && strstr(cardan_message(refused), "options") != NULL);
  CHECK(cardan_take_over(refused, NULL) == CARDAN_BAD_CALL && cardan_take_over(NULL, arm) == CARDAN_BAD_CALL);
  cardan_close(refused);
  cardan_close(changed);
  cardan_close(arm);
}

static void check_null(void) {
  cardan_simulation* arm = open_arm();
  cardan_variable v;
  size_t i = 0;
  double value = 0;
  int stopped = 0;
  CHECK(cardan_step(NULL) == CARDAN_BAD_CALL && cardan_step_to(NULL, 1) == CARDAN_BAD_CALL);
  CHECK(cardan_step_to_event(NULL, 1, &stopped) == CARDAN_BAD_CALL && cardan_reset(NULL) == CARDAN_BAD_CALL);
  CHECK(cardan_set_input(NULL, 0, 1) == CARDAN_BAD_CALL && cardan_set_input_named(NULL, "a", 1) == CARDAN_BAD_CALL);
  CHECK(cardan_get(NULL, CARDAN_INPUT, 0, &value) == CARDAN_BAD_CALL && cardan_get_named(NULL, "a", &value) == CARDAN_BAD_CALL);
  CHECK(cardan_get_all(NULL, CARDAN_INPUT, &value, 1) == CARDAN_BAD_CALL && cardan_describe(NULL, CARDAN_INPUT, 0, &v) == CARDAN_BAD_CALL);
  CHECK(cardan_find(NULL, CARDAN_INPUT, "a", &i) == CARDAN_BAD_CALL && cardan_set_end(NULL, 1) == CARDAN_BAD_CALL);
  CHECK(cardan_state_size(NULL) == 0 && cardan_save_state(NULL, &value, 8, NULL) == CARDAN_BAD_CALL);
  CHECK(cardan_restore_state(NULL, &value, 8) == CARDAN_BAD_CALL && cardan_summary(NULL) == NULL);
  CHECK(isnan(cardan_time(NULL)) && isnan(cardan_step_size(NULL)) && isnan(cardan_end(NULL)) && !cardan_ended(NULL));
  CHECK(cardan_count(NULL, CARDAN_INPUT) == 0 && strcmp(cardan_name(NULL), "") == 0);
  cardan_close(NULL);
  CHECK(cardan_get(arm, CARDAN_OUTPUT, 0, NULL) == CARDAN_BAD_CALL && cardan_describe(arm, CARDAN_OUTPUT, 0, NULL) == CARDAN_BAD_CALL);
  CHECK(cardan_find(arm, CARDAN_OUTPUT, NULL, &i) == CARDAN_BAD_CALL && cardan_find(arm, CARDAN_OUTPUT, "a", NULL) == CARDAN_BAD_CALL);
  CHECK(cardan_save_state(arm, NULL, 8, NULL) == CARDAN_BAD_CALL && cardan_restore_state(arm, NULL, 8) == CARDAN_BAD_CALL);
  CHECK(cardan_get_all(arm, CARDAN_OUTPUT, NULL, 4) == CARDAN_BAD_CALL && cardan_set_input_named(arm, NULL, 1) == CARDAN_BAD_CALL);
  CHECK(cardan_step_to_event(arm, 0.01, NULL) == CARDAN_OK);
  cardan_close(arm);
}

static void check_refusals(void) {
  cardan_simulation* arm = (cardan_simulation*)&failures;
  const cardan_parameter wrong[] = {{"M", 3}}, nameless[] = {{NULL, 3}};
  const cardan_option word[] = {{"formulation", "hybird"}}, number[] = {{"step", "small"}}, unknown[] = {{"stepp", "1"}};
  double value = 0;
  CHECK(cardan_open("nowhere/arm.yaml", NULL, 0, NULL, 0, &arm) == CARDAN_BAD_INPUT && arm == NULL);
  CHECK(strstr(cardan_message(NULL), "nowhere/arm.yaml") != NULL);
  CHECK(cardan_open(NULL, NULL, 0, NULL, 0, &arm) == CARDAN_BAD_INPUT && cardan_open("x", NULL, 0, NULL, 0, NULL) == CARDAN_BAD_CALL);
  CHECK(cardan_open_text(NULL, NULL, NULL, 0, NULL, 0, &arm) == CARDAN_BAD_INPUT);
  CHECK(cardan_open_text(kArm, NULL, NULL, 1, NULL, 0, &arm) == CARDAN_BAD_CALL);
  CHECK(cardan_open_text(kArm, NULL, nameless, 1, NULL, 0, &arm) == CARDAN_BAD_CALL);
  CHECK(cardan_open_text("cardan: 1\nbodies: {a: {mass: -1}}\n", "bad.yaml", NULL, 0, NULL, 0, &arm) == CARDAN_BAD_INPUT);
  CHECK(strncmp(cardan_message(NULL), "bad.yaml:2:", 11) == 0);
  CHECK(cardan_open_text(kArm, NULL, wrong, 1, NULL, 0, &arm) == CARDAN_BAD_INPUT && strstr(cardan_message(NULL), "'M'"));
  CHECK(cardan_open_text(kArm, NULL, NULL, 0, word, 1, &arm) == CARDAN_BAD_INPUT && strstr(cardan_message(NULL), "did you mean 'hybrid'"));
  CHECK(cardan_open_text(kArm, NULL, NULL, 0, number, 1, &arm) == CARDAN_BAD_INPUT && strstr(cardan_message(NULL), "'small'"));
  CHECK(cardan_open_text(kArm, NULL, NULL, 0, unknown, 1, &arm) == CARDAN_BAD_INPUT && strstr(cardan_message(NULL), "'step'"));
  arm = open_arm();
  CHECK(strcmp(cardan_message(NULL), "") == 0);
  CHECK(cardan_get(arm, CARDAN_OUTPUT, 4, &value) == CARDAN_BAD_INPUT && strstr(cardan_message(arm), "the model has 4"));
  CHECK(cardan_get(arm, (cardan_kind)17, 0, &value) == CARDAN_BAD_INPUT && cardan_count(arm, (cardan_kind)17) == 0);
  CHECK(cardan_get_named(arm, "pin.w", &value) == CARDAN_BAD_INPUT && strstr(cardan_message(arm), "pin.w"));
  CHECK(cardan_set_input(arm, 2, 1) == CARDAN_BAD_INPUT && cardan_set_input(arm, 0, NAN) == CARDAN_BAD_INPUT);
  CHECK(cardan_set_input_named(arm, "pusch", 1) == CARDAN_BAD_INPUT && strstr(cardan_message(arm), "did you mean 'push'"));
  CHECK(cardan_get_all(arm, CARDAN_OUTPUT, &value, 1) == CARDAN_BAD_INPUT);
  CHECK(cardan_step_to(arm, INFINITY) == CARDAN_BAD_INPUT && cardan_step_to(arm, NAN) == CARDAN_BAD_INPUT && cardan_set_end(arm, NAN) == CARDAN_BAD_INPUT);
  cardan_close(arm);

  /* A driver that cannot go on: the state is that before, and what to do is said. */
  const char* reach =
      "cardan: 1\nname: reach\nplanar: true\nbodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [1, 1]], mass: 1}}\n"
      "joints: {p: {revolute: [ground, a], at: [0, 0]}, q: {revolute: [a, b], at: [1, 0]}}\n"
      "drivers: {d: {distance: [ground, b], at: [[0, 0], [1, 1]], position: 1.4142135623730951 + 2*t}}\nsimulation: {until: 1, step: 0.01}\n";
  int k = 0;
  if (cardan_open_text(reach, "reach.yaml", NULL, 0, NULL, 0, &arm) != CARDAN_OK) printf("%s\n", cardan_message(NULL));
  cardan_status status = CARDAN_OK;
  for (k = 0; k < 100 && status == CARDAN_OK; ++k) status = cardan_step(arm);
  CHECK(status == CARDAN_FAILED && k > 10 && k < 60);
  CHECK(strlen(cardan_message(arm)) > 20 && cardan_get_named(arm, "a.x", &value) == CARDAN_OK && isfinite(value));
  cardan_close(arm);
}

/* The program counts what it allocates itself: malloc of the C library, as shared objects see it. */
#ifdef __SANITIZE_ADDRESS__
static void check_allocations(const char* source) { CHECK(source != NULL); /* malloc is the sanitizer's */ }
#else
static size_t allocations = 0;
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
__attribute__((visibility("default"))) void* malloc(size_t size) { return ++allocations, __libc_malloc(size); }
__attribute__((visibility("default"))) void* calloc(size_t n, size_t size) { return ++allocations, __libc_calloc(n, size); }
__attribute__((visibility("default"))) void* realloc(void* p, size_t size) { return ++allocations, __libc_realloc(p, size); }
__attribute__((visibility("default"))) void* aligned_alloc(size_t a, size_t size) { return ++allocations, __libc_memalign(a, size); }

static void check_allocations(const char* source) {
  const char* models[] = {"double_four_bar", "iltis_driven", "excavator"};
  size_t m;
  for (m = 0; m < 3; ++m) {
    char path[1000];
    cardan_simulation* s = NULL;
    double values[2000];
    int k;
    snprintf(path, sizeof path, "%s/models/%s.yaml", source, models[m]);
    size_t before = allocations;
    CHECK(cardan_open(path, NULL, 0, NULL, 0, &s) == CARDAN_OK);
    CHECK(allocations > before + 100); /* it counts */
    const size_t outputs = cardan_count(s, CARDAN_OUTPUT), size = cardan_state_size(s);
    unsigned char* bytes = malloc(size);
    CHECK(outputs > 0 && outputs < 2000);
    before = allocations;
    for (k = 0; k < 100; ++k) {
      if (cardan_count(s, CARDAN_INPUT) > 0) CHECK(cardan_set_input(s, 0, 0.001 * k) == CARDAN_OK);
      CHECK(cardan_step(s) == CARDAN_OK && cardan_get_all(s, CARDAN_OUTPUT, values, outputs) == CARDAN_OK);
      CHECK(cardan_save_state(s, bytes, size, NULL) == CARDAN_OK);
    }
    CHECK(allocations == before);
    cardan_close(s);
    free(bytes);
  }
}
#endif

/* Every model of the folder can be opened, stepped, and taken back to its start. */
static void check_models(const char* source) {
  const char* models[] = {"andrews_squeezer", "bricard", "forklift", "four_bar", "puma560", "slider_crank", "stewart_platform", "wishbone_axle"};
  size_t m, stepped = 0;
  for (m = 0; m < sizeof models / sizeof models[0]; ++m) {
    char path[1000];
    cardan_simulation* s = NULL;
    double first = 0, again = 0;
    int k;
    snprintf(path, sizeof path, "%s/models/%s.yaml", source, models[m]);
    if (cardan_open(path, NULL, 0, NULL, 0, &s) != CARDAN_OK) printf("%s\n", cardan_message(NULL));
    for (k = 0; k < 5; ++k) CHECK(cardan_step(s) == CARDAN_OK);
    CHECK(cardan_get(s, CARDAN_OUTPUT, 0, &first) == CARDAN_OK);
    CHECK(cardan_reset(s) == CARDAN_OK);
    for (k = 0; k < 5; ++k) CHECK(cardan_step(s) == CARDAN_OK);
    CHECK(cardan_get(s, CARDAN_OUTPUT, 0, &again) == CARDAN_OK && same_bits(first, again));
    ++stepped;
    cardan_close(s);
  }
  CHECK(stepped == 8);
}

int main(int count, char** words) {
  const char* part = count > 2 ? words[1] : "";
  if (strcmp(part, "variables") == 0) check_variables(), check_derivatives();
  if (strcmp(part, "order") == 0) check_order();
  if (strcmp(part, "bits") == 0) check_bits();
  if (strcmp(part, "events") == 0) check_events();
  if (strcmp(part, "state") == 0) check_state(), check_take_over();
  if (strcmp(part, "refusals") == 0) check_null(), check_refusals();
  if (strcmp(part, "allocations") == 0) check_allocations(words[2]);
  if (strcmp(part, "models") == 0) check_models(words[2]);
  printf("%s: %d checks, %d failed\n", part, checks, failures);
  return failures > 0 || checks == 0;
}
