#pragma once

#include <string>

namespace trestle::journal {

/// What a ring file beside a journal is.
enum class Leftover {
  kNone,         ///< there is no ring file
  kInUse,        ///< a living process has it
  kForeign,      ///< of another or an ended session, or an earlier start of the system
  kRecoverable,  ///< of the journal's session, whose process was killed
};

/// Looks, and changes nothing.
/// @throws std::runtime_error with one sentence where the journal cannot be read
Leftover find_leftover(const std::string& journal);

/// Copies the data that a killed process had pushed and not written from its ring file into
/// the journal, exactly once, then removes the ring file. A ring file of another session,
/// of an ended session, or of an earlier start of the system is set aside unread, in a
/// numbered folder.
/// @returns false if a living process has the ring file: then nothing was changed
/// @throws std::runtime_error with one sentence where the journal cannot be written
bool recover_ring_file(const std::string& journal);

}  // namespace trestle::journal
