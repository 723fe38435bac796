#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ports/clock.h"
#include "core/types/actuator_vector.h"
#include "core/types/message.h"
#include "core/types/step_range.h"
#include "site-servers/node/site_recorder.h"

namespace trestle::site_node {

/// Names in the record the steps that a site did not execute: one event for consecutive
/// steps, each step once. A step that was due without a target stays open until it is
/// certain that nothing will be executed of it: a later step is, or the test continues
/// behind it. Until then it is neither named nor a row, because a test that is resumed at
/// it executes it.
///
/// Thread: the site's node. After begin() nothing here allocates but the record's events.
class UnexecutedSteps {
 public:
  /// @param record  outlives this
  explicit UnexecutedSteps(SiteRecorder& record) : record_(record) {}

  /// A session begins. @param skips  its mode lets a step pass without a target
  void begin(bool skips);
  /// The record of the session names these as missed already: an earlier process did.
  void restore(std::vector<StepRange> named);

  /// A target came after its step was due. Its name waits for write_names().
  void late(std::int64_t step) { name("late", {step, step}); }
  /// A later step came before these.
  void overtaken(const StepRange& steps);
  /// Nothing will be executed of these steps. Those that are named already are not named
  /// again. None if `steps` ends before it begins.
  void missed(const StepRange& steps);
  /// This step was executed: those between `settled` and it are missed, whether they were
  /// reported or not.
  void executed(std::int64_t settled, std::int64_t step);

  /// The loop reports a step that was due without a target.
  void add(std::int64_t step) noexcept;
  /// The measurement at the end of such a step. @param ticks  drives written up to there
  void close(const StepResponse& response, std::int64_t ticks) noexcept;
  /// The steps before this one are never executed: writes their rows, which come before
  /// those of any later step. @returns false if a row was lost
  bool write_rows(std::int64_t before) noexcept;
  /// If any are open, so are all behind this one: the loop may have had no room to report
  /// the first.
  void are_open_behind(std::int64_t settled) noexcept;
  /// All that are open are missed: the session ends.
  void miss_all();
  /// The others are executed now.
  void forget() noexcept;

  /// Writes the names that wait. Names leave room in the record for other events: while
  /// its disk is behind, they wait. @param all  none waits any longer
  void write_names(bool all = false);

 private:
  struct Name {
    std::string_view what;
    StepRange steps;
  };
  struct Row {
    std::int64_t step = kInitialStep;
    TimePoint measured_at{};
    std::int64_t ticks = 0;
    ActuatorVector delay;
    ActuatorVector amplitude;
  };

  void name(std::string_view what, const StepRange& steps);

  SiteRecorder& record_;
  std::vector<StepRange> known_;  // missed, as an earlier process named them; ascending
  std::vector<Name> names_;       // that wait
  StepRange open_{0, -1};         // reported; none: the last is before the first
  std::vector<Row> rows_;         // ascending
  StepResponse response_;         // of the row that is written
};

}  // namespace trestle::site_node
