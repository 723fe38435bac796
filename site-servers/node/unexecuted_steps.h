#pragma once

#include <cstdint>
#include <vector>

#include "core/ports/clock.h"
#include "core/types/actuator_vector.h"
#include "core/types/message.h"
#include "site-servers/node/site_recorder.h"

namespace trestle::site_node {

/// Names in the record the steps that a site did not execute. A step that was late or
/// overtaken is named at once. A step that was due without a target stays open until it is
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
  /// Names a step, up to a number of them; all are counted elsewhere.
  void name(const char* what, std::int64_t step);
  /// The loop reports a step that was due without a target.
  void add(std::int64_t step) noexcept;
  /// The measurement at the end of such a step. @param ticks  drives written up to there
  void close(const StepResponse& response, std::int64_t ticks) noexcept;

  /// The steps before this one are never executed: writes their rows, which come before
  /// those of any later step. @returns false if a row was lost
  bool write_rows(std::int64_t before) noexcept;
  /// Names them.
  void write_names(std::int64_t before);
  /// The others are executed now.
  void forget() noexcept;

 private:
  struct Row {
    std::int64_t step = kInitialStep;
    TimePoint measured_at{};
    std::int64_t ticks = 0;
    ActuatorVector delay;
    ActuatorVector amplitude;
  };

  SiteRecorder& record_;
  std::int64_t named_ = 0;           // up to now
  std::vector<std::int64_t> steps_;  // reported, ascending
  std::vector<Row> rows_;            // ascending
  StepResponse response_;            // of the row that is written
};

}  // namespace trestle::site_node
