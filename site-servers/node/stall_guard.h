#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "core/ports/clock.h"
#include "core/ports/site_adapter.h"
#include "site-servers/node/patient_thread.h"

namespace trestle::site_node {

/// The watchdog of a control loop, between the loop and its rig: fed by completed control
/// cycles alone, and by the rig's functions that come back. If neither happens within the
/// patience, the loop has stalled: a separate thread immediately asks the rig to hold,
/// whatever other threads do. From then on, until clear(), no read() and no write() reaches
/// the rig: they trip. A call that comes back late is followed by another hold().
///
/// From then on the rig is only *asked to hold*: nothing confirms that it holds.
class StallGuard final : public SiteAdapter {
 public:
  /// Called by the watching thread, repeatedly while a call hangs.
  using Hangs = std::function<void(const char* function, Duration so_long)>;

  /// @param rig    outlives this, and any call of it
  /// @param clock  of the site
  StallGuard(SiteAdapter& rig, const Clock& clock, Hangs hangs);
  ~StallGuard() override { end(); }

  /// Starts to watch, on a separate thread. May be called again.
  /// @param forgives  time in which the watching thread did not run either counts for
  ///                  nothing: a simulated rig breaks nothing when its process is paused
  void watch(Duration patience, bool forgives);
  /// Watches from now on, whenever look() is called.
  void watch_by_hand(Duration patience, bool forgives) noexcept;
  /// @returns false if the watching thread hangs itself: the rig's hold() does
  bool end() noexcept;

  // --- the thread that drives the control loop ---

  /// A cycle begins: it is to be completed.
  void cycle_begins(TimePoint now) noexcept;
  /// A cycle is completed. @param due  when the next one is; max: unknown
  void cycle_done(TimePoint due) noexcept;

  // --- the watching thread ---

  void look(TimePoint now) noexcept;

  // --- any thread ---

  bool stalled() const noexcept { return stalled_.load(std::memory_order_acquire); }
  /// Returns how long the call had lasted when the rig was requested to hold.
  Duration lasted() const noexcept {
    return Duration{lasted_.load(std::memory_order_acquire)};
  }
  Duration patience() const noexcept {
    return Duration{patience_.load(std::memory_order_relaxed)};
  }
  /// Returns for how long a cycle or a call was overdue at the last check.
  Duration overdue() const noexcept {
    return Duration{overdue_.load(std::memory_order_relaxed)};
  }
  std::int64_t cycles() const noexcept { return cycles_.load(std::memory_order_relaxed); }
  /// A call of the rig is still under way, and has been for longer than the patience.
  bool hangs() const noexcept;
  /// Clears the guard by a person's command. @pre !hangs()
  void clear() noexcept;

  // --- the rig ---

  RigDescription description() const override { return rig_.description(); }
  void prepare(const RigRun& run) override { rig_.prepare(run); }
  AdapterStatus read(TimePoint now, Measurement& sensed) noexcept override;
  AdapterStatus write(const ActuatorVector& drive) noexcept override;
  void hold() noexcept override { rig_.hold(); }
  std::string diagnostic_message() const override;
  std::span<const double> auxiliary_channels() const noexcept override {
    return rig_.auxiliary_channels();
  }
  std::span<const double> drive_in_force() const noexcept override {
    return rig_.drive_in_force();
  }
  int stale_reads() const noexcept override { return rig_.stale_reads(); }
  bool taken_over() const noexcept override { return stalled(); }
  std::span<const double> accelerations() const noexcept override {
    return rig_.accelerations();
  }
  ActiveInterlock active_interlock() const noexcept override {
    return rig_.active_interlock();
  }
  void save(SnapshotWriter& snapshot) const override { rig_.save(snapshot); }
  void restore(SnapshotReader& snapshot) override { rig_.restore(snapshot); }

 private:
  struct Call;  // of the rig, watched

  SiteAdapter& rig_;
  const Clock& clock_;
  Hangs hangs_;
  std::atomic<bool> watching_{false};
  std::atomic<std::int64_t> patience_{0};
  std::atomic<bool> forgives_{false};
  std::int64_t looked_ = 0;                     // the watching thread, last
  std::int64_t away_ = 0;                       // until then it did not
  std::atomic<const char*> function_{nullptr};  // under way
  std::atomic<std::int64_t> begun_;             // that call; max: none is under way
  std::atomic<std::int64_t> due_;               // the next completed cycle
  std::atomic<std::int64_t> cycles_{0};
  std::atomic<std::int64_t> overdue_{0};
  std::atomic<bool> stalled_{false};
  std::atomic<std::int64_t> lasted_{0};
  std::atomic<const char*> stalled_in_{nullptr};  // null: in none of the rig's functions
  std::atomic<bool> leaving_{false};
  PatientThread thread_;
};

}  // namespace trestle::site_node
