/* What `cardan drive` and another process say to each other, over UDP or in shared memory: for the other side, in C.
 * Numbers are little-endian, doubles IEEE 754. docs/drive.md tells the way from a model to a controller. */
#ifndef CARDAN_WIRE_H
#define CARDAN_WIRE_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CARDAN_WIRE_MAGIC 0x4e445243u /* "CRDN" */
#define CARDAN_WIRE_VERSION 1
#define CARDAN_WIRE_INPUTS 1  /* to Cardan: values of the model's inputs, in their order; fewer leave the rest as it is */
#define CARDAN_WIRE_OUTPUTS 2 /* from Cardan: values of the model's outputs, in their order */
#define CARDAN_WIRE_MOST 180  /* numbers in a frame: it fits into one packet of 1500 bytes */

/* A frame is this head, then `count` doubles. */
typedef struct {
  uint32_t magic;    /* CARDAN_WIRE_MAGIC */
  uint16_t version;  /* CARDAN_WIRE_VERSION */
  uint16_t kind;     /* CARDAN_WIRE_INPUTS or CARDAN_WIRE_OUTPUTS */
  uint32_t session;  /* of the sender: another number each time that it starts, so that its sequence may begin anew */
  uint32_t count;    /* of the doubles that follow */
  uint64_t sequence; /* 1, 2, 3, …: what is not above that of the last frame applied is left alone */
  uint64_t answers;  /* of outputs: the sequence of the inputs that the state has felt; of inputs: 0 */
  double time;       /* s: of outputs the time of the simulation, of inputs whatever the sender likes */
} cardan_wire_head;

typedef struct {
  cardan_wire_head head;
  double values[CARDAN_WIRE_MOST];
} cardan_wire_frame;

static inline size_t cardan_wire_size(const cardan_wire_frame* frame) {
  return sizeof(cardan_wire_head) + frame->head.count * sizeof(double);
}

static inline void cardan_wire_begin(cardan_wire_frame* frame, uint16_t kind, uint32_t session, uint64_t sequence,
                                     uint32_t count) {
  memset(&frame->head, 0, sizeof frame->head);
  frame->head.magic = CARDAN_WIRE_MAGIC;
  frame->head.version = CARDAN_WIRE_VERSION;
  frame->head.kind = kind;
  frame->head.session = session;
  frame->head.sequence = sequence;
  frame->head.count = count < CARDAN_WIRE_MOST ? count : CARDAN_WIRE_MOST;
}

/* Whether so many bytes are a whole frame of this kind. */
static inline int cardan_wire_valid(const cardan_wire_frame* frame, size_t bytes, uint16_t kind) {
  return bytes >= sizeof(cardan_wire_head) && frame->head.magic == CARDAN_WIRE_MAGIC &&
         frame->head.version == CARDAN_WIRE_VERSION && frame->head.kind == kind &&
         frame->head.count <= CARDAN_WIRE_MOST && bytes == cardan_wire_size(frame);
}

/* Shared memory (shm_open) holds one of these: each side writes its own slot and reads the other's. */
typedef struct {
  uint64_t version; /* odd while the frame is being written */
  cardan_wire_frame frame;
} cardan_wire_slot;

typedef struct {
  cardan_wire_slot inputs, outputs;
} cardan_wire_memory;

static inline void cardan_wire_put(cardan_wire_slot* slot, const cardan_wire_frame* frame) {
  const uint64_t version = __atomic_load_n(&slot->version, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->version, version + 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  memcpy(&slot->frame, frame, cardan_wire_size(frame));
  __atomic_store_n(&slot->version, version + 2, __ATOMIC_RELEASE);
}

/* Bytes of the newest frame, copied to `frame`; 0 when there is none or it is being written: look again. */
static inline size_t cardan_wire_look(const cardan_wire_slot* slot, cardan_wire_frame* frame) {
  const uint64_t before = __atomic_load_n(&slot->version, __ATOMIC_ACQUIRE);
  if (before == 0 || before % 2 != 0) return 0;
  memcpy(frame, &slot->frame, sizeof *frame);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (__atomic_load_n(&slot->version, __ATOMIC_RELAXED) != before || frame->head.count > CARDAN_WIRE_MOST) return 0;
  return cardan_wire_size(frame);
}

#ifdef __cplusplus
}
#endif

#endif
