#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/timing/monotonic_clock.h"
#include "site-servers/node/loop_executor.h"
#include "site-servers/node/patient_thread.h"

namespace trestle::site_node {

struct ControlThreadSettings {
  int priority = 80;         ///< SCHED_FIFO; 0: ordinary scheduling
  Duration spin{};           ///< wakes so much before a tick and spins up to it
  std::optional<int> cpu{};  ///< stays there
};

/// A separate thread for a loop over control ticks: SCHED_FIFO and locked memory if the
/// host allows it, absolute sleeps from tick to tick. The thread that calls begin() runs at
/// a lower SCHED_FIFO priority until end(). While it ticks, the control thread makes no
/// system calls except the adapter's, the clock's and the sleep.
class ControlThread final : public LoopExecutor {
 public:
  /// @param clock  the site's; outlives this
  ControlThread(const ControlThreadSettings& settings, const timing::MonotonicClock& clock)
      : settings_(settings), clock_(clock) {}
  ~ControlThread() override { end(); }

  /// Returns when the thread runs and has made its requests to the host.
  /// @pre the last end() was true
  void begin(TickedLoop& loop) override;
  TimePoint tick(TimePoint /*now*/) noexcept override { return TimePoint::max(); }
  using LoopExecutor::end;
  bool end(Duration at_most) noexcept override;
  std::vector<std::string> warnings() const override { return warnings_; }

 private:
  void request_host_resources();
  void drive(TickedLoop& loop) noexcept;

  ControlThreadSettings settings_;
  const timing::MonotonicClock& clock_;
  std::vector<std::string> warnings_;
  bool raised_ = false;             ///< the caller of begin(), too
  std::atomic<bool> asked_{false};  ///< the host, and warnings_ are there
  std::atomic<bool> stop_{false};
  PatientThread thread_;
};

}  // namespace trestle::site_node
