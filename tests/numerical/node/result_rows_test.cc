#include "numerical/node/result_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/numerical/node/session_fakes.h"

namespace trestle::integrator_node::result_rows_test {
namespace {

using Row = std::pair<std::int64_t, std::vector<double>>;

AccountedSite site(const std::string& name) {
  AccountedSite site;
  site.name = name;
  site.layout = {{.name = "floor.x"}};
  site.actuators = {{"1", DofKind::kTranslation}};
  return site;
}

/// Two sites of one DOF and one actuator each. Of a row of a site: target, measured, force
/// of the DOF; target, command, measured, force of the actuator. Then the node's motion.
struct Bench {
  explicit Bench(int pending)
      : account({site("west"), site("east")}, substructure, pending) {
    recorder.open({}, {}, {{"intent", {}}, {"result", {}}});
    account.set_sink(recorder.sinks[0], recorder.sinks[1]);
  }

  /// West's target is the step's number, east's its negative.
  void intend(std::int64_t step) {
    std::vector<SiteTarget> requests(2);
    requests[0].target.displacement =
        InterfaceVector::Constant(1, static_cast<double>(step));
    requests[1].target.displacement =
        InterfaceVector::Constant(1, -static_cast<double>(step));
    EXPECT_TRUE(account.intend(step, requests));
  }
  void answer(std::size_t site, std::int64_t step) {
    const auto value = 100.0 * static_cast<double>(step) + static_cast<double>(site);
    StepResponse response;
    response.step = step;
    response.measured = InterfaceVector::Constant(1, value);
    response.force = InterfaceVector::Constant(1, value);
    const ActuatorVector one = ActuatorVector::Constant(1, value);
    response.actuators = {one, one, one, one};
    account.answer(site, response);
  }
  bool close(std::int64_t step) { return account.close(step, substructure); }
  const std::vector<Row>& rows() const { return recorder.sinks[1].rows; }

  testing::FakeSubstructure substructure;
  testing::FakeRecorder recorder;
  ResultRows account;
};

constexpr std::size_t kEast = 7;     // its first column
constexpr std::size_t kMotion = 14;  // the node's

TEST(ResultRows, WritesTheRowOfAStepWhenItCloses) {
  Bench bench(0);
  for (std::int64_t step = 0; step < 3; ++step) {
    bench.intend(step);
    for (const std::size_t site : {0U, 1U}) bench.answer(site, step);
    EXPECT_TRUE(bench.close(step));
    ASSERT_EQ(bench.rows().size(), static_cast<std::size_t>(step + 1));
  }
  EXPECT_EQ(bench.account.schema().result_channels()[kEast].name, "east.floor.x.target_m");
  EXPECT_EQ(bench.account.schema().result_channels()[kMotion].name, "roof.x.disp_m");
  const std::vector<double>& row = bench.rows()[2].second;
  EXPECT_EQ(row[0], 2.0);
  EXPECT_EQ(row[1], 200.0);
  EXPECT_EQ(row[kEast], -2.0);
  EXPECT_EQ(row[kEast + 6], 201.0);
}

TEST(ResultRows, PutsAnAnswerThatComesStepsLaterIntoItsOwnRow) {
  constexpr std::int64_t kLatency = 2;
  Bench bench(kLatency);
  for (std::int64_t step = 0; step < 6; ++step) {
    bench.intend(step);
    if (step >= kLatency)
      for (const std::size_t site : {0U, 1U}) bench.answer(site, step - kLatency);
    EXPECT_TRUE(bench.close(step));
  }
  for (const std::int64_t step : {4, 5})
    for (const std::size_t site : {0U, 1U}) bench.answer(site, step);
  EXPECT_TRUE(bench.account.flush());
  ASSERT_EQ(bench.rows().size(), 6U);
  for (std::int64_t step = 0; step < 6; ++step) {
    const auto& [index, row] = bench.rows()[static_cast<std::size_t>(step)];
    EXPECT_EQ(index, step);
    EXPECT_EQ(row[0], static_cast<double>(step));
    EXPECT_EQ(row[1], 100.0 * static_cast<double>(step));
    EXPECT_EQ(row[kEast + 1], 100.0 * static_cast<double>(step) + 1.0);
  }
}

TEST(ResultRows, LeavesNoNumberWhereNoAnswerCame) {
  Bench bench(1);
  for (std::int64_t step = 0; step < 4; ++step) {
    bench.intend(step);
    if (step > 0) bench.answer(0, step - 1);
    if (step > 0 && step != 2) bench.answer(1, step - 1);
    bench.close(step);
  }
  bench.account.flush();
  ASSERT_EQ(bench.rows().size(), 4U);
  const std::vector<double>& row = bench.rows()[1].second;
  EXPECT_EQ(row[1], 100.0);
  EXPECT_EQ(row[kEast], -1.0) << "its target is known";
  for (std::size_t column = kEast + 1; column < kMotion; ++column)
    EXPECT_TRUE(std::isnan(row[column])) << column;
  EXPECT_FALSE(std::isnan(row[kMotion]));
  EXPECT_FALSE(std::isnan(bench.rows()[2].second[kEast + 1]));
}

TEST(ResultRows, RecordsALateAnswerAsLongAsItsRowWaits) {
  Bench bench(3);
  for (std::int64_t step = 0; step < 8; ++step) {
    bench.intend(step);
    if (step == 3) bench.answer(0, 1);  // two steps after its own
    if (step == 7) bench.answer(0, 2);  // five after: its row is written
    bench.close(step);
  }
  bench.account.flush();
  ASSERT_EQ(bench.rows().size(), 8U);
  EXPECT_EQ(bench.rows()[1].second[1], 100.0);
  EXPECT_TRUE(std::isnan(bench.rows()[2].second[1]));
  EXPECT_TRUE(std::isnan(bench.rows()[6].second[1])) << "nor does it stand in another's";
}

TEST(ResultRows, TakesASecondAnswerForNothingNew) {
  Bench bench(2);
  bench.intend(0);
  EXPECT_FALSE(bench.account.answered(0, 0));
  bench.answer(0, 0);
  EXPECT_TRUE(bench.account.answered(0, 0));
  EXPECT_FALSE(bench.account.answered(1, 0));
  StepResponse again;
  again.step = 0;
  again.measured = again.force = InterfaceVector::Constant(1, 5.0);
  const ActuatorVector one = ActuatorVector::Ones(1);
  again.actuators = {one, one, one, one};
  bench.account.answer(0, again);
  bench.close(0);
  bench.account.flush();
  EXPECT_EQ(bench.rows()[0].second[1], 0.0);
}

TEST(ResultRows, WritesNoRowOfAStepThatDidNotClose) {
  Bench bench(2);
  for (std::int64_t step = 0; step < 2; ++step) {
    bench.intend(step);
    bench.close(step);
  }
  bench.intend(2);
  bench.account.flush();
  EXPECT_EQ(bench.rows().size(), 2U);
}

TEST(ResultRows, SaysWhereARowIsLostAtTheEnd) {
  Bench bench(2);
  bench.intend(0);
  EXPECT_TRUE(bench.close(0));
  bench.recorder.loses_rows = true;
  EXPECT_FALSE(bench.account.flush());
}

}  // namespace
}  // namespace trestle::integrator_node::result_rows_test
