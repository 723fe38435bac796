#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/time.h"
#include "core/types/announcement.h"
#include "core/types/execution_mode.h"
#include "core/types/fault.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"
#include "core/types/motion.h"
#include "core/types/record.h"
#include "core/types/sync_timestamps.h"

namespace trestle {

/// The messages of the bus as plain structs. `proto/*.proto` says what each field means on
/// the wire; core/bus/codec is the only place where the two meet.

/// Names one test from Configure to Stop.
using SessionId = std::array<std::uint8_t, 16>;

/// The step that the initial measurement answers (no target, outside the ledger).
inline constexpr std::int64_t kInitialStep = -1;

// --- the two messages of a running test: fixed size, never on the heap ---

struct StepCommand {
  SessionId session{};
  std::int64_t step = 0;
  TimePoint due{};  ///< session time at which the target holds
  InterfaceMotion target;
  /// The part of the target that is known in advance, and the command for that part. Size
  /// zero if no such part exists.
  InterfaceMotion feedforward_target;
  InterfaceVector command_feedforward;  ///< [m | rad]
  SyncTimestamps exchange{};
};

/// The motion of one site's actuators in one step, at the end-of-step measurement.
struct ActuatorReport {
  ActuatorVector target;    ///< [m | rad]
  ActuatorVector command;   ///< after compensation: what the gate let through [m | rad]
  ActuatorVector measured;  ///< [m | rad]
  ActuatorVector force;     ///< [N | N·m]
  /// By the compensator's present coefficients; size zero: it has no opinion.
  ActuatorVector delay{};      ///< of the transfer system [s]
  ActuatorVector amplitude{};  ///< measured over commanded
};

/// Stamps of the delay ledger that a site makes, on its own clock.
struct SiteTimestamps {
  TimePoint received{};  ///< S1: by the thread that owns the socket
  TimePoint started{};   ///< S2: execution starts
  TimePoint driven{};    ///< S3: the first drive of the step is written
  TimePoint closed{};    ///< S4: the closing measurement is read
  bool operator==(const SiteTimestamps&) const = default;
};

struct StepResponse {
  SessionId session{};
  std::int64_t step = kInitialStep;
  TimePoint measured_at{};   ///< session time of the end-of-step measurement
  InterfaceVector measured;  ///< one per controlled DOF [m | rad]
  /// Needed to hold the specimen: +K·d, one per DOF, controlled ones first [N | N·m].
  InterfaceVector force;
  ActuatorReport actuators;
  SyncTimestamps exchange{};  ///< `sent` is S5: the reply begins to be encoded
  SiteTimestamps stamps{};
  bool missed = false;  ///< real-time: the command had not come when it was due
};

// --- before and after it: may allocate ---

struct Version {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  bool operator==(const Version&) const = default;
};

/// The version of the messages; nodes with different major versions refuse each other.
inline constexpr Version kProtocolVersion{1, 0};

struct ActuatorDescription {
  std::string name;
  DofKind kind = DofKind::kTranslation;
  bool operator==(const ActuatorDescription&) const = default;
};

/// The description that a site sends of itself.
struct SiteDescription {
  std::string name;
  std::string software;    ///< version of the program
  int interface_dofs = 0;  ///< controlled ones
  std::vector<ActuatorDescription> actuators;
  std::vector<std::string> modes;  ///< modes of pace that it can follow
  bool real_equipment = false;
  bool hardware_watchdog = false;
  double shortest_tick = 0.0;  ///< [s]; 0: any
};

struct Hello {  ///< site to integrator, repeated until Welcome
  Version protocol = kProtocolVersion;
  SiteDescription site;
  SessionId last_session{};  ///< all zero: none
  std::int64_t last_step = kInitialStep;
  std::int64_t unconfirmed_step = kInitialStep;  ///< begun, no result kept; −1: none
  bool can_resume = false;                       ///< it can resume last_session from there
};

struct Welcome {  ///< integrator to site
  Version protocol = kProtocolVersion;
  std::string software;
};

struct Rejection {  ///< either way: why the last message is not followed
  std::string reason;
  Fault fault{};  ///< of a target beyond a limit: which one
};

struct Configure {  ///< integrator to site
  SessionId session{};
  std::string test;
  std::string mode;
  double time_step = 0.0;  ///< Δt [s]
  int ticks_per_step = 1;
  std::uint64_t seed = 0;
  std::int64_t steps_planned = 0;
  InterfaceLayout layout;         ///< with the test's limits on targets
  RigLimits limits;               ///< the test's; empty: the test states none
  std::string compensator;        ///< config.Compensator, serialised
  std::string controller;         ///< config.ActuatorController, serialised
  double heartbeat_period = 1.0;  ///< [s]
  double watchdog = 5.0;          ///< silence that makes the site hold [s]
  PacingSettings pace{};
  bool resume = false;   ///< resumes the session; nothing is reset
  std::string model;     ///< hash of the numerical model, hexadecimal
  std::string software;  ///< version of the integrator's program
  /// The mass whose inertia the integrator owns and the site's responses exclude: row by
  /// row, one row per interface DOF, controlled ones first. Empty: none.
  std::vector<double> specimen_mass{};
  bool inertia_measured = false;  ///< by accelerometers, not by the path that is commanded
};

/// What a laboratory wants confirmed before its real equipment is armed.
struct RequiredItem {
  std::string ask{};   ///< its words, never empty: "grips closed", "1.force within 0.2 kN"
  std::string read{};  ///< channel that is compared: "1.force"; empty: a person confirms it
  double within = 0.0;  ///< largest magnitude of its mean [m | rad | N | N·m]
  bool operator==(const RequiredItem&) const = default;
};

struct Configured {  ///< site to integrator: the tighter limit of both holds
  SessionId session{};
  InterfaceLayout layout;
  std::vector<ActuatorDescription>
      actuators;  ///< with the kinds that the layout gives them
  RigLimits limits;
  /// One line for each limit that the site tightened: "actuator 1 rate 300 mm/s
  /// (site_west.yaml:12)".
  std::vector<std::string> tightened_limits;
  std::string contract{};                 ///< the agreed facts, line by line
  Channels auxiliary{};                   ///< of the rig, in the order of Health::auxiliary
  std::vector<RequiredItem> checklist{};  ///< of the site's file
  /// Bound of the start-up checks on each transducer of Health::mean; infinite: none.
  std::vector<double> rest_bound{};
};

struct Arm {  ///< integrator to site: the operator's go
  SessionId session{};
  std::string contract_hash{};  ///< hexadecimal
  std::string by{};             ///< user@host
  std::string audit{};          ///< digest of the integrator's audit, hexadecimal
};

struct Armed {  ///< site to integrator
  SessionId session{};
  std::string audit{};  ///< digest of the site's audit, hexadecimal
};

/// Integrator to site: go on after a hold, or after either end was restarted.
struct Resume {
  SessionId session{};
  std::int64_t next_step = 0;  ///< that the integrator will ask for
  TimePoint at{};              ///< paced modes: session time zero from now on
  std::string contract_hash;   ///< hexadecimal
  std::string by;              ///< user@host; empty: no person was involved
  std::int64_t hold = 0;       ///< the last Halt::hold of this site that is known
};

struct Resumed {  ///< site to integrator: it runs again
  SessionId session{};
  std::int64_t last_step = kInitialStep;  ///< executed last
};

struct Start {  ///< integrator to site: make the initial measurement
  SessionId session{};
  /// Paced modes: session time zero on the integrator's clock, when all sites make it.
  TimePoint at{};
};

/// Highest part of each limit that was used; zero if no limit is stated.
struct LimitsUsed {
  double displacement = 0.0;
  double rate = 0.0;
  double acceleration = 0.0;
  double force = 0.0;
  double tracking_error = 0.0;
  double energy_error = 0.0;
  bool operator==(const LimitsUsed&) const = default;
};

/// How a site is, with its heartbeat.
struct Health {
  std::string state{};  ///< of its session; empty: not said
  std::string rig{};    ///< "moves", "asked to hold" or "holds"; empty: not said
  std::int64_t step = kInitialStep;  ///< executed last
  std::int64_t cycles = 0;           ///< control cycles completed in this session
  Duration overdue{};                ///< a cycle was due so long ago and is not completed
  std::vector<LimitsUsed> used{};    ///< per actuator, since the last heartbeat
  /// Mean of each transducer over the last second: displacements, forces, reactions.
  std::vector<double> mean{};
  std::vector<double> deviation{};
  std::vector<double> auxiliary{};  ///< the adapter's channels, as read last
  bool operator==(const Health&) const = default;
};

struct Heartbeat {  ///< both ways
  SessionId session{};
  SyncTimestamps exchange{};
  Duration clock_bound{};   ///< of the sender's view of the other's clock; 0: none yet
  TimePoint system{};       ///< the host's system clock at exchange.sent; 0: not used
  Duration system_bound{};  ///< and the bound that is stated for it
  Health health{};          ///< from a site
  Announcement said{};      ///< of a person at the sender, or passed on by it, last
};

struct Halt {  ///< both ways: hold position; a node met a fault
  SessionId session{};
  std::string node;  ///< node with the fault: a site's name, or "integrator"
  Fault fault;
  std::int64_t step = kInitialStep;  ///< at which it was met
  std::string reason;                ///< one human-readable sentence
  std::string by{};                  ///< the operator: user@host; empty: none
  bool over = false;                 ///< the site has ended this session
  /// Site to integrator: number of a hold by a person there, until it is answered.
  /// Integrator to site: the last one of that site that is on its record. 0: none.
  std::int64_t hold = 0;
};

struct Stop {  ///< integrator to site: ramp to the safe position; the test is over
  SessionId session{};
  std::string reason;
  std::string by{};       ///< user@host; empty: no person was involved
  std::string audit{};    ///< digest of the integrator's audit, hexadecimal
  std::int64_t hold = 0;  ///< as of Resume
};

/// The statistics of a site's control loop in a paced mode.
struct TimingStatistics {
  std::int64_t missed = 0;        ///< steps that were due and not there
  std::int64_t slowed = 0;        ///< control ticks slowed down without a target
  std::int64_t held = 0;          ///< control ticks that stood still without a target
  std::int64_t overruns = 0;      ///< control ticks that came too late
  Duration wakeup_latency_p50{};  ///< lateness of a control tick
  Duration wakeup_latency_p99{};
  Duration wakeup_latency_max{};
  bool operator==(const TimingStatistics&) const = default;
};

struct Stopped {  ///< site to integrator
  SessionId session{};
  std::int64_t last_step = kInitialStep;
  std::int64_t ticks = 0;
  TimingStatistics pace{};
  std::string audit{};  ///< digest of the site's audit, hexadecimal
};

/// To a site with no test going on: a piece of its record of a session.
struct RecordRequest {
  SessionId session{};
  std::uint64_t offset = 0;  ///< from the record's first byte
};

/// The site's answer. A repeated request has the same answer.
struct RecordChunk {
  SessionId session{};
  std::uint64_t offset = 0;  ///< as asked for
  std::uint64_t total = 0;   ///< bytes of the whole record
  std::string content;       ///< bytes from `offset` on; maybe not all of them
  std::string problem;       ///< one sentence: why there is no content; empty: there is
};

/// To either end, by anyone who may listen. Changes nothing.
struct StatusRequest {
  std::string what;
};

struct StatusReply {  ///< the answer to Ask
  std::string json;
};

/// Sent by a site in a session to another integrator that connects: the test that it
/// serves. It belongs to no session of that integrator, and is neither an answer nor a
/// refusal.
struct Busy {
  SessionId session{};  ///< the one that the site is in
  std::string test{};
  std::string by{};                  ///< person who armed the site: user@host; empty:
                                     ///< unknown
  std::string since{};               ///< UTC, by the site's host; empty: not known
  std::string state{};               ///< of the session
  std::int64_t step = kInitialStep;  ///< executed last
};

using SessionMessage =
    std::variant<Hello, Welcome, Rejection, Configure, Configured, Arm, Armed, Start,
                 Heartbeat, Halt, Stop, Stopped, RecordRequest, RecordChunk, Resume,
                 Resumed, StatusRequest, StatusReply, Busy>;

}  // namespace trestle
