#include "studies/design/morris_trajectories.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace trestle::design {
namespace {

TEST(MorrisTrajectories, MoveEachDimensionOnceByHalf) {
  const MorrisTrajectories points(4, 5, 6);
  std::set<std::vector<std::size_t>> orders;
  for (std::int64_t trajectory = 0; trajectory < 20; ++trajectory) {
    std::set<std::size_t> moved;
    std::vector<std::size_t> order;
    for (std::size_t step = 0; step < 5; ++step) {
      const auto from = points.point(trajectory * 6 + static_cast<std::int64_t>(step));
      const auto to = points.point(trajectory * 6 + static_cast<std::int64_t>(step) + 1);
      const std::size_t which = points.moved(trajectory, step);
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_NEAR(std::abs(to[i] - from[i]), i == which ? 0.5 : 0.0, 1e-15);
        EXPECT_NEAR(std::fmod(6.0 * to[i], 1.0), 0.5, 1e-12);  // in the middle of a level
      }
      moved.insert(which);
      order.push_back(which);
    }
    EXPECT_EQ(moved.size(), 5u);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 10u);
}

TEST(MorrisTrajectories, StartOnAllLevels) {
  const MorrisTrajectories points(1, 1, 4);
  std::set<double> starts;
  for (std::int64_t trajectory = 0; trajectory < 64; ++trajectory)
    starts.insert(points.point(2 * trajectory)[0]);
  EXPECT_EQ(starts, (std::set<double>{0.125, 0.375, 0.625, 0.875}));
}

}  // namespace
}  // namespace trestle::design
