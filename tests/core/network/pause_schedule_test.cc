#include "core/network/pause_schedule.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace trestle::pause_schedule_test {
namespace {

using namespace std::chrono_literals;

TimePoint at(Duration time) {
  return TimePoint{time};
}

TEST(PauseSchedule, HasNoneWhereNoneIsAskedFor) {
  PauseSchedule schedule({}, {});
  EXPECT_EQ(schedule.at_or_after(at(1h)).begin, TimePoint::max());
}

TEST(PauseSchedule, KeepsTheBeatWhereItIsRegular) {
  PauseSchedule schedule({.every = 10s, .duration = 1s, .first = 3s, .regular = true}, {});
  for (int n = 0; n < 100; ++n) {
    const Pause pause = schedule.at_or_after(at(n * 10s));
    EXPECT_EQ(pause.begin, at(3s + n * 10s));
    EXPECT_EQ(pause.end, at(4s + n * 10s));
  }
}

TEST(PauseSchedule, BeginsARegularOneAnywhereInTheFirstPeriod) {
  double sum = 0.0;
  constexpr int kSeeds = 2000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    PauseSchedule schedule({.every = 10s, .duration = 1s, .first = {}, .regular = true},
                           {.seed = seed, .stream = 0, .channel = 0, .index = 0});
    const Duration first = schedule.at_or_after(at(0s)).begin.time_since_epoch();
    EXPECT_GE(first, 0s);
    EXPECT_LT(first, 10s);
    sum += seconds(first);
  }
  // Four standard errors of a mean of uniform numbers.
  EXPECT_NEAR(sum / kSeeds, 5.0, 4.0 * 10.0 / std::sqrt(12.0 * kSeeds));
}

TEST(PauseSchedule, PausesForTheShareThatChanceGives) {
  // Beginnings are a Poisson process, pauses may overlap: at any instant the link works
  // where none began in the `duration` before it, with probability exp(−duration/every).
  const LinkPauses settings{.every = 10s, .duration = 4s, .first = {}, .regular = false};
  PauseSchedule schedule(settings, {.seed = 7, .stream = 1, .channel = 4, .index = 0});
  constexpr int kLooks = 20000;
  int paused = 0;
  for (int n = 1; n <= kLooks; ++n) {  // so far apart that they know nothing of each other
    const TimePoint now = at(n * 100s);
    if (schedule.at_or_after(now).begin <= now) ++paused;
  }
  const double share = 1.0 - std::exp(-0.4);
  EXPECT_NEAR(paused, share * kLooks, 4.0 * std::sqrt(share * (1.0 - share) * kLooks));
}

TEST(PauseSchedule, TakesPausesThatOverlapForOne) {
  const LinkPauses settings{.every = 10s, .duration = 9s, .first = 0s, .regular = false};
  PauseSchedule schedule(settings, {.seed = 7, .stream = 1, .channel = 4, .index = 0});
  TimePoint last_end{};
  bool longer = false;
  for (int n = 0; n < 200; ++n) {
    const Pause pause = schedule.at_or_after(last_end);
    EXPECT_GE(pause.end - pause.begin, 9s);
    if (n > 0) {
      EXPECT_GT(pause.begin, last_end);
    }
    longer = longer || pause.end - pause.begin > 9s;
    last_end = pause.end;
  }
  EXPECT_TRUE(longer);
}

TEST(PauseSchedule, IsTheSameHoweverOftenItIsAsked) {
  const LinkPauses settings{.every = 10s, .duration = 1s, .first = {}, .regular = false};
  PauseSchedule often(settings, {.seed = 7, .stream = 1, .channel = 4, .index = 0});
  PauseSchedule seldom(settings, {.seed = 7, .stream = 1, .channel = 4, .index = 0});
  for (Duration now = 0s; now < 1000s; now += 100ms) (void)often.at_or_after(at(now));
  EXPECT_EQ(often.at_or_after(at(1000s)).begin, seldom.at_or_after(at(1000s)).begin);
}

}  // namespace
}  // namespace trestle::pause_schedule_test
