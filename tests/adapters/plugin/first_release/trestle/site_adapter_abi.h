/* The binary contract between a site server and a site adapter built by others: version 1.
 *
 * Plain C, fixed-width types, no ownership across the border. This version is finished: it
 * is never changed. What is new gets a new entry name and a header of its own, and site
 * servers go on to load this one.
 *
 * A plug-in is a shared object that exports one function, trestle_site_adapter_v1(), which
 * returns a table of functions. `trestle adapter new NAME` writes one that works;
 * `trestle adapter check FILE.so` looks at every rule below, by its number.
 *
 * R1  Every function is called by one thread at a time, never two at once, with the
 *     exceptions of hold().
 * R2  No exception leaves a function. Nothing is kept outside what open() returned: two
 *     rigs of one plug-in do not know of each other.
 * R3  Lengths are metres or radians, forces newtons or newton metres, times seconds or
 * whole nanoseconds, in every argument. The force of an actuator is the one needed to hold
 *     the specimen where it is: +k d of a spring, in the direction of the displacement.
 * R4  The order is: open, describe, then runs, then stop, close. A run is prepare, and then
 *     ticks: each one read() and at most one write(). Before a run real equipment may be
 *     read and driven by checks. Any function but open may come any number of times.
 */
#ifndef TRESTLE_SITE_ADAPTER_ABI_H
#define TRESTLE_SITE_ADAPTER_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRESTLE_SITE_ADAPTER_ABI 1u
#define TRESTLE_SITE_ADAPTER_ENTRY "trestle_site_adapter_v1"

/* Most of each that one rig may have. */
#define TRESTLE_MOST_ACTUATORS 16u
#define TRESTLE_MOST_REACTIONS 24u
#define TRESTLE_MOST_AUXILIARY 64u
/* Most numbers that a snapshot may have. */
#define TRESTLE_MOST_STATE 65536u

typedef int32_t trestle_adapter_status;
enum {
  TRESTLE_ADAPTER_OK = 0,
  /* read: no fresh measurement this tick, the arrays are not looked at.
   * write: the drive may not have reached the rig. */
  TRESTLE_ADAPTER_LATE = 1,
  /* The rig's own protection acted, or the plug-in cannot go on: the run must stop.
   * diagnose() says why. */
  TRESTLE_ADAPTER_TRIPPED = 2
};

/* What the rig is and can do. The caller sets `size` and fills the rest with zeros.
 * R5  The same at every call, from open to close. */
typedef struct trestle_rig_capabilities {
  uint32_t size;
  uint32_t actuators;          /* 1 to 16 */
  uint32_t reactions;          /* load cells of their own at force-only DOFs, 0 to 24 */
  uint32_t auxiliary_channels; /* 0 to 64 */
  uint8_t real_equipment;      /* 1: it could break or hurt; 0: simulated */
  uint8_t hardware_watchdog;   /* 1: something outside the program stops the rig where
                                  write() stays away */
  uint8_t measures_velocity;
  uint8_t measures_acceleration;
  uint8_t reserved[4]; /* zero */
  double max_rate_hz;  /* of ticks; above zero */
} trestle_rig_capabilities;

/* One channel, for people. The caller sets `size` and fills the rest with zeros; texts end
 * with a zero. An empty name is the channel's number. */
enum { TRESTLE_ACTUATOR = 0, TRESTLE_REACTION = 1, TRESTLE_AUXILIARY = 2 };
typedef struct trestle_channel {
  uint32_t size;
  uint8_t rotates;     /* of an actuator: 1: radians and newton metres */
  uint8_t reserved[3]; /* zero */
  char name[32];
  char unit[16]; /* of an auxiliary channel */
} trestle_channel;

/* What a rig is told before a run. */
typedef struct trestle_run {
  uint32_t size;
  uint32_t reserved; /* zero */
  double tick_s;     /* from one tick to the next, above zero */
  uint64_t seed;     /* of all noise of a simulated rig */
} trestle_run;

/* One reading. The caller sets `size`; the arrays are its own.
 * R6  After OK every number of every array that is not NULL is set, and finite. */
typedef struct trestle_sensed {
  uint32_t size;
  uint32_t reserved; /* zero */
  /* When the transducers were read: `now_ns` less the age of the reading.
   * R7  Never later than `now_ns`. */
  int64_t measured_at_ns;
  double* displacement; /* one per actuator */
  double* force;        /* one per actuator */
  double* reaction;     /* one per reaction; NULL where there are none */
  double* velocity;     /* one per actuator; NULL where not measured */
  double* acceleration; /* one per actuator; NULL where not measured */
  double* auxiliary;    /* one per auxiliary channel; NULL where there are none */
} trestle_sensed;

typedef struct trestle_adapter_v1 {
  uint32_t abi;  /* TRESTLE_SITE_ADAPTER_ABI */
  uint32_t size; /* sizeof(struct trestle_adapter_v1) */

  /* Takes the rig. `settings` is what stands under `settings:` in SITE.yaml, a line
   * `path: value` for each value, ended by a line feed: "gain: 3\n", "field[2].type:
   * u32\n". R8  May block and allocate. What it does not know among the settings, and what
   * cannot be, it refuses: it returns NULL, with a sentence in `why`, which begins with
   *     `path: ` where it is about a setting. Nothing moves.
   * R9  After close it works again, any number of times, and leaves nothing behind. */
  void* (*open)(const char* settings, char* why, uint32_t why_size);
  void (*describe)(void* rig, trestle_rig_capabilities* capabilities);
  /* `what` is TRESTLE_ACTUATOR, TRESTLE_REACTION or TRESTLE_AUXILIARY. */
  void (*describe_channel)(void* rig, uint32_t what, uint32_t index,
                           trestle_channel* channel);

  /* Before a run; may block and allocate. OK, or TRIPPED with a sentence in `why`.
   * R10 A simulated rig is at rest at zero afterwards, and the same run gives the same
   *     readings, bit for bit. Real equipment does not move. */
  trestle_adapter_status (*prepare)(void* rig, const trestle_run* run, char* why,
                                    uint32_t why_size);

  /* A tick is one read() and then one write().
   * R11 Neither blocks, allocates, takes a lock or opens a file; together they take less
   *     than a tick, every time.
   * R12 read() tells what the drives of all ticks so far have done. The first one after
   *     prepare() finds the rig at rest where it is; with each further one a simulated rig
   *     advances by one tick, whatever `now_ns` is. `now_ns` counts from the start of the
   *     run, or of the checks before it, and never goes back between two of those. */
  trestle_adapter_status (*read)(void* rig, int64_t now_ns, trestle_sensed* sensed);
  /* R13 `drive` is where each actuator shall go from now on: one finite number each, which
   *     the safety gate of the site let through. It is done as it is, or not at all. */
  trestle_adapter_status (*write)(void* rig, const double* drive);

  /* R14 Stop where you are, keep the pressure. In any state, any number of times, on any
   *     thread, also while another function runs or does not come back, and in a signal
   *     handler: it neither blocks nor allocates. It lasts until the next write(); read()
   *     goes on to work. */
  void (*hold)(void* rig);
  /* R15 Leave the rig safe for people to approach, as far as it can. May block. In any
   *     state, any number of times. */
  void (*stop)(void* rig);
  /* R16 A sentence about the rig's state for the operator, of at most `text_size` bytes
   *     with the zero at its end; after TRIPPED, why. Neither blocks nor allocates. */
  void (*diagnose)(void* rig, char* text, uint32_t text_size);

  /* R17 A simulated rig may give its whole state, as finite numbers, and take it back: it
   *     then goes on from there, bit for bit. save() returns how many there are, always the
   *     same after prepare(), and writes at most `room` of them; restore() returns OK, or
   *     TRIPPED where they are no state of its own. save() neither blocks nor allocates.
   *     Both NULL: there is none, as with all real equipment. */
  uint32_t (*save)(void* rig, double* state, uint32_t room);
  trestle_adapter_status (*restore)(void* rig, const double* state, uint32_t count);

  /* Gives the rig back, and all that open() took; `rig` is not used after it. */
  void (*close)(void* rig);
} trestle_adapter_v1;

/* The one symbol that a plug-in exports. The table stands as long as the plug-in is loaded.
 */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const trestle_adapter_v1*
trestle_site_adapter_v1(void);

#ifdef __cplusplus
}
#endif
#endif
