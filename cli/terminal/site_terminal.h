#pragma once

#include <string>

#include "cli/terminal/test_line.h"
#include "composition/processes/node_display.h"
#include "core/host/line_writer.h"

namespace trestle::cli {

/// Shows below a site's log how its test stands.
class SiteTerminal final : public composition::NodeDisplay {
 public:
  /// @param folder    of the site's records
  /// @param terminal  where its log is written
  SiteTerminal(const std::string& folder, host::LineWriter& terminal)
      : folder_(folder), line_(folder, terminal) {}

  bool due() const override { return line_.due(); }
  void show(const NodeStatus& status) override;

 private:
  std::string folder_;
  TestLine line_;
};

}  // namespace trestle::cli
