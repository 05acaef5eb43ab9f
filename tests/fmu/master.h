/* What the master needs of an FMU, whatever its version: master2.c and master3.c provide it. Functions answer with the status of
 * FMI, in which 0 is good in both versions. */
#ifndef CARDAN_TEST_MASTER_H
#define CARDAN_TEST_MASTER_H

#include <stddef.h>

typedef struct Master Master;
struct Master {
  int version, steps, inputs, outputs;
  double step_size;
  const char *object, *resources, *token;
  unsigned output[2000];
  void* library;

  void* (*instantiate)(const Master* m, const char* name);
  void (*release)(void* c);
  int (*enter)(void* c, double stop); /* with the experiment set up */
  int (*leave)(void* c);
  int (*terminate)(void* c);
  int (*reset)(void* c);
  int (*set)(void* c, unsigned reference, double value);
  int (*get)(void* c, unsigned reference, double* value);
  int (*step)(void* c, double t, double h);
  int (*derivative)(void* c, const unsigned* unknowns, size_t unknown_count, const unsigned* knowns, size_t known_count, const double* along, double* result);
  int (*adjoint)(void* c, const unsigned* unknowns, size_t unknown_count, const unsigned* knowns, size_t known_count, const double* along, double* result); /* FMI 3.0 */
  int (*get_state)(void* c, void** state);
  int (*set_state)(void* c, void* state);
  int (*free_state)(void* c, void** state);
  int (*state_size)(void* c, void* state, size_t* size);
  int (*serialize)(void* c, void* state, char* bytes, size_t size);
  int (*deserialize)(void* c, const char* bytes, size_t size, void** state);
};

/* Loads the object and finds every function of its version. */
void load(Master* m);
void load2(Master* m);
void load3(Master* m);
void wrong_orders2(const Master* m);
void wrong_orders3(const Master* m);
void early_returns3(const Master* m);

void check(int good, const char* what, const char* file, int line);
#define CHECK(what) check(what, #what, __FILE__, __LINE__)
/* A function of the object; the program ends where there is none. */
void find(const Master* m, const char* name, void* place);

#endif
