#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "adapters/plugin/fault_message.h"
#include "core/base/time.h"
#include "core/ports/clock.h"

namespace trestle::plugin {

/// How long a plug-in takes in read() and write() of a tick, and whether its ticks come
/// faster than time. Everything but slow_call() belongs to the control thread.
class PluginCallTimes {
 public:
  /// @param clock     that real equipment is timed by
  /// @param name      of the plug-in, for sentences
  /// @param overruns  ticks in a row that may take longer than the tick
  PluginCallTimes(std::unique_ptr<const Clock> clock, const std::string& name,
                  bool real_equipment, std::uint32_t overruns);

  /// Of a new run. @param wall_clock  ticks go by the wall clock
  void start(Duration tick, bool wall_clock) noexcept;

  TimePoint now() const noexcept { return clock_->now(); }
  void read_ended(TimePoint begun) noexcept { read_.add(now() - begun); }
  void write_ended(TimePoint begun) noexcept { write_.add(now() - begun); }

  /// Limits per second mean nothing where ticks take no time: real equipment is not driven
  /// faster than time. @returns whether it is; `why` then says so
  bool is_ahead_of_time(TimePoint now, FaultMessage& why) noexcept;
  /// Whether the tick that ends here is one overrun too many in a row; `why` then says so.
  /// Simulated rigs may take their time where nobody keeps it.
  bool is_overrun(FaultMessage& why) noexcept;

  /// One sentence where a call of this run took longer than a tick; else empty. Any thread.
  std::string slow_call() const;

 private:
  /// Time that the plug-in took in one function.
  struct CallDuration {
    Duration last{};
    std::atomic<std::int64_t> longest_ns{0};
    void add(Duration spent) noexcept;
  };

  std::unique_ptr<const Clock> clock_;
  std::string name_;
  bool real_equipment_;
  std::uint32_t max_overruns_;
  bool timed_;
  Duration tick_{};
  CallDuration read_;
  CallDuration write_;
  std::uint32_t overruns_in_a_row_ = 0;
  TimePoint written_at_{};
  Duration ahead_{};  // of time, by the ticks that were written
};

}  // namespace trestle::plugin
