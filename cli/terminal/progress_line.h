#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/host/line_writer.h"

namespace trestle {

/// Shows on stderr how far a run is: one line that renews itself on a terminal, one plain
/// line every few seconds otherwise. Called between ticks, as often as one likes.
class ProgressLine {
 public:
  /// @param terminal  where stderr is written, and never waited for
  ProgressLine(std::int64_t steps_planned, double time_step, LineWriter& terminal);

  /// Corrects the planned number of steps.
  void plan(std::int64_t steps_planned) noexcept { steps_planned_ = steps_planned; }

  /// @param waiting_for  the awaited nodes, or empty; shown while nothing moves
  /// @param tracking     how the sites follow, human-readable; shown at the end
  void show(std::int64_t steps_done, const std::string& waiting_for,
            const std::string& tracking);
  /// Shows that the test waits for a person; otherwise like show().
  void show_wait(std::int64_t steps_done, const std::string& for_whom);
  /// Prints a separate line above the progress line.
  void say(const std::string& line);
  /// Leaves the terminal's line clean for what follows.
  void end();

  /// It is time to show something again. Cheap enough for every call.
  bool due() const;

 private:
  using Clock = std::chrono::steady_clock;

  void draw(std::int64_t steps_done, Clock::time_point now, const std::string& line);

  std::int64_t steps_planned_;
  double time_step_;
  LineWriter& out_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point moved_;  ///< a step was done, or it began
  Clock::time_point last_;
  std::int64_t last_steps_ = 0;
};

}  // namespace trestle
