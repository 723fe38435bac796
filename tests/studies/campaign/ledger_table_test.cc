#include "observe/report/ledger_table.h"

#include <gtest/gtest.h>

namespace trestle::campaign {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

evaluation::RunReport report() {
  evaluation::SiteReport site;
  site.name = "west";
  site.ledger = {{"compute", 0.0, 0.0, 0.0, 0.0},
                 {"uplink", 38.1e-6, 1.25e-3, 0.5, 2.0},
                 {"wait", 0.0, 0.0, 0.0, 4e-9}};
  site.clock_bound = 12e-6;
  site.misses = 3;
  site.late = 2;
  site.pace = TimingStatistics{.missed = 5,
                               .slowed = 40,
                               .held = 8,
                               .overruns = 1,
                               .wakeup_latency_p50 = microseconds(6),
                               .wakeup_latency_p99 = microseconds(55),
                               .wakeup_latency_max = milliseconds(5)};
  site.control_tick = 0.005;
  evaluation::RunReport report;
  report.sites = {site};
  return report;
}

std::string table(const char* mode, const evaluation::RunReport& of = report()) {
  report::RunMetadata facts;
  facts.mode = mode;
  return report::ledger_table(of, facts);
}

const std::string kAccounts =
    "site       account           p50        p99      p99.9        max\n"
    "west       uplink        38.1 us    1.25 ms     500 ms        2 s   +- 12 us (clock)\n"
    "west       wait             0 us       0 us       0 us   0.004 us\n";

TEST(LedgerTable, ShowsEveryAccountThatHadTimeWithTheClocksBoundBeside) {
  EXPECT_EQ(table("simulated"), kAccounts);
}

TEST(LedgerTable, SaysWhatTheControlLoopsMet) {
  EXPECT_EQ(
      table("real-time"),
      kAccounts +
          "west       3 answers missed, 2 of them late; 5 targets missed at the site; "
          "ticks late p50 6 us, p99 55 us, longest 5 ms, 1 overruns\n");
  EXPECT_EQ(table("continuous"),
            kAccounts +
                "west       slowed 200 ms, held 40 ms; ticks late p50 6 us, p99 55 us, "
                "longest 5 ms, 1 overruns\n");
}

// A site says how its control loop did when the run ends there: zeros would be a lie.
TEST(LedgerTable, SaysThatAControlLoopWasNotReported) {
  evaluation::RunReport held = report();
  held.sites[0].pace = {};
  EXPECT_EQ(table("real-time", held),
            kAccounts +
                "west       3 answers missed, 2 of them late; control loop: not reported, "
                "the run did not end at the site\n");
  EXPECT_EQ(table("continuous", held),
            kAccounts +
                "west       control loop: not reported, the run did not end at the site\n");
}

TEST(LedgerTable, IsEmptyWhereNoTimeWasAccountedFor) {
  evaluation::RunReport none = report();
  none.sites[0].ledger.clear();
  EXPECT_EQ(table("simulated", none), "");
}

}  // namespace
}  // namespace trestle::campaign
