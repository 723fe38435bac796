#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/time.h"
#include "site-servers/checks/startup_checks.h"
#include "site-servers/node/control_thread.h"
#include "studies/characterisation/exercise_driver.h"
#include "studies/characterisation/overrun_counter.h"

namespace trestle::characterisation {

struct EquipmentDriverSettings {
  double tick = 0.0;                             ///< control tick [s]
  site_node::ControlThreadSettings thread = {};  ///< as of a test
  Duration overrun{};               ///< a tick later than this counts; 0: one tick
  std::int64_t most_overruns = 20;  ///< in a row; more are a fault
  /// A tick that has not come to its end after so long: the plug-in does not come back.
  Duration longest_tick = std::chrono::seconds(1);
  /// Between two looks at the rig's thread, some milliseconds apart: operators, signals,
  /// progress. @param ticks  done so far. @returns who wants it to stop, and why; empty:
  /// nobody
  std::function<std::string(std::int64_t ticks)> attend = {};
  /// The rig was told to hold, and the thread that ticks does not come back from it: ends
  /// the program.
  std::function<void(const std::string&)> stuck = {};
  /// How long the host has slept since it was started; must not throw, nor wait. Empty: its
  /// own clock
  std::function<Duration()> asleep = {};
};

/// Ticks of real equipment: by time, on a separate control thread as in a test, without a
/// gap between two moves, so that the rig is read and driven on while somebody thinks about
/// what was measured. Ticks that come too late are counted; too many in a row are a fault.
class EquipmentDriver final : public ExerciseDriver {
 public:
  /// @param adapter  prepared for ticks of settings.tick; outlives this
  EquipmentDriver(const EquipmentDriverSettings& settings, SiteAdapter& adapter);
  /// The rig holds.
  ~EquipmentDriver() override;
  EquipmentDriver(const EquipmentDriver&) = delete;
  EquipmentDriver& operator=(const EquipmentDriver&) = delete;

  /// All of the start-up checks. @returns why the rig may not be moved; empty: it may
  std::string check(checks::StartupChecks& checks);

  void open(GatedExcitation& exercise) override;
  bool drive(GatedExcitation& exercise, const ExcitationSegment& move) override;
  /// The rig holds, and is ticked no more.
  void rest(GatedExcitation& exercise) override;
  std::int64_t ticks() const noexcept override {
    return ticks_.load(std::memory_order_relaxed);
  }

  /// Who asked for a stop, and why; empty: nobody.
  const std::string& asked() const noexcept { return asked_; }
  std::int64_t overruns() const noexcept { return overruns_.count(); }
  Duration latest() const noexcept { return overruns_.longest(); }  ///< of all ticks
  /// Requests to the host that were not granted, a sentence each.
  const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  enum class Task : std::uint8_t { kNone, kCheck, kOpen, kStand, kBegin, kMove, kOver };

  void begin();
  void end() noexcept;
  void request_host_resources();
  void run() noexcept;
  Duration asleep() const noexcept;
  Fault host_fault() const noexcept;
  Task tick(Task task, TimePoint now) noexcept;
  void wait_for(Task wanted);
  void look_after();
  void watch();

  EquipmentDriverSettings settings_;
  SiteAdapter& adapter_;
  Duration tick_;
  timing::MonotonicClock clock_;
  OverrunCounter overruns_;
  double slept_ = 0.0;  ///< the host, while the rig was ticked [s]; the thread's own

  // What the thread works on; given to it with the task.
  GatedExcitation* exercise_ = nullptr;
  checks::StartupChecks* checks_ = nullptr;
  const ExcitationSegment* move_ = nullptr;
  ExerciseRecord room_;
  std::atomic<Task> task_{Task::kNone};

  std::atomic<bool> stop_{false};  ///< somebody asked
  std::atomic<bool> leave_{false};
  std::atomic<bool> left_{true};
  std::atomic<bool> asked_host_{false};
  std::atomic<std::int64_t> ticks_{0};
  std::atomic<std::int64_t> begun_at_{0};  ///< of the tick that is under way; 0: none is
  std::string asked_;
  std::vector<std::string> notes_;
  std::thread thread_;
};

}  // namespace trestle::characterisation
