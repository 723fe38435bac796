#pragma once

#include <string>

#include "cli/terminal/test_line.h"
#include "composition/processes/run_display.h"
#include "core/host/line_writer.h"
#include "studies/pretest/stability_report.h"

namespace trestle::cli {

/// Shows a run on stderr: progress, how the sites follow, and what happens on the bus.
class RunTerminal final : public composition::RunDisplay {
 public:
  /// @param stability  of the closed loop, for the margins that are left
  RunTerminal(const std::string& folder, pretest::StabilityReport stability);

  bool due() const override { return line_.due(); }
  void show(const composition::RunProgress& now) override;
  void say(const std::string& line) override { terminal_.write(line + "\n"); }
  void show(const bus::ConnectionEvent& event) override;
  void end() override { line_.end(); }

 private:
  std::string awaited(const composition::RunProgress& now) const;

  std::string folder_;
  pretest::StabilityReport stability_;
  host::LineWriter terminal_;
  TestLine line_;
};

}  // namespace trestle::cli
