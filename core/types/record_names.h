#pragma once

namespace trestle {

/// Names on which writers and readers of a record agree; docs/reference/journal-format.md
/// describes each. No other source spells them.
namespace stream_name {
inline constexpr const char* kIntent = "intent";    ///< targets, before anything moves
inline constexpr const char* kResult = "result";    ///< targets and responses
inline constexpr const char* kOpening = "opening";  ///< integrator: initial measurement
inline constexpr const char* kAnswer = "answer";    ///< integrator: responses as used
inline constexpr const char* kLedger = "ledger";    ///< integrator: time of each step
inline constexpr const char* kHealth = "health";    ///< integrator: what sites report
inline constexpr const char* kClosing = "closing";  ///< site: rest of a response
inline constexpr const char* kTick = "tick";        ///< site: control ticks
inline constexpr const char* kDrive = "drive";      ///< real equipment: each drive
}  // namespace stream_name

namespace meta_key {
inline constexpr const char* kSession = "session";  ///< 32 hex digits; never changes
inline constexpr const char* kTest = "test";        ///< name of the test
inline constexpr const char* kMode = "mode";        ///< execution mode
inline constexpr const char* kNode = "node";        ///< "integrator", or the site's name
inline constexpr const char* kModel = "model";      ///< integrator: hash of its model
inline constexpr const char* kTimeStep = "time_step_s";  ///< Δt: index of a step to time
inline constexpr const char* kTick = "tick_s";           ///< δt: index of a tick to time
inline constexpr const char* kTicksPerStep = "ticks_per_step";  ///< site
inline constexpr const char* kStepsPlanned = "steps_planned";
inline constexpr const char* kSeed = "seed";          ///< site
inline constexpr const char* kContract = "contract";  ///< site: as agreed
/// Integrator: before the name of a site.
inline constexpr const char* kContractOf = "contract.";
inline constexpr const char* kActuatorsOf = "actuators.";
/// Integrator, before the name of a site: where its limits are written, line by line.
inline constexpr const char* kLimitOriginsOf = "limit_origins.";
/// Integrator: only where the test names some (participants_fact()).
inline constexpr const char* kParticipants = "participants";
/// Integrator: the sites whose twins stand for them, "west,east"; only if there are any.
inline constexpr const char* kTwins = "twins";
/// Integrator: the sites whose targets are relative to a support that moves, or have
/// another zero under gravity than the recorded displacements, "west,east"; only if there
/// are any.
inline constexpr const char* kRelativeSites = "relative_sites";
/// Integrator: before `<site>.<number of the actuator>`: the delay of an actuator at which
/// the loop was computed to turn unstable [s]; only if it was, and is stable without delay.
inline constexpr const char* kDelayLimitOf = "delay_limit_s.";
inline constexpr const char* kSites = "sites";  ///< integrator: "west,east", test order
inline constexpr const char* kSoftware = "software";   ///< version of the program
inline constexpr const char* kBegun = "begun_utc_ns";  ///< when it was opened first
inline constexpr const char* kEnded = "ended_utc_ns";  ///< only where it came to its end
inline constexpr const char* kNumber = "number";       ///< counts the records of a folder
inline constexpr const char* kBoot = "boot";  ///< of the system, when it was opened last
inline constexpr const char* kLostRows = "lost_rows";  ///< only where rows were lost
/// Only where events or acts were lost.
inline constexpr const char* kLostEvents = "lost_events";
}  // namespace meta_key

inline constexpr const char* kIntegratorNode = "integrator";  ///< value of meta `node`

}  // namespace trestle
