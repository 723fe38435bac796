#include <gtest/gtest.h>

#include <chrono>

#include "core/network/link_model.h"

namespace trestle::network::link_breaks_test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBytes = 100;

TimePoint at(Duration time) {
  return TimePoint{time};
}

/// 100 ms one way; at 10 s, 20 s, ... the link breaks or stalls for 1 s.
LinkSettings slow() {
  LinkSettings settings;
  settings.delay = settings.return_delay = 100ms;
  return settings;
}
constexpr OutagePattern kEveryTenSeconds{
    .every = 10s, .duration = 1s, .first = 10s, .regular = true};

TEST(LinkStall, HoldsWhatWouldArriveInItAndLosesNothing) {
  LinkSettings settings = slow();
  settings.stalls = kEveryTenSeconds;
  LinkModel link(settings, LinkDirection::kToSite);
  const auto arrives = [&](Duration sent) {
    const LinkModel::Delivery passage = link.delivery(at(sent), kBytes);
    EXPECT_FALSE(passage.lost);
    return passage.delivered;
  };
  EXPECT_EQ(arrives(9899ms), at(9999ms));
  EXPECT_EQ(arrives(9900ms), at(11s)) << "it would arrive when the stall begins";
  EXPECT_EQ(arrives(10500ms), at(11s));
  EXPECT_EQ(arrives(10950ms), at(11050ms)) << "on its way when the stall ends";
  EXPECT_EQ(arrives(19950ms), at(21s));
  EXPECT_FALSE(link.down(at(20500ms))) << "a stall breaks no connection";
}

TEST(LinkStall, HoldsBothDirectionsAtOnce) {
  LinkSettings settings;
  settings.seed = 7;
  settings.stalls = {.every = 10s, .duration = 1s, .first = {}, .regular = false};
  LinkModel out(settings, LinkDirection::kToSite);
  LinkModel back(settings, LinkDirection::kToIntegrator);
  int held = 0;
  for (Duration now = 0s; now < 1000s; now += 500ms) {
    const TimePoint there = out.delivery(at(now), kBytes).delivered;
    ASSERT_EQ(there, back.delivery(at(now), kBytes).delivered);
    if (there > at(now)) ++held;
  }
  EXPECT_GT(held, 100);
}

TEST(LinkOutage, LosesWhatIsOnItsWayAndWhatIsSentInIt) {
  LinkSettings settings = slow();
  settings.outages = kEveryTenSeconds;
  LinkModel link(settings, LinkDirection::kToSite);
  EXPECT_EQ(link.delivery(at(9899ms), kBytes).delivered, at(9999ms));
  EXPECT_TRUE(link.delivery(at(9900ms), kBytes).lost) << "not there when it begins";
  EXPECT_TRUE(link.delivery(at(10s), kBytes).lost);
  EXPECT_TRUE(link.delivery(at(10999ms), kBytes).lost) << "sent in it";
  EXPECT_EQ(link.delivery(at(11s), kBytes).delivered, at(11100ms));
  EXPECT_TRUE(link.delivery(at(20500ms), kBytes).lost);
}

TEST(LinkOutage, IsToldBeforehand) {
  LinkSettings settings = slow();
  settings.outages = kEveryTenSeconds;
  LinkModel link(settings, LinkDirection::kToIntegrator);
  EXPECT_EQ(link.outage(at(0s)).begin, at(10s));
  EXPECT_EQ(link.outage(at(0s)).end, at(11s));
  EXPECT_FALSE(link.down(at(9999ms)));
  EXPECT_TRUE(link.down(at(10s)));
  EXPECT_TRUE(link.down(at(10999ms)));
  EXPECT_FALSE(link.down(at(11s)));
  EXPECT_EQ(link.outage(at(11s)).begin, at(20s));
}

TEST(LinkOutage, NeverComesWhereNoneIsAskedFor) {
  LinkModel link(slow(), LinkDirection::kToSite);
  EXPECT_EQ(link.outage(at(24h)).begin, TimePoint::max());
  EXPECT_FALSE(link.down(at(24h)));
}

TEST(LinkOutage, LeavesAnEmptyLine) {
  LinkSettings settings = slow();
  settings.outages = kEveryTenSeconds;
  settings.bandwidth = 1e6;
  LinkModel link(settings, LinkDirection::kToSite);
  EXPECT_TRUE(link.delivery(at(9s), 1'250'000).lost) << "takes 10 s to be sent off";
  EXPECT_TRUE(link.delivery(at(9s), 1).lost) << "behind it";
  EXPECT_EQ(link.delivery(at(11s), 1250).delivered, at(11s + 10ms + 100ms));
}

TEST(LinkOutage, TakesWhatWaitsForTheEndOfAStall) {
  LinkSettings settings = slow();
  settings.outages = kEveryTenSeconds;
  settings.stalls = {.every = 100s, .duration = 2s, .first = 9s, .regular = true};
  LinkModel link(settings, LinkDirection::kToSite);
  EXPECT_TRUE(link.delivery(at(9s), kBytes).lost);
  EXPECT_EQ(link.delivery(at(11s), kBytes).delivered, at(11100ms));
}

TEST(LinkOutage, StrikesBothDirectionsAtOnce) {
  LinkSettings settings = slow();
  settings.seed = 7;
  settings.outages = {.every = 60s, .duration = 1s, .first = {}, .regular = false};
  LinkModel out(settings, LinkDirection::kToSite);
  LinkModel back(settings, LinkDirection::kToIntegrator);
  for (Duration now = 0s; now < 1h; now += 10s) {
    ASSERT_EQ(out.outage(at(now)).begin, back.outage(at(now)).begin);
    ASSERT_EQ(out.outage(at(now)).end, back.outage(at(now)).end);
  }
}

}  // namespace
}  // namespace trestle::network::link_breaks_test
