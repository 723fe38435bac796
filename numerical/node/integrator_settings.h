#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/evaluation/criteria.h"
#include "core/ports/external_target_source.h"
#include "core/ports/operator_interface.h"
#include "core/types/execution_mode.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"
#include "core/types/message.h"
#include "core/types/system_clock_reading.h"
#include "numerical/node/known_sensor_noise.h"

namespace trestle::integrator_node {

/// The settings of a test for one of its sites.
struct SiteSpecification {
  std::string name;
  std::string where;  ///< for sentences: "tcp://lab-west.example:7001", "in this process"
  InterfaceLayout layout;
  RigLimits limits;  ///< the test's; empty: none
  /// Returns the place of a limit in the test, `actuators[0].rate`, for messages; may be
  /// empty.
  std::function<std::string(const std::string& field)> limit_place = {};
  int ticks_per_step = 1;
  std::string compensator;    ///< config.Compensator, serialised
  std::string controller;     ///< config.ActuatorController, serialised
  bool shares_clock = false;  ///< it lives in this process
  bool twin = false;          ///< its twin stands for it (twin_notice())
  /// Its targets are relative to a support that moves, or have another zero under gravity
  /// than the recorded displacements: what the model and its reference do is not to be
  /// compared with what it measures.
  bool relative = false;
  /// Step 0 takes its specimen from its zero to the state under gravity
  /// (gravity_approach.h).
  bool to_gravity = false;
  std::string compensator_text = {};  ///< readable, for the contract
  std::string controller_text = {};
  KnownSensorNoise noise = {};  ///< of its rig; empty: not known
  /// The mass whose inertia the responses exclude, row by row, one row per interface DOF;
  /// empty: none, or the specimen is at rest when it is read.
  std::vector<double> specimen_mass = {};
  bool inertia_measured = false;  ///< by the rig's accelerometers, not by the path
};

/// The handling of late responses in real time.
struct MissedResponseSettings {
  /// Part of latency_steps·Δt after its measurement in which an answer must be in.
  double deadline = 0.75;
  bool stop = false;        ///< at the first one; else its force is extrapolated
  int order = 1;            ///< of the extrapolation
  int max_consecutive = 5;  ///< more are a safe stop
  int max_in_window = 20;   ///< more are a safe stop
  Duration window = std::chrono::seconds(1);
};

/// How long the integrator waits, and how often it sends a sign of life.
struct WaitSettings {
  Duration connect = std::chrono::seconds(10);          ///< until all sites are armed
  Duration answer = std::chrono::seconds(10);           ///< to one step
  Duration heartbeat = std::chrono::milliseconds(500);  ///< after this own silence
  Duration watchdog = std::chrono::seconds(5);          ///< silence that makes a site hold
  /// Time that a test holds for a site that went away, before it is stopped.
  Duration hold{};
};

/// What is required, or waived, before real equipment is armed.
struct ArmingSettings {
  Duration clock_bound{};  ///< worst accepted before arming; 0: any
  /// Why the closed loop was computed to be unstable before the test; empty: it is stable,
  /// or not computed. Real equipment is then not armed.
  std::string unstable;
  bool allow_unstable = false;
  bool without_hardware_watchdog = false;  ///< real equipment may be armed without one
  ArmingStatus arming = {};                ///< what people confirm before; no answers yet
  bool insecure = false;                   ///< it speaks plainly beyond its own machine
};

/// How this process begins the test, and how it may leave it.
struct BeginningSettings {
  bool resume = false;  ///< resumes this session from its own record
  /// Reports the result of this ended session again, from the record alone: contacts no
  /// site and writes nothing.
  bool retell = false;
  /// With `retell`, of a session that a site has ended: writes the rows that the record can
  /// still be given, and leaves it to the caller to close it.
  bool completes_rows = false;
  std::string by;  ///< who gave the command to begin or to resume: user@host; empty: none
  /// An end that no person requested leaves the test held, its record unfinished, to be
  /// resumed. False: such a test is ended, as a study requires.
  bool resumable = false;
};

struct IntegratorSettings : WaitSettings, ArmingSettings, BeginningSettings {
  SessionId session{};
  std::string test;
  ExecutionMode mode = ExecutionMode::kSimulated;
  PacingSettings pace;
  MissedResponseSettings misses;
  /// The synchronised clock of this host, for `clock_source: system`; empty, or an empty
  /// result: it is not trusted.
  std::function<std::optional<SystemClockReading>()> system_clock = {};
  std::string software;
  double time_step = 0.0;  ///< Δt [s]
  std::uint64_t seed = 0;
  std::int64_t steps = 0;  ///< of the run
  std::vector<SiteSpecification> sites;
  std::vector<std::string>
      responses;  ///< DOFs that the criteria compare with the reference
  evaluation::SynchronisationWindow synchronisation = {};
  /// Source of the next target, if an external client sends it; null: the substructure
  /// computes it. The source also sets the number of steps. Not in real time.
  ExternalTargetSource* targets = nullptr;
  std::vector<Participant> participants;  ///< for status and record; may be empty
  std::string model;                      ///< hash of the numerical model, hexadecimal
  /// The wait of a site in this process for its disk; no value: it does not wait, or it is
  /// in another process. May be empty.
  std::function<std::optional<PendingWait>(const std::string& site)> disk_of_site = {};
  /// For the record, as meta_key::kDelayLimitOf names them; empty: not computed.
  RecordMetadata delay_limits = {};
};

}  // namespace trestle::integrator_node
