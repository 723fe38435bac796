#include "observe/live/trace.h"

#include <gtest/gtest.h>

#include <cmath>

#include "observe/live/strip_chart.h"

namespace trestle::live::trace_test {
namespace {

TEST(Trace, KeepsTheExtremesOfEachColumn) {
  Trace trace(0.01);
  for (int i = 0; i < 1000; ++i)
    trace.add(0.01 * i, i == 555 ? 9.0 : i % 2 == 0 ? 1.0 : -1.0);
  trace.add(9.995, std::nan(""));
  const std::vector<Trace::Extent> columns = trace.columns(0.0, 10.0, 10);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    EXPECT_TRUE(columns[i].any);
    EXPECT_EQ(columns[i].low, -1.0);
    EXPECT_EQ(columns[i].high, i == 5 ? 9.0 : 1.0);
  }
  EXPECT_FALSE(trace.columns(20.0, 30.0, 1)[0].any);
}

TEST(Trace, KeepsExtremesOfTenHours) {
  Trace trace(0.001);
  for (int i = 0; i < 360000; ++i) trace.add(0.1 * i, i == 200 ? 5.0 : 0.0);
  double high = 0.0;
  for (const Trace::Extent& column : trace.columns(0.0, 36000.0, 80))
    high = std::max(high, column.high);
  EXPECT_EQ(high, 5.0);
}

TEST(StripChart, DrawsWithDotsAndWithLetters) {
  const std::vector<Trace::Extent> columns{
      {0.0, 0.0, true}, {1.0, 1.0, true}, {0.0, 1.0, true}, {}};
  EXPECT_EQ(strip_chart(columns, 2, false), (std::vector<std::string>{" ** ", "* * "}));
  EXPECT_EQ(strip_chart(columns, 1, true), std::vector<std::string>{"\u2848\u2847"});
}

}  // namespace
}  // namespace trestle::live::trace_test
