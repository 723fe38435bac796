#pragma once

#include <cstddef>
#include <string>

#include "observe/live/test_view.h"

namespace trestle::live {

/// What the line says beside the view.
struct LiveLineNotes {
  std::string folder;     ///< for the command that helps
  std::string wait;       ///< for whom the test waits if no step is completed; may be empty
  double margin_s = 0.0;  ///< delay margin that is left [s]; NaN: not known
};

/// One row for a terminal or a log, never wider than `width`: state, part done, test time,
/// the nearest limit, time left, pace, the worst tracking, step; those that do not fit are
/// left out from the end.
std::string live_line(const TestView& view, const LiveLineNotes& notes, std::size_t width);

/// "38 min left", "38 min +- 4 left"; empty if it is not known.
std::string remaining_text(const TestView& view);
/// "10.4 steps/s", with virtual time also "x 112".
std::string pace_text(const TestView& view);

}  // namespace trestle::live
