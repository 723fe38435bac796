#include "core/timing/clock_offset_estimator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tests/core/timing/clock_pair.h"

namespace trestle::timing::session_clock_test {
namespace {

using testing::ClockCase;
using testing::ClockPair;
using testing::OneWay;

TimePoint at(double s) {
  return TimePoint(Duration(std::llround(s * 1e9)));
}

/// How a clock stood at all instants that were looked at.
struct Tally {
  int instants = 0;
  int outside = 0;
  int settled = 0;
  int wide = 0;
  double least_ratio = 1e9;  // of the bound to the best possible
};

void look(const ClockOffsetEstimator& clock, const ClockPair& pair, TimePoint own,
          bool settled, Tally& tally) {
  const Duration error = clock.offset(own) - pair.true_offset(own);
  ++tally.instants;
  if (std::chrono::abs(error) > clock.bound(own)) ++tally.outside;
  const double ratio = seconds(clock.bound(own)) / seconds(pair.best_bound());
  tally.least_ratio = std::min(tally.least_ratio, ratio);
  if (!settled) return;
  ++tally.settled;
  if (ratio > 3.0) ++tally.wide;
}

/// 1e-4 and 3e-2 of [0, 1) are as likely as 1e-3 and 3e-1.
double spread_over(double least, double most, double draw) {
  return least * std::pow(most / least, draw);
}

OneWay drawn_way(ClockPair& dice, double least) {
  OneWay way;
  way.least = least;
  way.jitter = least * spread_over(0.01, 0.5, dice.uniform());
  way.tail = dice.uniform() < 0.5 ? 1.2 + dice.uniform() : 0.0;
  way.load = dice.uniform() < 0.5 ? least * 10.0 * dice.uniform() : 0.0;
  way.period = 2.0 + 18.0 * dice.uniform();
  return way;
}

/// Loopback to ocean, fast steps to slow heartbeats, hours of offset, 200 ppm of drift.
ClockCase drawn_case(std::uint64_t seed) {
  ClockCase drawn;
  drawn.seed = seed + 1'000'000;
  ClockPair dice(drawn);
  drawn.seed = seed;
  drawn.offset = 40'000.0 * (2.0 * dice.uniform() - 1.0);
  drawn.drift = 199.5e-6 * (2.0 * dice.uniform() - 1.0);
  drawn.wander = dice.uniform() < 0.5 ? 0.5e-6 : 0.0;
  drawn.wander_period = 90.0 + 300.0 * dice.uniform();
  const double least = spread_over(20e-6, 0.15, dice.uniform());
  const double share = 0.2 + 0.6 * dice.uniform();
  drawn.there = drawn_way(dice, least * share);
  drawn.back = drawn_way(dice, least * (1.0 - share));
  drawn.interval = spread_over(0.02, 0.5, dice.uniform());
  drawn.hold = drawn.interval * dice.uniform();
  drawn.loss = dice.uniform() < 0.5 ? 0.3 * dice.uniform() : 0.0;
  return drawn;
}

constexpr int kSettled = 150;

enum class Restarts { kNone, kTwo };

/// Feeds a clock; looks three times between exchanges.
void follow(const ClockCase& settings, int exchanges, Restarts restarts, Tally& tally) {
  ClockPair pair(settings);
  ClockOffsetEstimator clock;
  int heard = 0;
  bool known = false;  // of a clock that restarted nothing can be known before it speaks
  for (int i = 0; i < exchanges; ++i) {
    if (restarts == Restarts::kTwo && (i == exchanges / 3 || i == exchanges / 2)) {
      pair.restart_other(pair.now() + 1.0);
      heard = 0;
      known = false;
    }
    const TimePoint before = at(pair.now());
    const std::optional<TimestampExchange> exchange = pair.next();
    for (int part = 0; known && part < 3; ++part)
      look(clock, pair, before + (at(pair.now()) - before) * part / 3, heard > kSettled,
           tally);
    if (!exchange) continue;
    clock.add(*exchange);
    known = true;
    ++heard;
  }
}

TEST(ClockOffsetEstimator, HoldsItsBoundAndIsNearTheBestPossibleInHundredsOfCases) {
  Tally all;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Tally tally;
    follow(drawn_case(seed), 600, seed % 4 == 3 ? Restarts::kTwo : Restarts::kNone, tally);
    EXPECT_LE(tally.outside, tally.instants / 1000) << seed;
    EXPECT_GE(tally.least_ratio, 1.0) << seed << ": better than can be";
    // The wide ones: a wire of 30 us, and 0.4 s between messages.
    EXPECT_LE(tally.wide, tally.settled / 50) << seed;
    all.instants += tally.instants;
    all.outside += tally.outside;
    all.settled += tally.settled;
    all.wide += tally.wide;
  }
  EXPECT_GT(all.instants, 500'000);
  EXPECT_LE(all.outside, all.instants / 1000);
  EXPECT_LE(all.wide, all.settled / 1000);
}

TEST(ClockOffsetEstimator, StatesHalfOfAConstantRoundTripHoweverItIsSplit) {
  for (const double share : {0.0, 0.1, 0.5, 1.0}) {
    ClockCase settings;
    settings.offset = 7200.0;
    settings.there.least = 0.010 * share;
    settings.back.least = 0.010 * (1.0 - share);
    ClockPair pair(settings);
    ClockOffsetEstimator clock;
    for (int i = 0; i < 200; ++i) clock.add(*pair.next());
    const double bound = seconds(clock.bound(at(pair.now())));
    EXPECT_GE(bound, 0.005);
    // Twenty seconds of exchanges, 3 ppm of wander.
    EXPECT_LT(bound, 0.005 + 100e-6);
    const Duration error = clock.offset(at(pair.now())) - pair.true_offset(at(pair.now()));
    EXPECT_NEAR(seconds(error), (share - 0.5) * 0.010, 50e-6)
        << "all of it, where one-sided";
  }
}

TEST(ClockOffsetEstimator, LearnsTheDriftAndThenAgesLittle) {
  ClockCase settings;
  settings.drift = -150e-6;
  settings.there.least = settings.back.least = 30e-6;
  ClockPair pair(settings);
  ClockOffsetEstimator clock;
  clock.add(*pair.next());
  const TimePoint young = at(pair.now());
  // One exchange says nothing of the drift: 500 ppm either way, wander within.
  EXPECT_NEAR(seconds(clock.bound(young + std::chrono::seconds(1)) - clock.bound(young)),
              500e-6, 1e-6);
  while (pair.now() < 100.0) clock.add(*pair.next());
  // 60 us of round trip over at least half a window of 60 s: 2 ppm; and 3 ppm of wander.
  EXPECT_NEAR(clock.drift(), -150e-6, 5e-6);
  const TimePoint old = at(pair.now());
  EXPECT_LT(seconds(clock.bound(old + std::chrono::seconds(1)) - clock.bound(old)), 12e-6);
  // In a silence longer than that window is, the drift may become anything again.
  EXPECT_GT(seconds(clock.bound(old + std::chrono::seconds(130)) - clock.bound(old)),
            20e-3);
}

TEST(ClockOffsetEstimator, WidensWhereTheClocksWanderMoreThanIsTakenForGranted) {
  // 40 ppm between the extremes of two minutes: seven times what is assumed.
  Tally tally;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ClockCase settings;
    settings.seed = seed;
    settings.wander = 20e-6;
    settings.wander_period = 120.0;
    settings.there.least = settings.back.least = 30e-6;
    settings.there.jitter = settings.back.jitter = 10e-6;
    follow(settings, 3000, Restarts::kNone, tally);
  }
  EXPECT_LE(tally.outside, tally.instants / 1000);
  EXPECT_LE(tally.wide, tally.settled / 100);
}

TEST(ClockOffsetEstimator, BeginsAnewWhereTheOtherEndDid) {
  ClockCase settings;
  settings.offset = 5000.0;
  settings.there.least = settings.back.least = 1e-3;
  ClockPair pair(settings);
  ClockOffsetEstimator clock;
  for (int i = 0; i < 50; ++i) clock.add(*pair.next());
  const TimestampExchange late =
      *pair.next();  // of the old life; its answer hangs in a queue
  pair.restart_other(pair.now() + 0.5);
  TimestampExchange first = *pair.next();
  clock.add(first);
  const auto error = [&] {
    return std::chrono::abs(clock.offset(first.t4) - pair.true_offset(first.t4));
  };
  EXPECT_LE(error(), clock.bound(first.t4));
  EXPECT_LT(seconds(clock.bound(first.t4)), 1.1e-3) << "nothing but this exchange";
  TimestampExchange overtaken = late;
  overtaken.t4 = first.t4;
  clock.add(overtaken);
  EXPECT_LE(error(), clock.bound(first.t4)) << "of the old clock, come late";
}

TEST(ClockOffsetEstimator, LeavesNonsenseOut) {
  ClockCase settings;
  settings.offset = -3000.0;
  settings.there.least = settings.back.least = 1e-3;
  ClockPair pair(settings);
  ClockOffsetEstimator clock;
  for (int i = 0; i < 50; ++i) clock.add(*pair.next());
  const TimestampExchange good = *pair.next();
  const Duration offset = clock.offset(good.t4);
  const Duration bound = clock.bound(good.t4);
  const auto without = [&](auto spoil) {
    TimestampExchange bad = good;
    spoil(bad);
    clock.add(bad);
    EXPECT_EQ(clock.offset(good.t4), offset);
    EXPECT_EQ(clock.bound(good.t4), bound);
  };
  without([](TimestampExchange& bad) { bad.t1 = bad.t4 + Duration(1); });
  without([](TimestampExchange& bad) { bad.t3 = bad.t2 - Duration(1); });
  without([](TimestampExchange& bad) { bad.t3 += std::chrono::seconds(1); });
  without([](TimestampExchange& bad) { bad.t2 = {}; });
  without([](TimestampExchange& bad) { bad.t3 = {}; });
  without([](TimestampExchange& bad) { bad.t1 = {}; });
  without([](TimestampExchange& bad) { bad.t4 = TimePoint::max(); });
  without([](TimestampExchange& bad) { bad.t1 = TimePoint::min(); });
  without([](TimestampExchange& bad) { bad.t2 = TimePoint::min(); });
}

TEST(ClockOffsetEstimator, SaysNothingBeforeItHeardAnything) {
  ClockOffsetEstimator clock;
  EXPECT_FALSE(clock.ready());
  EXPECT_EQ(clock.bound(at(1.0)), Duration::max());
  EXPECT_EQ(clock.to_other(at(1.0)), at(1.0));
  ClockPair pair(ClockCase{});
  clock.add(*pair.next());
  EXPECT_TRUE(clock.ready());
  clock.restart();
  EXPECT_FALSE(clock.ready());
  EXPECT_EQ(clock.bound(at(1.0)), Duration::max());
}

TEST(ClockOffsetEstimator, GivesTheSameInstantThereAndBack) {
  ClockCase settings;
  settings.offset = 39'999.123456789;
  settings.drift = 187.3e-6;
  settings.there.least = settings.back.least = 1e-3;
  ClockPair pair(settings);
  ClockOffsetEstimator clock;
  for (int i = 0; i < 100; ++i) clock.add(*pair.next());
  for (const double own : {0.0, 5.0, pair.now(), 1e3, 1e5}) {
    const Duration lost = clock.to_own(clock.to_other(at(own))) - at(own);
    EXPECT_LE(std::chrono::abs(lost), Duration(1)) << own;
  }
  // What a peer may write is answered with some time, whatever it is.
  for (const TimePoint odd : {TimePoint::min(), TimePoint::max()}) {
    EXPECT_GT(clock.bound(odd), Duration::zero());
    clock.to_other(odd);
    clock.to_own(odd);
  }
}

}  // namespace
}  // namespace trestle::timing::session_clock_test
