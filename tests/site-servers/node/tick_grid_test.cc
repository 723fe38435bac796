#include "site-servers/node/tick_grid.h"

#include <gtest/gtest.h>

namespace trestle::site_node::tick_grid_test {
namespace {

constexpr TimePoint at_ms(double time) {
  return TimePoint{Duration{static_cast<std::int64_t>(time * 1e6)}};
}

TEST(TickGrid, PlacesTicksFromZeroOn) {
  TickGrid grid(1e-3);
  grid.start(at_ms(5.0));
  EXPECT_EQ(grid.next(), at_ms(5.0));
  grid.count();
  grid.jump_to(grid.number());
  EXPECT_EQ(grid.next(), at_ms(6.0));
  EXPECT_EQ(grid.last_by(at_ms(8.9)), 3);
  EXPECT_EQ(grid.first_from(at_ms(8.1)), 4);
}

TEST(TickGrid, GivesWayToATickThatIsLate) {
  TickGrid grid(1e-3);
  grid.start(at_ms(0.0));
  grid.give_way(at_ms(0.3));
  EXPECT_EQ(grid.next(), at_ms(1.0)) << "late by less than its length";
  grid.give_way(at_ms(4.5));
  EXPECT_EQ(grid.next(), at_ms(5.5));
}

TEST(TickGrid, FollowsTheClockByAHundredthOfATick) {
  TickGrid grid(1e-3);
  grid.start(at_ms(0.0));
  grid.follow(at_ms(-0.025));
  for (const double zero : {-0.01, -0.02, -0.025, -0.025}) {
    grid.count();
    EXPECT_EQ(grid.zero(), at_ms(zero));
  }
}

}  // namespace
}  // namespace trestle::site_node::tick_grid_test
