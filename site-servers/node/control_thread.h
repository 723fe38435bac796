#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/timing/wall_clock.h"
#include "site-servers/node/loop_driver.h"
#include "site-servers/node/patient_thread.h"

namespace trestle {

struct ControlThreadSettings {
  int priority = 80;         ///< SCHED_FIFO; 0: ordinary scheduling
  Duration spin{};           ///< wakes so much before a tick and spins up to it
  std::optional<int> cpu{};  ///< stays there
};

/// A thread of its own for a paced loop: SCHED_FIFO and locked memory where the host allows
/// it, absolute sleeps from tick to tick. The thread that calls begin() runs right behind
/// it until end(). While it ticks it makes no system call but the adapter's, the clock's
/// and the sleep.
class ControlThread final : public LoopDriver {
 public:
  /// @param clock  the site's; outlives this
  ControlThread(const ControlThreadSettings& settings, const WallClock& clock)
      : settings_(settings), clock_(clock) {}
  ~ControlThread() override { end(); }

  /// Returns when the thread stands and has asked the host for what it needs.
  /// @pre the last end() was true
  void begin(PacedLoop& loop) override;
  TimePoint tick(TimePoint /*now*/) noexcept override { return TimePoint::max(); }
  using LoopDriver::end;
  bool end(Duration at_most) noexcept override;
  std::vector<std::string> notes() const override { return notes_; }

 private:
  void ask_the_host();
  void drive(PacedLoop& loop) noexcept;

  ControlThreadSettings settings_;
  const WallClock& clock_;
  std::vector<std::string> notes_;
  bool raised_ = false;             ///< the caller of begin(), too
  std::atomic<bool> asked_{false};  ///< the host, and notes_ are there
  std::atomic<bool> stop_{false};
  PatientThread thread_;
};

}  // namespace trestle
