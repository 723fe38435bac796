#pragma once

#include <string>

#include "cli/terminal/test_line.h"
#include "composition/processes/run_display.h"
#include "core/host/line_writer.h"
#include "studies/pretest/stability_report.h"

namespace trestle {

/// Shows a run on stderr: progress, how the sites follow, and what happens on the bus.
class RunTerminal final : public RunDisplay {
 public:
  /// @param stability  of the closed loop, for the margins that are left
  RunTerminal(const std::string& folder, StabilityReport stability);

  bool due() const override { return line_.due(); }
  void show(const RunProgress& now) override;
  void say(const std::string& line) override { terminal_.write(line + "\n"); }
  void show(const ConnectionEvent& event) override;
  void end() override { line_.end(); }

 private:
  std::string awaited(const RunProgress& now) const;

  std::string folder_;
  StabilityReport stability_;
  LineWriter terminal_;
  TestLine line_;
};

}  // namespace trestle
