#include "observe/web/loop_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "observe/web/record_json.h"
#include "tests/observe/web/watched_folder.h"

namespace trestle::web::loop_curve_test {
namespace {

using testing::kChannels;
using testing::row_values;
using testing::WatchedFolder;

constexpr std::int64_t kRows = 80'000;

/// Rows of (motion, 0, 0, force) in memory alone.
class Rows {
 public:
  void add(double motion, double force) {
    const std::vector<double> values{motion, 0.0, 0.0, force};
    store_.add({next_++, values});
    curve_.read_to(next_ - 1, store_);
  }
  std::vector<LoopPoint> points() const {
    std::vector<LoopPoint> all = curve_.kept();
    if (const auto last = curve_.last()) all.push_back(*last);
    return all;
  }
  const LoopCurve& curve() const { return curve_; }

 private:
  WatchedFolder folder_{0};
  RowStore store_{folder_.journal(), stream_name::kResult, kChannels, 0};
  std::int64_t next_ = 0;
  LoopCurve curve_{{0, 3}};
};

// By every n-th row, loops of 64 rows would be drawn as lines across them.
TEST(LoopCurve, DrawsThousandsOfLoopsAsTheyAre) {
  Rows rows;
  constexpr double kOfALoop = 64.37;
  for (int row = 0; row < 200'000; ++row) {
    const double angle = 2.0 * std::numbers::pi * row / kOfALoop;
    rows.add(std::sin(angle), std::cos(angle));
  }
  const std::vector<LoopPoint> points = rows.points();
  EXPECT_LE(points.size(), LoopCurve::kMostPoints);
  // Each line goes around the circle a little, and they go all around it.
  std::vector<bool> sectors(64);
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (!points[i].joined) continue;
    const double x = 0.5 * (points[i].motion + points[i - 1].motion);
    const double y = 0.5 * (points[i].force + points[i - 1].force);
    EXPECT_GT(std::hypot(x, y), 0.99) << "a line across the loops";
    const double angle = std::atan2(x, y) + std::numbers::pi;
    sectors[static_cast<std::size_t>(angle / (2.0 * std::numbers::pi) * 63.999)] = true;
  }
  EXPECT_EQ(std::count(sectors.begin(), sectors.end(), true), 64);
}

TEST(LoopCurve, LeavesTheInsideOfGrowingLoopsAsItIs) {
  Rows rows;
  for (int row = 0; row < 100'000; ++row) {
    const double size = 0.2 + 0.8 * row / 100'000.0;
    rows.add(size * std::sin(0.1 * row), size * std::cos(0.1 * row));
  }
  EXPECT_LE(rows.points().size(), LoopCurve::kMostPoints);
  EXPECT_GT(rows.points().size(), 500U);
  for (const LoopPoint& point : rows.points())
    EXPECT_GT(std::hypot(point.motion, point.force), 0.19);
  EXPECT_LT(rows.points().front().index, 100) << "the first loops stay";
}

TEST(LoopCurve, HasTheExtremesAndTheNewestRow) {
  Rows rows;
  for (int row = 0; row < 30'000; ++row)
    rows.add(std::sin(0.01 * row) + (row == 12'345 ? 2.0 : 0.0),
             std::cos(0.013 * row) - (row == 23'456 ? 3.0 : 0.0));
  const std::vector<LoopPoint> points = rows.points();
  const auto has = [&](std::int64_t index) {
    return std::any_of(points.begin(), points.end(),
                       [&](const LoopPoint& point) { return point.index == index; });
  };
  EXPECT_TRUE(has(12'345));
  EXPECT_TRUE(has(23'456));
  EXPECT_EQ(points.back().index, 29'999);
  EXPECT_TRUE(std::is_sorted(
      points.begin(), points.end(),
      [](const LoopPoint& a, const LoopPoint& b) { return a.index < b.index; }));
}

TEST(LoopCurve, TakesNoPointOfARigThatStands) {
  Rows rows;
  rows.add(0.0, 0.0);
  rows.add(1.0, 1.0);
  for (int row = 0; row < 10'000; ++row)
    rows.add(1.0 + 1e-6 * std::sin(0.7 * row), 1.0 + 1e-6 * std::cos(0.9 * row));
  EXPECT_LT(rows.points().size(), 20U) << "noise of a millionth of the range";
}

TEST(LoopCurve, SkipsWhatIsNoNumber) {
  Rows rows;
  for (int row = 0; row < 100; ++row)
    rows.add(row % 2 != 0 ? std::nan("") : 0.1 * row, 0.05 * row);
  for (const LoopPoint& point : rows.points()) EXPECT_TRUE(std::isfinite(point.motion));
}

TEST(LoopCurve, ReadsAPartOfTheRowsInEachCallAndTellsWhatIsNew) {
  const WatchedFolder folder(kRows);
  RowStore store(folder.journal(), stream_name::kResult, kChannels, 0);
  const std::int64_t newest = kRows - static_cast<std::int64_t>(store.room());
  store.begin_at(newest);
  for (std::int64_t index = newest; index < kRows; ++index) {
    const std::vector<double> values = row_values(index);
    store.add({index, values});
  }
  LoopCurve curve({0, 3});
  EXPECT_EQ(curve.read_to(kRows - 1, store), LoopCurve::kMostRows - 1);
  const std::string first = loop_json(curve, LoopCurve::kMostRows - 1, {});
  EXPECT_NE(first.find("\"continues\":"), std::string::npos);
  const std::int64_t after = curve.kept().back().index;
  const std::uint64_t generation = curve.generation();
  const std::string more = loop_json(curve, LoopCurve::kMostRows - 1,
                                     {.to = 0, .after = after, .generation = generation});
  EXPECT_NE(more.find("\"stay\":0"), std::string::npos) << "nothing is new";
  while (curve.read_to(kRows - 1, store) != kRows - 1) {
  }
  EXPECT_LE(curve.kept().size(), LoopCurve::kMostPoints);
}

}  // namespace
}  // namespace trestle::web::loop_curve_test
