#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/journal/journal_follower.h"
#include "observe/live/remaining_time.h"
#include "observe/live/site_monitor.h"
#include "observe/live/test_view.h"
#include "observe/live/trace.h"

namespace trestle::live {

/// Follows the test in a folder, of a run or of a site, from the records there and from the
/// answers of the process that serves it. Costs that process nothing; reads and never
/// writes.
///
/// Thread: one at a time. Blocks on the file system only.
class TestFollower {
 public:
  struct Settings {
    std::string folder;
    double history_s = 30.0;  ///< of test time before now that the first look reads [s]
    /// The first look reads the steps before these, too, for the work on the specimens.
    bool whole_work = false;
    /// Each look reads the newest rows only, whatever was recorded since the look before.
    bool newest_only = false;
  };

  explicit TestFollower(Settings settings);

  /// Looks once: reads the rows that are new.
  /// @param now     of the wall clock, from any beginning [s]
  /// @param status  the newest answer of the process; null: none serves the folder
  const TestView& look(double now, const NodeStatus* status);

  const TestView& view() const noexcept { return view_; }
  /// Path of the journal that is followed; empty: none yet.
  std::string journal() const { return journal_ != nullptr ? journal_->path() : ""; }
  /// Measured displacement of an actuator of the view, over test time.
  const Trace& trace(std::size_t actuator) const { return traces_.at(actuator); }

 private:
  /// One site of the test, and where its control ticks are recorded.
  struct Site {
    SiteMonitor monitor;
    std::unique_ptr<journal::JournalFollower>
        ticks;  // null: in the node's own journal, or nowhere
    bool follows_ticks = false;
    std::size_t first_actuator = 0;
  };

  std::string journal_path(const NodeStatus* status) const;
  void refresh(const NodeStatus* status);
  void forget();
  void set_up();
  void add_site(const std::string& name, const std::string& contract);
  void find_ticks(Site& site);
  void start_streams();
  void skip_to_newest();
  void follow_steps();
  void follow_ticks();
  void take_step(const RecordRow& row);
  void keep_events();
  void update(double now, const NodeStatus* status);

  Settings settings_;
  std::optional<double> refreshed_;  // at this time
  std::unique_ptr<journal::JournalFollower> journal_;
  bool is_set_up_ = false;
  std::vector<Site> sites_;
  std::vector<Trace> traces_;  // per actuator
  std::int64_t recent_ = 0;    // of the steps before only the work is kept
  std::deque<journal::JournalEvent> events_;
  std::optional<journal::JournalEvent> last_state_;  // or fault
  RemainingTime remaining_;
  double stated_pace_ = 0.0;  // of the mode, steps per second of the wall clock; 0: none
  TestView view_;
};

}  // namespace trestle::live
