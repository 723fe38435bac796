#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/journal/journal_event.h"

namespace trestle::live {

/// A test whose process ended in order and left it held: its rigs hold, and it can be
/// resumed.
struct HeldRecord {
  std::string reason;       ///< who held it and why, as recorded
  double test_time = 0.0;   ///< of the test when it was held [s]
  std::int64_t utc_ns = 0;  ///< when a person held it [ns since 1970]; 0: not recorded
  bool of_a_run = true;     ///< of an integrator; false: of a site
  std::string run = {};     ///< folder of the run; empty: not known here

  /// "Held by ada@lab: ..., at 3.21 s of the test, since 2026-11-25T20:36:47Z".
  std::string sentence() const;
  /// "resume it: trestle resume DIR"; of a site, where its test is resumed.
  std::string help() const;
};

/// Examines the record in a folder that no process writes.
///
/// A process that was killed leaves the ring file of its journal, or, if that was copied
/// into the journal since, no summary of the run. Both tell it from one that ended in
/// order.
/// @param folder   of a run or a site
/// @param journal  path of its journal
/// @param last     the last change of state or fault of the journal
/// @returns nothing if the session ended, was cut off, or its process lives
/// @throws std::runtime_error with one sentence if the journal cannot be read
std::optional<HeldRecord> find_held_record(
    const std::string& folder, const std::string& journal,
    const std::optional<journal::JournalEvent>& last);

}  // namespace trestle::live
