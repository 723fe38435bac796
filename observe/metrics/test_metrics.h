#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "observe/live/limit_usage.h"
#include "observe/live/step_ledger.h"
#include "observe/live/test_view.h"

namespace trestle::metrics {

/// What the metrics of a test say beside its view.
struct TestMetrics {
  std::string version;    ///< of the program
  std::string session;    ///< empty: none
  std::string state;      ///< of the node, or of a record that no process serves
  std::string lost_rows;  ///< as the record has it
  /// The highest use of each limit since the last scrape, of the actuators of the view.
  std::vector<live::LimitUsage::Uses> highest;
  std::map<std::string, std::int64_t> rows_behind;  ///< of each stream
  std::vector<live::SiteAccounts> accounts;         ///< empty: the test has no ledger
  std::uint64_t holds = 0;
  double disk_free = std::numeric_limits<double>::quiet_NaN();  ///< [bytes]
  int viewers = 0;
  int operators = 0;
};

/// All metrics of one test in the text format of Prometheus; docs/howto/scrape-metrics.md
/// names each.
std::string metrics_text(const live::TestView& view, const TestMetrics& facts);

}  // namespace trestle::metrics
