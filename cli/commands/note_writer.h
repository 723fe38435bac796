#pragma once

#include <string>

#include "core/base/time.h"
#include "core/types/note.h"

namespace trestle::cli {

/// What became of a note.
struct NoteOutcome {
  int code = 0;         ///< exit code: 0 recorded
  std::string problem;  ///< why it was not recorded; empty: it was
  std::string said;     ///< one sentence: what was recorded, and where
  std::string answer;   ///< of the process that serves the folder, as JSON; empty: none
};

/// Records a note in the record of a run or a site: by the process that serves the folder,
/// or, if none does, in the journal of the run.
/// @param folder    of a run or a site
/// @param note      step: that it is about, or Note::kNow; time is not read
/// @param person    name that the person gave; may be empty
/// @param patience  with a process that does not answer
NoteOutcome write_note(const std::string& folder, const Note& note,
                       const std::string& person, Duration patience);

/// The step that is the last one at a time of the test. @throws std::runtime_error if the
/// folder does not say how long a step is
std::int64_t step_at(const std::string& folder, double time, Duration patience);

}  // namespace trestle::cli
