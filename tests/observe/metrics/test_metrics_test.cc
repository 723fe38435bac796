#include "observe/metrics/test_metrics.h"

#include <gtest/gtest.h>

#include "observe/metrics/prometheus_text.h"

namespace trestle::metrics::test_metrics_test {
namespace {

TEST(PrometheusText, WritesAHistogramByItsConventions) {
  PrometheusText text;
  text.family("t_seconds", "histogram", "Time.");
  const double ends[] = {0.001, 0.3};
  const std::uint64_t counts[] = {2, 3, 1};
  text.histogram({{"site", "a\"b"}}, ends, counts, 1.5);
  EXPECT_EQ(text.text(),
            "# HELP t_seconds Time.\n# TYPE t_seconds histogram\n"
            "t_seconds_bucket{site=\"a\\\"b\",le=\"0.001\"} 2\n"
            "t_seconds_bucket{site=\"a\\\"b\",le=\"0.3\"} 5\n"
            "t_seconds_bucket{site=\"a\\\"b\",le=\"+Inf\"} 6\n"
            "t_seconds_sum{site=\"a\\\"b\"} 1.5\nt_seconds_count{site=\"a\\\"b\"} 6\n");
}

TEST(TestMetrics, TellWhatTheLedgerTells) {
  TestMetrics facts;
  facts.accounts.push_back(
      {.site = "west", .accounts = {{.name = "uplink"}}, .steps = 4, .missed = 1});
  facts.accounts[0].clock_bound = 4.1e-5;
  facts.accounts[0].accounts[0].counts[2] = 3;
  const std::string text = metrics_text({}, facts);
  for (
      const char* line :
      {"trestle_clock_bound_seconds{site=\"west\"} 4.1e-05\n",
       "trestle_step_account_seconds_bucket{site=\"west\",account=\"uplink\",le=\"3e-05\"} "
       "0\n",
       "trestle_step_account_seconds_bucket{site=\"west\",account=\"uplink\",le=\"1e-04\"} "
       "3\n",
       "trestle_step_account_seconds_count{site=\"west\",account=\"uplink\"} 3\n",
       "trestle_misses_total{site=\"west\",what=\"answer\"} 1\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(TestMetrics, TellHowMuchMoreDelayTheTestBearsOnlyIfItIsKnown) {
  live::TestView view;
  live::ActuatorView known;
  known.site = "west";
  known.name = "1";
  known.delay = 0.0004;
  known.margin = 0.0019;
  live::ActuatorView unknown = known;
  unknown.name = "2";
  unknown.margin = live::ActuatorView::kUnknown;
  view.actuators = {known, unknown};
  const std::string text = metrics_text(view, {});
  EXPECT_NE(
      text.find("trestle_delay_margin_seconds{site=\"west\",actuator=\"1\"} 0.0019\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("trestle_delay_margin_seconds{site=\"west\",actuator=\"2\"}"),
            std::string::npos);
}

TEST(TestMetrics, LeaveOutWhatATestWithoutALedgerCannotTell) {
  const std::string text = metrics_text({}, {});
  for (const char* name : {"step_account", "misses", "clock_bound"})
    EXPECT_EQ(text.find(name), std::string::npos) << name;
}

}  // namespace
}  // namespace trestle::metrics::test_metrics_test
