/* A master in C that follows the state machines of FMI 2.0 and 3.0 to the letter, and one that does not:
 *   fmu_master VERSION OBJECT RESOURCES TOKEN SCENARIO STEPS STEP COUNT_OF_INPUTS OUTPUT_REFERENCE...
 * VERSION is 2 or 3, RESOURCES an absolute path. Inputs have the value references 1, 2, ..., and at the communication point k the
 * value 0.1 sin(0.3 k + i). In the scenario tune:REFERENCE:VALUE a parameter takes another value half of the way; in
 * refuse:REFERENCE:VALUE that must be an error. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "master.h"

static int failures = 0, checks = 0;

void check(int good, const char* what, const char* file, int line) {
  ++checks;
  if (good) return;
  ++failures;
  printf("%s:%d: not %s\n", file, line, what);
}

static double input_value(int k, int i) { return 0.1 * sin(0.3 * k + i); }

static void set_inputs(const Master* m, void* c, int k) {
  int i;
  for (i = 1; i <= m->inputs; ++i) {
    const double value = input_value(k, i);
    CHECK(m->set(c, (unsigned)i, value) == 0);
  }
}

/* From communication point `from` to `to`; what is reached goes to `rows` (may be NULL), outputs of one after the other. */
static void advance(const Master* m, void* c, int from, int to, double* rows) {
  int k, j;
  for (k = from; k < to; ++k) {
    set_inputs(m, c, k);
    CHECK(m->step(c, k * m->step_size, m->step_size) == 0);
    for (j = 0; rows != NULL && j < m->outputs; ++j) CHECK(m->get(c, m->output[j], rows++) == 0);
  }
}

static void* started(const Master* m, const char* name) {
  void* c = m->instantiate(m, name);
  CHECK(c != NULL);
  if (c == NULL) exit(1);
  set_inputs(m, c, 0);
  CHECK(m->enter(c, m->steps * m->step_size) == 0);
  CHECK(m->leave(c) == 0);
  return c;
}

static void end(const Master* m, void* c) {
  CHECK(m->terminate(c) == 0);
  m->release(c);
}

static int same(const double* a, const double* b, int count) { return memcmp(a, b, sizeof(double) * (size_t)count) == 0; }

/* Prints every number in full. */
static void run(const Master* m) {
  double value = 0;
  int k, j;
  void* c = started(m, "one");
  for (k = 0; k <= m->steps; ++k) {
    if (k > 0) advance(m, c, k - 1, k, NULL);
    CHECK(m->get(c, 0, &value) == 0);
    printf("row %a", value);
    for (j = 0; j < m->outputs; ++j) {
      CHECK(m->get(c, m->output[j], &value) == 0);
      printf(" %a", value);
    }
    printf("\n");
  }
  end(m, c);
}

static void state(const Master* m) {
  const int half = m->steps / 2, count = (m->steps - half) * m->outputs;
  double* first = calloc((size_t)count, sizeof(double));
  double* again = calloc((size_t)count, sizeof(double));
  void *saved = NULL, *c = started(m, "one"), *other;
  size_t size = 0;
  char* bytes;
  advance(m, c, 0, half, NULL);
  set_inputs(m, c, half); /* set, but no step with them yet */
  CHECK(m->get_state(c, &saved) == 0 && saved != NULL);
  advance(m, c, half, m->steps, first);
  CHECK(m->set_state(c, saved) == 0);
  advance(m, c, half, m->steps, again);
  CHECK(same(first, again, count));

  /* As bytes, in a new instance that has not even been initialized. */
  CHECK(m->state_size(c, saved, &size) == 0 && size > 100);
  bytes = malloc(size);
  CHECK(m->serialize(c, saved, bytes, size) == 0);
  CHECK(m->free_state(c, &saved) == 0 && saved == NULL);
  end(m, c);
  other = m->instantiate(m, "other");
  CHECK(m->deserialize(other, bytes, size, &saved) == 0);
  CHECK(m->set_state(other, saved) == 0);
  memset(again, 0, sizeof(double) * (size_t)count);
  advance(m, other, half, m->steps, again);
  CHECK(same(first, again, count));
  /* Overwritten, and reset: as it was at the start. */
  CHECK(m->get_state(other, &saved) == 0);
  CHECK(m->reset(other) == 0);
  set_inputs(m, other, 0);
  CHECK(m->enter(other, m->steps * m->step_size) == 0 && m->leave(other) == 0);
  advance(m, other, 0, half, NULL);
  advance(m, other, half, m->steps, again);
  CHECK(same(first, again, count));
  m->release(other); /* with a state that nobody freed */
  free(bytes);
  free(first);
  free(again);
}

/* Communication points k h and sums of h go different ways by rounding. */
static void long_run(const Master* m) {
  void *counted = started(m, "counted"), *summed = started(m, "summed");
  double t = 0, last = 0;
  int k, good = 1;
  for (k = 0; good && k < m->steps; ++k) {
    good = m->step(counted, k * m->step_size, m->step_size) == 0 && m->step(summed, t, m->step_size) == 0;
    t += m->step_size;
  }
  CHECK(good);
  CHECK(fabs(t - m->steps * m->step_size) > 1e-6 * m->step_size); /* or the run is too short to show anything */
  CHECK(m->get(counted, 0, &last) == 0 && fabs(last - m->steps * m->step_size) < 1e-2 * m->step_size);
  printf("%d steps, at %.17g s\n", k, last);
  end(m, counted);
  end(m, summed);
}

static void two(const Master* m) {
  const int count = m->steps * m->outputs;
  double* alone = calloc((size_t)count, sizeof(double));
  double* one = calloc((size_t)count, sizeof(double));
  double* late = calloc((size_t)count, sizeof(double));
  const int behind = 3;
  void *a = started(m, "alone"), *b;
  int k;
  advance(m, a, 0, m->steps, alone);
  end(m, a);
  a = started(m, "a");
  b = started(m, "b");
  for (k = 0; k < m->steps + behind; ++k) {
    if (k < m->steps) advance(m, a, k, k + 1, one + k * m->outputs);
    if (k >= behind) advance(m, b, k - behind, k - behind + 1, late + (k - behind) * m->outputs);
  }
  CHECK(same(alone, one, count) && same(alone, late, count));
  end(m, b);
  end(m, a);
  free(alone);
  free(one);
  free(late);
}

/* Directional derivatives along random directions, at every communication point: beside differences of outputs whose inputs are
 * moved, and backwards; and asking for them changes nothing. */
static void derivatives(const Master* m) {
  const int count = m->steps * m->outputs;
  double* alone = calloc((size_t)count, sizeof(double));
  double* asked = calloc((size_t)count, sizeof(double));
  double result[2000], up[2000], down[2000], seed[2000], along[100], back[100];
  unsigned known[100];
  int k, j, i, moved = 0;
  void *c = started(m, "alone"), *probe;
  CHECK(m->inputs > 0 && m->inputs <= 100);
  advance(m, c, 0, m->steps, alone);
  end(m, c);
  srand(5);
  for (i = 0; i < m->inputs; ++i) known[i] = (unsigned)i + 1;
  c = started(m, "one");
  probe = started(m, "whose inputs are moved");
  for (k = 0; k < m->steps; ++k) {
    const double d = 1e-5;
    double forth = 0, back_again = 0, size_of_all = 0;
    set_inputs(m, c, k);
    set_inputs(m, probe, k);
    for (i = 0; i < m->inputs; ++i) along[i] = 2.0 * rand() / RAND_MAX - 1;
    for (j = 0; j < m->outputs; ++j) seed[j] = 2.0 * rand() / RAND_MAX - 1;
    CHECK(m->derivative(c, m->output, (size_t)m->outputs, known, (size_t)m->inputs, along, result) == 0);
    for (i = 0; i < m->inputs; ++i) CHECK(m->set(probe, known[i], input_value(k, i + 1) + d * along[i]) == 0);
    for (j = 0; j < m->outputs; ++j) CHECK(m->get(probe, m->output[j], &up[j]) == 0);
    for (i = 0; i < m->inputs; ++i) CHECK(m->set(probe, known[i], input_value(k, i + 1) - d * along[i]) == 0);
    for (j = 0; j < m->outputs; ++j) CHECK(m->get(probe, m->output[j], &down[j]) == 0);
    for (j = 0; j < m->outputs; ++j) {
      const double slope = (up[j] - down[j]) / (2 * d), size = fabs(up[j]) + fabs(down[j]);
      CHECK(fabs(slope - result[j]) <= 1e-6 * fabs(slope) + 1e-15 / d * size);
      moved += result[j] != 0;
      forth += seed[j] * result[j];
      size_of_all += fabs(result[j]);
    }
    if (m->adjoint != NULL) {
      CHECK(m->adjoint(c, m->output, (size_t)m->outputs, known, (size_t)m->inputs, seed, back) == 0);
      for (i = 0; i < m->inputs; ++i) back_again += along[i] * back[i];
      CHECK(fabs(back_again - forth) <= 1e-13 * size_of_all);
    }
    advance(m, c, k, k + 1, asked + k * m->outputs);
    advance(m, probe, k, k + 1, NULL);
  }
  CHECK(same(alone, asked, count));
  printf("%d derivatives that are not 0\n", moved);
  /* Of inputs and the time, by outputs: none; an error, and the rest is as ever. */
  CHECK(m->derivative(c, known, 1, known, 1, along, result) != 0);
  CHECK(m->reset(c) == 0 && m->enter(c, 1) == 0 && m->derivative(c, m->output, 1, known, 1, along, result) == 0);
  CHECK(m->derivative(c, m->output, 1, m->output, 1, along, result) != 0);
  CHECK(m->derivative(c, m->output, 0, known, 0, NULL, NULL) == 0);
  m->release(c);
  m->release(probe);
  free(alone);
  free(asked);
}

static void print_rows(const Master* m, const double* rows, int count) {
  int k, j;
  for (k = 0; k < count; ++k) {
    printf("row");
    for (j = 0; j < m->outputs; ++j) printf(" %a", rows[k * m->outputs + j]);
    printf("\n");
  }
}

/* A parameter changes on the way; saved, restored, and in a new instance after that. */
static void tune(const Master* m, unsigned reference, double value) {
  const int half = m->steps / 2, rest = (m->steps - half) * m->outputs;
  double* rows = calloc((size_t)(m->steps * m->outputs), sizeof(double));
  double* again = calloc((size_t)(m->steps * m->outputs), sizeof(double));
  void *saved = NULL, *c = started(m, "one"), *other;
  double was = 0, is = 0;
  size_t size = 0;
  char* bytes;
  advance(m, c, 0, half, rows);
  CHECK(m->get(c, reference, &was) == 0 && was != value);
  CHECK(m->set(c, reference, value) == 0);
  CHECK(m->get(c, reference, &is) == 0 && is == value);
  CHECK(m->get_state(c, &saved) == 0);
  advance(m, c, half, m->steps, rows + half * m->outputs);
  print_rows(m, rows, m->steps);
  CHECK(m->set_state(c, saved) == 0);
  advance(m, c, half, m->steps, again);
  CHECK(same(rows + half * m->outputs, again, rest));
  CHECK(m->set(c, reference, was) == 0); /* and back again */
  CHECK(m->state_size(c, saved, &size) == 0);
  bytes = malloc(size);
  CHECK(m->serialize(c, saved, bytes, size) == 0);
  CHECK(m->reset(c) == 0); /* as if nothing had been */
  set_inputs(m, c, 0);
  CHECK(m->enter(c, m->steps * m->step_size) == 0 && m->leave(c) == 0);
  CHECK(m->get(c, reference, &is) == 0 && is == was);
  advance(m, c, 0, half, again);
  CHECK(same(rows, again, half * m->outputs));
  end(m, c);
  other = m->instantiate(m, "other");
  CHECK(m->deserialize(other, bytes, size, &saved) == 0 && m->set_state(other, saved) == 0);
  advance(m, other, half, m->steps, again);
  CHECK(same(rows + half * m->outputs, again, rest));
  m->release(other);
  free(bytes);
  free(rows);
  free(again);
}

/* One that is fixed: set before it starts, an error after. */
static void refuse(const Master* m, unsigned reference, double value) {
  double is = 0;
  void* c = m->instantiate(m, "one");
  CHECK(m->set(c, reference, value) == 0);
  CHECK(m->enter(c, m->steps * m->step_size) == 0 && m->leave(c) == 0);
  CHECK(m->get(c, reference, &is) == 0 && is == value);
  advance(m, c, 0, 1, NULL);
  CHECK(m->set(c, reference, value) != 0);
  m->release(c);
}

/* STEPS times: load, run, unload. What is allocated does not grow. */
static void cycles(Master* m) {
  size_t before = 0, after = 0;
  int k;
  const int count = m->steps;
  m->steps = 3;
  for (k = 0; k < count; ++k) {
    void* c;
    if (k > 0) load(m);
    c = started(m, "one");
    advance(m, c, 0, 3, NULL);
    end(m, c);
    CHECK(dlclose(m->library) == 0);
    if (k == 1) before = mallinfo2().uordblks;
    after = mallinfo2().uordblks;
  }
  printf("%d cycles, %zu bytes after the second and %zu at the end; the object is %s\n", count, before, after,
         dlopen(m->object, RTLD_NOW | RTLD_NOLOAD) == NULL ? "gone" : "still there");
  CHECK(after <= before + 1000);
}

int main(int argc, char** argv) {
  Master m;
  int i;
  if (argc < 9) return 2;
  memset(&m, 0, sizeof m);
  m.version = atoi(argv[1]);
  m.object = argv[2];
  m.resources = argv[3];
  m.token = argv[4];
  m.steps = atoi(argv[6]);
  m.step_size = atof(argv[7]);
  m.inputs = atoi(argv[8]);
  for (i = 9; i < argc && m.outputs < 2000; ++i) m.output[m.outputs++] = (unsigned)atoi(argv[i]);
  load(&m);
  if (strcmp(argv[5], "run") == 0) run(&m);
  if (strcmp(argv[5], "state") == 0) state(&m);
  if (strcmp(argv[5], "two") == 0) two(&m);
  if (strcmp(argv[5], "long") == 0) long_run(&m);
  if (strcmp(argv[5], "derivatives") == 0) derivatives(&m);
  if (strcmp(argv[5], "cycles") == 0) cycles(&m);
  if (strncmp(argv[5], "tune:", 5) == 0 || strncmp(argv[5], "refuse:", 7) == 0) {
    char* rest = strchr(argv[5], ':') + 1;
    const unsigned reference = (unsigned)strtoul(rest, &rest, 10);
    (argv[5][0] == 't' ? tune : refuse)(&m, reference, atof(rest + 1));
  }
  if (strcmp(argv[5], "early") == 0) early_returns3(&m);
  if (strcmp(argv[5], "orders") == 0) m.version == 2 ? wrong_orders2(&m) : wrong_orders3(&m);
  printf("%s: %d checks, %d failed\n", argv[5], checks, failures);
  return failures > 0 || checks == 0;
}
