#pragma once

namespace trestle {

/// Names that writers and readers of a journal agree on. docs/reference/journal-format.md
/// tells them all.
namespace stream_name {
inline constexpr const char* kIntent = "intent";  ///< what was asked, before anything moves
inline constexpr const char* kResult = "result";  ///< what came of it
inline constexpr const char* kTick = "tick";      ///< a site's control ticks
inline constexpr const char* kLedger = "ledger";  ///< integrator: where the time went
}  // namespace stream_name

namespace meta_key {
inline constexpr const char* kSession = "session";  ///< 32 hex digits; never changes
inline constexpr const char* kTest = "test";        ///< name of the test
inline constexpr const char* kMode = "mode";        ///< mode of pace
inline constexpr const char* kNode = "node";        ///< "integrator", or the site's name
inline constexpr const char* kTimeStep = "time_step_s";  ///< Δt: index of a step to time
inline constexpr const char* kTick = "tick_s";           ///< δt: index of a tick to time
inline constexpr const char* kSites = "sites";  ///< integrator: "west,east", test order
inline constexpr const char* kSoftware = "software";   ///< version of the program
inline constexpr const char* kBegun = "begun_utc_ns";  ///< when it was opened first
inline constexpr const char* kEnded = "ended_utc_ns";  ///< only where it came to its end
inline constexpr const char* kNumber = "number";       ///< counts the records of a folder
inline constexpr const char* kBoot = "boot";  ///< of the system, when it was opened last
inline constexpr const char* kLostRows = "lost_rows";  ///< only where rows were lost
}  // namespace meta_key

inline constexpr const char* kIntegratorNode = "integrator";     ///< value of meta `node`
inline constexpr const char* kIntegratorJournal = "journal.db";  ///< in a run's folder

}  // namespace trestle
