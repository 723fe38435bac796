/** @file
 * Binary interface between a site server and a site adapter in a plug-in: version 1.
 *
 * Plain C, fixed-width types; no ownership crosses the border. This version is final: what
 * its first release laid down does not change, and a plug-in that was built against it is
 * loaded as it is. It grows only at the end of trestle_adapter_v1, whose `size` says how
 * much of it a plug-in has. A later version gets a new entry name and a new header, and
 * site servers continue to load version 1.
 *
 * A plug-in is a shared object that exports one function, trestle_site_adapter_v1(), which
 * returns a table of functions. `trestle adapter new NAME` writes a working one;
 * `trestle adapter check FILE.so` checks the rules below by their numbers.
 *
 * R1  One thread at a time calls the functions of a rig. The exceptions are hold() and
 * set_outputs(): any thread may call them, several at once too, while another function runs
 * or hangs. No other
 * function is called then: not stop(), not close(), not diagnose(). If read() or write()
 * does not return in time, a watching thread calls hold(), and again when the function has
 * returned; neither is called again before a person has cleared that fault. R2  No
 * exception leaves a function. All state is in what open() returned: two rigs of one
 * plug-in are independent. R3  Lengths are metres or radians, forces newtons or newton
 * metres, times seconds or whole nanoseconds, in every argument. The force of an actuator
 * is the one needed to hold the specimen where it is: +k d of a spring, in the direction of
 * the displacement. R4  The order is: open, describe, then runs, then stop, close. A run is
 * prepare, and then ticks: each one read() and at most one write(). Before a run, checks
 * may read and drive real equipment. Every function except open may be called any number of
 * times.
 */
#ifndef TRESTLE_SITE_ADAPTER_ABI_H
#define TRESTLE_SITE_ADAPTER_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this interface. */
#define TRESTLE_SITE_ADAPTER_ABI 1u
/** Name of the exported function. */
#define TRESTLE_SITE_ADAPTER_ENTRY "trestle_site_adapter_v1"

/** Largest number of actuators of a rig. */
#define TRESTLE_MOST_ACTUATORS 16u
/** Largest number of separate load cells of a rig. */
#define TRESTLE_MOST_REACTIONS 24u
/** Largest number of auxiliary channels of a rig. */
#define TRESTLE_MOST_AUXILIARY 64u
/** Largest number of digital inputs, and of digital outputs, of a rig. */
#define TRESTLE_MOST_CONTACTS 32u
/** Largest number of values in a snapshot. */
#define TRESTLE_MOST_STATE 65536u

/* NOLINTBEGIN(modernize-use-using,readability-identifier-naming): names of C */
/** Result of a call: TRESTLE_ADAPTER_OK, TRESTLE_ADAPTER_LATE or TRESTLE_ADAPTER_TRIPPED.
 */
typedef int32_t trestle_adapter_status;
/** Values of trestle_adapter_status. */
enum {
  /** Done. */
  TRESTLE_ADAPTER_OK = 0,
  /** read: no fresh measurement in this tick; the caller ignores the arrays.
   * write: the drive may not have reached the rig. */
  TRESTLE_ADAPTER_LATE = 1,
  /** The rig's own protection acted, or the plug-in cannot continue: the run must stop.
   * diagnose() states the reason. */
  TRESTLE_ADAPTER_TRIPPED = 2
};

/** Properties of the rig. The caller sets `size` and fills the rest with zeros.
 * R5  The plug-in returns the same values at every call, from open to close. */
typedef struct trestle_rig_capabilities {
  uint32_t size;               /**< sizeof(trestle_rig_capabilities) of the caller */
  uint32_t actuators;          /**< 1 to 16 */
  uint32_t reactions;          /**< separate load cells at force-only DOFs, 0 to 24 */
  uint32_t auxiliary_channels; /**< 0 to 64 */
  uint8_t real_equipment;      /**< 1: it can break or injure; 0: simulated */
  uint8_t hardware_watchdog;   /**< 1: a device outside the program stops the rig if write()
                                  stops */
  uint8_t measures_velocity;   /**< 0 or 1 */
  uint8_t measures_acceleration; /**< 0 or 1 */
  uint8_t reserved[4];           /**< zero */
  double max_rate_hz;            /**< largest tick rate [Hz], > 0 */
} trestle_rig_capabilities;

/** Kinds of channels, for describe_channel(). */
enum {
  TRESTLE_ACTUATOR = 0,  /**< an actuator */
  TRESTLE_REACTION = 1,  /**< a separate load cell */
  TRESTLE_AUXILIARY = 2, /**< any other measured channel */
  TRESTLE_INPUT = 3, /**< a digital input; only if the plug-in has trestle_contacts_v1 */
  TRESTLE_OUTPUT = 4 /**< a digital output; likewise */
};
/** Name and unit of one channel. The caller sets `size` and fills the rest with zeros;
 * texts end with a zero. If the name is empty, the channel's number is used.
 *
 * Auxiliary channels named drive_1, drive_2, ..., one for each actuator, with the unit m,
 * mm, um, cm or rad, mrad, urad, deg, report the drive that the equipment's own controller
 * has in force, also before the first write(). The site then begins with that drive,
 * whatever the rig measures. Equipment that continues to run after the end of the site's
 * process should have them.
 *
 * Auxiliary channels named acceleration_1, acceleration_2, ..., one for each interface DOF
 * in the order of the site, with the unit m/s2, mm/s2, rad/s2 or mrad/s2, report the
 * acceleration of the specimen relative to its base. A test with `inertia: measured` uses
 * them to remove the specimen's inertia from the force. */
typedef struct trestle_channel {
  uint32_t size;       /**< sizeof(trestle_channel) of the caller */
  uint8_t rotates;     /**< of an actuator; 1: radians and newton metres */
  uint8_t reserved[3]; /**< zero */
  char name[32];       /**< ends with a zero */
  char unit[16];       /**< of an auxiliary channel; ends with a zero */
} trestle_channel;

/** Settings of a run, which the caller fills. */
typedef struct trestle_run {
  uint32_t size;     /**< sizeof(trestle_run) of the caller */
  uint32_t reserved; /**< zero */
  double tick_s;     /**< control tick [s], > 0 */
  uint64_t seed;     /**< of all noise of a simulated rig */
} trestle_run;

/** One reading. The caller sets `size` and owns the arrays.
 * R6  After OK every number of every array that is not NULL is set, and finite. */
typedef struct trestle_sensed {
  uint32_t size;     /**< sizeof(trestle_sensed) of the caller */
  uint32_t reserved; /**< zero */
  /** Time at which the transducers were read: `now_ns` less the age of the reading [ns].
   * R7  Never later than `now_ns`. */
  int64_t measured_at_ns;
  double* displacement; /**< one per actuator [m | rad] */
  double* force;        /**< one per actuator, +k d [N | N m] */
  double* reaction;     /**< one per reaction [N | N m]; NULL if the rig has none */
  double* velocity;     /**< one per actuator [m/s | rad/s]; NULL if not measured */
  double* acceleration; /**< one per actuator [m/s2 | rad/s2]; NULL if not measured */
  double*
      auxiliary; /**< one per auxiliary channel, in its unit; NULL if the rig has none */
} trestle_sensed;

/** Digital inputs of a rig, as of one tick. Bit 0 is input 0. The caller sets `size` and
 * fills the rest with zeros. */
typedef struct trestle_inputs {
  uint32_t size;   /**< sizeof(trestle_inputs) of the caller */
  uint32_t known;  /**< 1: the input was read in this tick; 0: it was not, or not in time */
  uint32_t closed; /**< 1: its contact is closed; of an input that is not known: 0 */
  uint32_t reserved; /**< zero */
} trestle_inputs;

/** Digital inputs and outputs of a rig: contacts, closed or open. A site maps an input by
 * its name to a reaction (hold, ramp, release) and takes one that is not known for active.
 * It maps an output to what it tells: the site is ready, a test is running. The emergency
 * stop, the cage and whatever else must work without a computer is wired besides. */
typedef struct trestle_contacts_v1 {
  uint32_t size;     /**< sizeof(trestle_contacts_v1) */
  uint32_t reserved; /**< zero */

  /** Writes how many inputs and outputs the rig has: 0 to 32 each. R18 The same numbers at
   * every call, and describe_channel() names each: TRESTLE_INPUT, TRESTLE_OUTPUT. No two
   * inputs, and no two outputs, have the same name. */
  void (*count)(void* rig, uint32_t* inputs, uint32_t* outputs);
  /** Gives the inputs as read() found them. R19 Follows a read() in each tick, whatever it
   * returned, on the same thread; together with read() and write() it takes less than a
   * tick, and as these it neither blocks, allocates, takes a lock nor opens a file. An
   * input without a fresh level, as read() understands a fresh measurement, is not known:
   * an old level is never repeated. No bit beyond the last input is set. */
  void (*inputs)(void* rig, trestle_inputs* inputs);
  /** Sets all outputs; bit 0 is output 0, 1: closed. R20 As hold(): in any state, any
   * number of times, on any thread, also while another function runs or hangs; it neither
   * blocks nor allocates. An output keeps its level until the next call. All are open from
   * open() to the first call, after stop() and after close(), and where the equipment no
   * longer hears the program. Bits beyond the last output are ignored. */
  void (*set_outputs)(void* rig, uint32_t closed);
} trestle_contacts_v1;

/** Functions of a plug-in. */
typedef struct trestle_adapter_v1 {
  uint32_t abi;  /**< TRESTLE_SITE_ADAPTER_ABI */
  uint32_t size; /**< sizeof(struct trestle_adapter_v1); the first release ended at close */

  /** Opens the rig and returns a pointer to it, which every other function receives.
   * `settings` is the content of `settings:` in SITE.yaml: one line `path: value` per
   * value, each ended by a line feed: "gain: 3\n", "field.type: u32\n". R8  May block and
   * allocate. For an unknown setting or an impossible value it returns NULL and writes a
   * sentence to `why`, of at most `why_size` bytes with the zero at its end; a sentence
   *     about a setting begins with `path: `. Nothing moves.
   * R9  After close it works again, any number of times, and leaves nothing behind. */
  void* (*open)(const char* settings, char* why, uint32_t why_size);
  /** Writes the properties of the rig. See R5. */
  void (*describe)(void* rig, trestle_rig_capabilities* capabilities);
  /** Writes name and unit of channel `index` (from 0) of the kind `what`: TRESTLE_ACTUATOR,
   * TRESTLE_REACTION or TRESTLE_AUXILIARY. */
  void (*describe_channel)(void* rig, uint32_t what, uint32_t index,
                           trestle_channel* channel);

  /** Prepares a run; may block and allocate. Returns OK, or TRIPPED with a sentence in
   * `why`. R10 A simulated rig is at rest at zero afterwards, and the same run gives the
   * same readings, bit for bit. Real equipment does not move. */
  trestle_adapter_status (*prepare)(void* rig, const trestle_run* run, char* why,
                                    uint32_t why_size);

  /** Reads the transducers. A tick is one read() and then one write().
   * R11 Neither blocks, allocates, takes a lock or opens a file; together they take less
   *     than a tick, every time.
   * R12 read() returns the effect of the drives of all ticks so far. The first one after
   *     prepare() finds the rig at rest at its present position; with each further one a
   * simulated rig advances by one tick, whatever `now_ns` is. `now_ns` counts from the
   * start of the run, or of the checks before it, and does not decrease within either. */
  trestle_adapter_status (*read)(void* rig, int64_t now_ns, trestle_sensed* sensed);
  /** Sets the drive.
   * R13 `drive` is the position that each actuator shall follow from now on [m | rad]: one
   * finite number each, which the safety gate of the site has accepted. The rig follows it
   * unchanged or not at all. */
  trestle_adapter_status (*write)(void* rig, const double* drive);

  /** Stops the rig at its present position and keeps the pressure.
   * R14 In any state, any number of times, on any thread, also while another function runs
   * or hangs, and in a signal handler: it neither blocks nor allocates. The hold lasts
   * until the next write() that begins after it. A write() that is under way must not move
   * the rig afterwards: count the holds, and compare the count again before the drive is
   * sent. read() continues to work. */
  void (*hold)(void* rig);
  /** Makes the rig safe to approach, as far as it can.
   * R15 May block. In any state, any number of times. */
  void (*stop)(void* rig);
  /** Writes one sentence about the rig's state for the operator; after TRIPPED, the reason.
   * R16 At most `text_size` bytes with the zero at its end. Neither blocks nor allocates.
   */
  void (*diagnose)(void* rig, char* text, uint32_t text_size);

  /** Writes the whole state of a simulated rig.
   * R17 A simulated rig may save its whole state as finite numbers and restore it; it then
   * continues from there, bit for bit. save() returns the number of values, always the same
   * after prepare(), and writes at most `room` of them. restore() returns OK, or TRIPPED if
   * the values are not a state of this rig. save() neither blocks nor allocates. Both are
   * NULL if the rig has no such state; real equipment has none. */
  uint32_t (*save)(void* rig, double* state, uint32_t room);
  /** Reads the state that save() wrote. See R17. */
  trestle_adapter_status (*restore)(void* rig, const double* state, uint32_t count);

  /** Releases the rig and all that open() acquired; `rig` is not used after it. */
  void (*close)(void* rig);

  /** Digital inputs and outputs, valid as long as this table; NULL: the rig has none. Not
   * in the first release: `size` says whether it is there. Without it an auxiliary channel
   * with the unit 0/1 is a digital input: closed from 0.5 on. */
  const trestle_contacts_v1* contacts;
} trestle_adapter_v1;

/** Returns the table of functions; the only symbol that a plug-in must export. The table is
 * valid as long as the plug-in is loaded. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const trestle_adapter_v1*
trestle_site_adapter_v1(void);

/* NOLINTEND(modernize-use-using,readability-identifier-naming) */

#ifdef __cplusplus
}
#endif
#endif
