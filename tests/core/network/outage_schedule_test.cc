#include "core/network/outage_schedule.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace trestle::network::pause_schedule_test {
namespace {

using namespace std::chrono_literals;

TimePoint at(Duration time) {
  return TimePoint{time};
}

TEST(OutageSchedule, HasNoneWhereNoneIsAskedFor) {
  OutageSchedule schedule({}, {});
  EXPECT_EQ(schedule.next_at(at(1h)).begin, TimePoint::max());
}

TEST(OutageSchedule, KeepsTheBeatWhereItIsRegular) {
  OutageSchedule schedule({.every = 10s, .duration = 1s, .first = 3s, .regular = true}, {});
  for (int n = 0; n < 100; ++n) {
    const Outage pause = schedule.next_at(at(n * 10s));
    EXPECT_EQ(pause.begin, at(3s + n * 10s));
    EXPECT_EQ(pause.end, at(4s + n * 10s));
  }
}

TEST(OutageSchedule, BeginsARegularOneAnywhereInTheFirstPeriod) {
  double sum = 0.0;
  constexpr int kSeeds = 2000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    OutageSchedule schedule({.every = 10s, .duration = 1s, .first = {}, .regular = true},
                            {.seed = seed, .stream = 0, .channel = 0, .index = 0});
    const Duration first = schedule.next_at(at(0s)).begin.time_since_epoch();
    EXPECT_GE(first, 0s);
    EXPECT_LT(first, 10s);
    sum += seconds(first);
  }
  // Four standard errors of a mean of uniform numbers.
  EXPECT_NEAR(sum / kSeeds, 5.0, 4.0 * 10.0 / std::sqrt(12.0 * kSeeds));
}

TEST(OutageSchedule, PausesForTheShareThatChanceGives) {
  // Beginnings are a Poisson process, pauses may overlap: at any instant the link works
  // where none began in the `duration` before it, with probability exp(−duration/every).
  const OutagePattern settings{.every = 10s, .duration = 4s, .first = {}, .regular = false};
  OutageSchedule schedule(settings, {.seed = 7, .stream = 1, .channel = 4, .index = 0});
  constexpr int kLooks = 20000;
  int paused = 0;
  for (int n = 1; n <= kLooks; ++n) {  // so far apart that they know nothing of each other
    const TimePoint now = at(n * 100s);
    if (schedule.next_at(now).begin <= now) ++paused;
  }
  const double share = 1.0 - std::exp(-0.4);
  EXPECT_NEAR(paused, share * kLooks, 4.0 * std::sqrt(share * (1.0 - share) * kLooks));
}

TEST(OutageSchedule, TakesPausesThatOverlapForOne) {
  const OutagePattern settings{.every = 10s, .duration = 9s, .first = 0s, .regular = false};
  OutageSchedule schedule(settings, {.seed = 7, .stream = 1, .channel = 4, .index = 0});
  TimePoint last_end{};
  bool longer = false;
  for (int n = 0; n < 200; ++n) {
    const Outage pause = schedule.next_at(last_end);
    EXPECT_GE(pause.end - pause.begin, 9s);
    if (n > 0) {
      EXPECT_GT(pause.begin, last_end);
    }
    longer = longer || pause.end - pause.begin > 9s;
    last_end = pause.end;
  }
  EXPECT_TRUE(longer);
}

TEST(OutageSchedule, IsTheSameHoweverOftenItIsAsked) {
  const OutagePattern settings{.every = 10s, .duration = 1s, .first = {}, .regular = false};
  OutageSchedule often(settings, {.seed = 7, .stream = 1, .channel = 4, .index = 0});
  OutageSchedule seldom(settings, {.seed = 7, .stream = 1, .channel = 4, .index = 0});
  for (Duration now = 0s; now < 1000s; now += 100ms) (void)often.next_at(at(now));
  EXPECT_EQ(often.next_at(at(1000s)).begin, seldom.next_at(at(1000s)).begin);
}

}  // namespace
}  // namespace trestle::network::pause_schedule_test
