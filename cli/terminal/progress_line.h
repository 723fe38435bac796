#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "core/host/line_writer.h"
#include "observe/live/remaining_time.h"
#include "observe/live/test_view.h"

namespace trestle::cli {

/// Shows on stderr how far a measurement is: one line that renews itself on a terminal and
/// is never wider than it; elsewhere, and with TERM=dumb, one plain line every few seconds.
/// Called between ticks, as often as one likes.
class ProgressLine {
 public:
  /// @param terminal  where stderr is written, and never waited for
  ProgressLine(std::int64_t steps_planned, double time_step, host::LineWriter& terminal);

  /// Sets the number of steps, once it is known.
  void plan(std::int64_t steps_planned) noexcept { view_.steps_planned = steps_planned; }

  /// @param waiting_for  whom the run waits for, or empty; shown while nothing moves
  /// @param tracking     how the sites follow, human-readable
  void show(std::int64_t steps_done, const std::string& waiting_for,
            const std::string& tracking);
  /// Shows that the test waits for a person; otherwise like show().
  void show_wait(std::int64_t steps_done, const std::string& for_whom);
  /// Leaves the terminal's line clean for what follows.
  void end();

  /// It is time to show something again. Cheap enough for every call.
  bool due() const;

 private:
  using Clock = std::chrono::steady_clock;

  void update(std::int64_t steps_done, bool running);
  void draw(const std::vector<std::string>& parts);

  host::LineWriter& out_;
  bool terminal_;
  std::string line_;  ///< on the terminal now
  Clock::time_point begun_;
  Clock::time_point last_;  ///< drawn
  live::RemainingTime remaining_;
  live::TestView view_;  ///< steps, pace and time left
};

}  // namespace trestle::cli
