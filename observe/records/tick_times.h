#pragma once

#include <cstdint>
#include <vector>

#include "core/journal/journal_reader.h"

namespace trestle::records {

/// The test time of a site's control ticks.
///
/// In lock-step and in real time every step takes the same number of ticks, so that the
/// time of a tick is its index times `tick_s`. In pseudo-dynamic and continuous tests a
/// step takes as many ticks as its motion and its waits need. Stream `closing` states how
/// many ticks were done at the end of each step: between two ends the time of the ticks is
/// interpolated.
class TickTimes {
 public:
  /// No time is known.
  TickTimes() = default;
  /// All ticks are `period` apart [s].
  explicit TickTimes(double period);
  /// Reads the times from a site's journal.
  /// @throws std::runtime_error as JournalReader, also if the journal has no `tick_s`
  explicit TickTimes(const journal::JournalReader& site);

  /// Whether the record tells the times. It does not if the journal of a pseudo-dynamic
  /// test has no stream `closing`.
  bool is_known() const noexcept { return period_ > 0.0 || !ends_.empty(); }
  /// Returns the test time of a tick [s]; NaN: not known. A tick behind the last completed
  /// step has the time of that step's end.
  double at(std::int64_t tick) const noexcept;

 private:
  /// Ticks that were done when steps were completed.
  struct End {
    std::int64_t ticks = 0;
    std::int64_t steps = 0;
  };

  void read_ends(const journal::JournalReader& site);
  void add(End end);

  double period_ = 0.0;     // [s]; 0: the ends tell the time
  double time_step_ = 0.0;  // [s]
  std::vector<End> ends_;  // those that lie on a line between their neighbours are left out
};

}  // namespace trestle::records
