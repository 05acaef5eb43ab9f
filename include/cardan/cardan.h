/* The C interface: a mechanism under way behind a handle, for C, Matlab, Julia, C#, controllers; FMUs are built on it.
 * C99.
 *
 * Every function that can fail answers with a cardan_status, and cardan_message() says what is wrong. Nothing throws,
 * and any order of calls is answered: NULL where a handle or a result is needed is CARDAN_BAD_CALL. A handle belongs to
 * one thread at a time; different handles are independent. Between cardan_open() and cardan_close() no function
 * allocates memory but cardan_summary(), cardan_take_over(), the first cardan_get_derivatives(), and those that fail.
 * Units are SI and radians; docs/connect.md has an example. */
#ifndef CARDAN_CARDAN_H
#define CARDAN_CARDAN_H

#include <stddef.h>

#if defined(__GNUC__)
#define CARDAN_API __attribute__((visibility("default")))
#else
#define CARDAN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardan_simulation cardan_simulation;

typedef enum cardan_status {
  CARDAN_OK = 0,
  CARDAN_FAILED = 1, /* the motion could not go on: the state is that of the last good step, of a table that ends a run
                      * the first beyond it */
  CARDAN_BAD_INPUT = 2, /* a model, option, name, index or number: nothing has changed */
  CARDAN_BAD_CALL = 3,  /* NULL, or bytes of another model */
  CARDAN_INTERNAL = 4   /* no memory, or a fault of the library */
} cardan_status;

/* Replaces a parameter of the model by name; SUBSYSTEM/NAME those of its parts. */
typedef struct cardan_parameter {
  const char* name;
  double value;
} cardan_parameter;

/* What stands under `simulation:` in model files: {"formulation", "hybrid"}, {"step", "0.001"}, ... */
typedef struct cardan_option {
  const char* name;
  const char* value;
} cardan_option;

/* Of an input, output, signal or parameter; the words live as long as the handle. */
typedef struct cardan_variable {
  const char* name;
  const char* unit; /* "m", "rad/s", "N m"; "" when there is none */
  double start;     /* its value at the start */
  double min, max;  /* inputs; infinite when there is no limit */
  int follows;      /* parameters: 1 when an expression of others gives it */
} cardan_variable;

/* Whatever number comes from C is then one that C++ may look at, and refuse. */
#ifdef __cplusplus
#define CARDAN_ANY_NUMBER : int
#else
#define CARDAN_ANY_NUMBER
#endif

typedef enum cardan_kind CARDAN_ANY_NUMBER {
  CARDAN_INPUT = 0,    /* what the model's `inputs:` takes from outside */
  CARDAN_OUTPUT = 1,   /* what its `outputs:` names; without: named signals, states, and coordinates of joints */
  CARDAN_SIGNAL = 2,   /* every column of trajectory.csv but the time */
  CARDAN_PARAMETER = 3 /* of the model file itself */
} cardan_kind;

/* "0.1.0" */
CARDAN_API const char* cardan_version(void);

/* Reads, checks, assembles and compiles a model, from a file or from text (what it refers to is looked for beside
 * `file_name`, which messages call it). Options take the place of the model's. *simulation is NULL when that fails. */
CARDAN_API cardan_status cardan_open(const char* path, const cardan_parameter* parameters, size_t parameter_count,
                                     const cardan_option* options, size_t option_count, cardan_simulation** simulation);
CARDAN_API cardan_status cardan_open_text(const char* text, const char* file_name, const cardan_parameter* parameters,
                                          size_t parameter_count, const cardan_option* options, size_t option_count,
                                          cardan_simulation** simulation);
/* NULL is nothing to close. */
CARDAN_API void cardan_close(cardan_simulation* simulation);

/* Why the last call with this handle failed; with NULL, why the last cardan_open() of this thread did. "" when none
 * has. */
CARDAN_API const char* cardan_message(const cardan_simulation* simulation);
CARDAN_API const char* cardan_name(const cardan_simulation* simulation);

/* How many there are, 0 for NULL; what one is; which index a name has. */
CARDAN_API size_t cardan_count(const cardan_simulation* simulation, cardan_kind kind);
CARDAN_API cardan_status cardan_describe(cardan_simulation* simulation, cardan_kind kind, size_t index,
                                         cardan_variable* variable);
CARDAN_API cardan_status cardan_find(cardan_simulation* simulation, cardan_kind kind, const char* name, size_t* index);

/* From now on the input is this value, within its limits. Not a number is refused. */
CARDAN_API cardan_status cardan_set_input(cardan_simulation* simulation, size_t index, double value);
CARDAN_API cardan_status cardan_set_input_named(cardan_simulation* simulation, const char* name, double value);
/* The value of one, or of all of a kind in their order. Those of signals and outputs go with the time and the inputs as
 * they are; all of them are found together when the first is asked for. */
CARDAN_API cardan_status cardan_get(cardan_simulation* simulation, cardan_kind kind, size_t index, double* value);
CARDAN_API cardan_status cardan_get_all(cardan_simulation* simulation, cardan_kind kind, double* values, size_t count);
CARDAN_API cardan_status cardan_get_named(cardan_simulation* simulation, const char* signal, double* value);

/* How every output changes at once for a unit of an input, the motion and the states being as they are: exact
 * derivatives, in the order of the outputs; NaN where none is known: of accelerations, reactions, and forces but for
 * efforts of actuators and pulls along lines. */
CARDAN_API cardan_status cardan_get_derivatives(cardan_simulation* simulation, size_t input, double* derivatives,
                                                size_t count);

/* s; NaN for NULL. */
CARDAN_API double cardan_time(const cardan_simulation* simulation);
/* The step and the end that options or the model give, s; NaN for NULL. */
CARDAN_API double cardan_step_size(const cardan_simulation* simulation);
CARDAN_API double cardan_end(const cardan_simulation* simulation);
/* Where a run ends: a step up to there but for rounding ends there exactly, as that of `cardan run`. No limit. */
CARDAN_API cardan_status cardan_set_end(cardan_simulation* simulation, double time);

/* One step of the model's, events included: the same bits as `cardan run`. */
CARDAN_API cardan_status cardan_step(cardan_simulation* simulation);
/* Steps up to `time`: the last one is shortened to end there, unless it is a whole step but for rounding. Integrators
 * that choose their steps end one there too. cardan_step_to_event() returns earlier where an event happens, once all
 * events of that instant have been dealt with; *stopped (may be NULL) is 1 if it did. */
CARDAN_API cardan_status cardan_step_to(cardan_simulation* simulation, double time);
CARDAN_API cardan_status cardan_step_to_event(cardan_simulation* simulation, double time, int* stopped);
/* 1 when an event of the model has ended the run: steps may still be taken. 0 for NULL. */
CARDAN_API int cardan_ended(const cardan_simulation* simulation);

/* Everything that the next step depends on, as bytes: for another handle of the same model with the same options too,
 * on the same kind of machine; 0 for NULL. cardan_save_state() writes at most `size` bytes and says how many in
 * *written (may be NULL). */
CARDAN_API size_t cardan_state_size(cardan_simulation* simulation);
CARDAN_API cardan_status cardan_save_state(cardan_simulation* simulation, void* bytes, size_t size, size_t* written);
CARDAN_API cardan_status cardan_restore_state(cardan_simulation* simulation, const void* bytes, size_t size);
/* Goes on where `other` stands, which was opened with other parameters: those of this handle hold from there on. They
 * may differ in what gives masses, loads and expressions their values; CARDAN_BAD_INPUT where places of bodies, joints,
 * drivers, events, starts or options differ, and then nothing has changed. Allocates; cardan_reset() is not possible
 * afterwards. */
CARDAN_API cardan_status cardan_take_over(cardan_simulation* simulation, const cardan_simulation* other);
/* As after cardan_open(). */
CARDAN_API cardan_status cardan_reset(cardan_simulation* simulation);

/* summary.json of what has been so far, until the next call with this handle; NULL when that fails. */
CARDAN_API const char* cardan_summary(cardan_simulation* simulation);

#ifdef __cplusplus
}
#endif

#endif
