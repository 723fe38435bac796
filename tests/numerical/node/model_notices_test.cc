#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/numerical/node/integrator_bench.h"

namespace trestle::integrator_node::model_notices_test {
namespace {

using Bench = testing::IntegratorBench;

void run_step(Bench& bench, std::int64_t step) {
  for (const int site : {0, 1}) bench.answer(site, step);
  bench.tick();
}

std::vector<std::string> of_the_model(const Bench& bench) {
  std::vector<std::string> found;
  for (const std::string& event : bench.recorder.events)
    if (event.starts_with("model: ")) found.push_back(event);
  return found;
}

// A later one may stand in front of an earlier one.
TEST(ModelNotices, AreWrittenOnceAndStandInTheSummary) {
  Bench bench;
  std::vector<std::string>& said = bench.substructure.notices_of_model.said;
  bench.run();
  run_step(bench, 0);
  EXPECT_EQ(of_the_model(bench), std::vector<std::string>{});
  said = {"section b.p1 softens"};
  run_step(bench, 1);
  EXPECT_EQ(of_the_model(bench), std::vector<std::string>{"model: section b.p1 softens"});
  run_step(bench, 2);
  said = {"section a.p3 softens", "section b.p1 softens"};
  run_step(bench, 3);
  run_step(bench, 4);
  bench.finish();
  EXPECT_EQ(of_the_model(bench), (std::vector<std::string>{"model: section b.p1 softens",
                                                           "model: section a.p3 softens"}));
  const evaluation::RunReport report = bench.node.report();
  EXPECT_EQ(report.result, evaluation::RunResult::kComplete);
  for (const std::string& each : said)
    EXPECT_EQ(std::ranges::count(report.warnings, each), 1) << each;
}

TEST(ModelNotices, OfTheLastStepAreWritten) {
  Bench bench;
  bench.run();
  for (int k = 0; k < 4; ++k) run_step(bench, k);
  bench.substructure.notices_of_model.said = {"section b.p1 softens"};
  run_step(bench, 4);
  bench.finish();
  EXPECT_EQ(of_the_model(bench).size(), 1U);
}

}  // namespace
}  // namespace trestle::integrator_node::model_notices_test
