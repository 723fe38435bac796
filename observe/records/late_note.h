#pragma once

#include <string>

#include "core/types/note.h"

namespace trestle::records {

struct LateNote {
  std::string refusal;  ///< why it was not recorded; empty: it was
  std::string said;     ///< one sentence: what was recorded, and where
};

/// Adds a note to the journal of a run that no process serves: the test has ended, or is
/// not running. The audit says which.
/// @param note  step: that it is about, or Note::kNow, the last one; time is not read
/// @param who   the person, as the audit names one
/// @throws std::runtime_error with one sentence: the journal is not there, is in use, or
///         cannot be written
LateNote add_late_note(const std::string& folder, Note note, const std::string& who);

}  // namespace trestle::records
