#pragma once

#include <string>

#include "cli/terminal/progress_line.h"
#include "composition/processes/run_display.h"
#include "core/host/line_writer.h"
#include "studies/pretest/stability_report.h"

namespace trestle {

/// Shows a run on stderr: progress, how the sites follow, and what happens on the bus.
class RunTerminal final : public RunDisplay {
 public:
  /// @param stability  of the closed loop, for the margins that are left
  RunTerminal(std::string folder, std::int64_t steps_planned, double time_step,
              StabilityReport stability);

  bool due() const override { return progress_.due(); }
  void show(const RunProgress& now) override;
  void say(const std::string& line) override { progress_.say(line); }
  void show(const ConnectionEvent& event) override;
  void end() override { progress_.end(); }

 private:
  std::string operator_awaited(const RunProgress& now) const;

  std::string folder_;
  StabilityReport stability_;
  LineWriter terminal_;
  ProgressLine progress_;
};

}  // namespace trestle
