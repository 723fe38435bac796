#include "core/network/link_model.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace trestle::network::link_model_test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBytes = 100;
constexpr int kCount = 20000;

TimePoint at(Duration time) {
  return TimePoint{time};
}

LinkSettings delayed(Duration delay) {
  LinkSettings settings;
  settings.delay = settings.return_delay = delay;
  settings.seed = 7;
  return settings;
}

TEST(LinkModel, DelaysEachWayByItsOwn) {
  LinkSettings settings = delayed(20ms);
  settings.return_delay = 35ms;
  LinkModel out(settings, LinkDirection::kToSite);
  LinkModel back(settings, LinkDirection::kToIntegrator);
  for (int n = 0; n < 100; ++n) {
    EXPECT_EQ(out.delivery(at(n * 1ms), kBytes).delivered, at(n * 1ms + 20ms));
    EXPECT_EQ(back.delivery(at(n * 1ms), kBytes).delivered, at(n * 1ms + 35ms));
  }
}

TEST(LinkModel, IsPerfectWhereNothingIsSaid) {
  LinkModel link({}, LinkDirection::kToSite);
  const LinkModel::Delivery passage = link.delivery(at(3s), 1 << 20);
  EXPECT_EQ(passage.delivered, at(3s));
  EXPECT_FALSE(passage.lost);
}

TEST(LinkModel, AddsJitterThatIsExponential) {
  LinkSettings settings = delayed(20ms);
  settings.jitter = 2ms;
  LinkModel link(settings, LinkDirection::kToSite);
  double sum = 0.0;
  double above_mean = 0.0;
  for (int n = 0; n < kCount; ++n) {
    const TimePoint sent = at(n * 1s);  // so far apart that none waits for another
    const double jitter = seconds(link.delivery(sent, kBytes).delivered - sent - 20ms);
    EXPECT_GE(jitter, 0.0);
    sum += jitter;
    if (jitter > 0.002) above_mean += 1.0;
  }
  // Four standard errors: of a mean of exponentials, and of a share of e⁻¹.
  const double root = std::sqrt(static_cast<double>(kCount));
  EXPECT_NEAR(sum / kCount, 0.002, 4.0 * 0.002 / root);
  const double share = std::exp(-1.0);
  EXPECT_NEAR(above_mean / kCount, share, 4.0 * std::sqrt(share * (1.0 - share)) / root);
}

TEST(LinkModel, NeverDeliversAMessageBeforeItsPredecessor) {
  LinkSettings settings = delayed(20ms);
  settings.jitter = 15ms;
  settings.loss = 0.05;
  settings.stalls = {.every = 2s, .duration = 100ms, .first = {}, .regular = false};
  LinkModel link(settings, LinkDirection::kToSite);
  TimePoint last{};
  int waited = 0;
  for (int n = 0; n < kCount; ++n) {
    const TimePoint delivered = link.delivery(at(n * 1ms), kBytes).delivered;
    ASSERT_GE(delivered, last) << n;
    if (delivered == last) ++waited;
    last = delivered;
  }
  EXPECT_GT(waited, kCount / 4);  // else nothing was put to the test
}

TEST(LinkModel, SendsOneMessageOffAfterTheOther) {
  LinkSettings settings = delayed(20ms);
  settings.bandwidth = 1e6;  // 1250 bytes take 10 ms
  LinkModel link(settings, LinkDirection::kToSite);
  for (int n = 1; n <= 10; ++n)
    EXPECT_EQ(link.delivery(at(5ms), 1250).delivered, at(5ms + n * 10ms + 20ms)) << n;
  EXPECT_EQ(link.delivery(at(104ms), 125).delivered, at(105ms + 1ms + 20ms));
  EXPECT_EQ(link.delivery(at(1s), 125).delivered, at(1s + 1ms + 20ms)) << "idle again";
}

TEST(LinkModel, BringsALostMessageOneRetransmissionLater) {
  LinkSettings settings = delayed(30ms);
  settings.return_delay = 40ms;
  settings.loss = 0.1;
  LinkModel link(settings, LinkDirection::kToSite);
  int lost = 0;
  for (int n = 0; n < kCount; ++n) {
    const LinkModel::Delivery passage = link.delivery(at(n * 1s), kBytes);
    ASSERT_FALSE(passage.lost);
    const Duration late = passage.delivered - at(n * 1s) - 30ms;
    ASSERT_TRUE(late == 0ms || late == 70ms + 200ms) << late.count();
    if (late > 0ms) ++lost;
  }
  // Four standard deviations of a binomial count.
  EXPECT_NEAR(lost, 0.1 * kCount, 4.0 * std::sqrt(0.1 * 0.9 * kCount));
}

TEST(LinkModel, HoldsBackWhatFollowsALostMessage) {
  LinkSettings settings = delayed(30ms);
  settings.loss = 0.5;
  LinkModel link(settings, LinkDirection::kToSite);
  int held = 0;
  TimePoint last{};
  for (int n = 0; n < 100; ++n) {
    const TimePoint delivered = link.delivery(at(n * 1ms), kBytes).delivered;
    const bool lost = delivered == at(n * 1ms + 30ms + 260ms);
    if (!lost && delivered > at(n * 1ms + 30ms)) {
      EXPECT_EQ(delivered, last) << n;
      ++held;
    }
    last = delivered;
  }
  EXPECT_GT(held, 10);
}

TEST(LinkModel, ReplaysATraceOverAndOver) {
  LinkSettings settings;
  settings.trace = {{0s, 10ms}, {1s, 20ms}, {3s, 40ms}};
  LinkModel link(settings, LinkDirection::kToIntegrator);
  EXPECT_EQ(link.delivery(at(0s), kBytes).delivered, at(10ms));
  EXPECT_EQ(link.delivery(at(500ms), kBytes).delivered, at(515ms));
  EXPECT_EQ(link.delivery(at(1s), kBytes).delivered, at(1020ms));
  EXPECT_EQ(link.delivery(at(2s), kBytes).delivered, at(2030ms));
  EXPECT_EQ(link.delivery(at(3s), kBytes).delivered, at(3010ms));
  EXPECT_EQ(link.delivery(at(3004 * 1s), kBytes).delivered, at(3004s + 20ms));
}

TEST(LinkModel, IsAFunctionOfSeedNameAndDirection) {
  LinkSettings settings = delayed(75ms);
  settings.jitter = 10ms;
  const auto arrivals = [](const LinkSettings& of, LinkDirection direction) {
    LinkModel link(of, direction);
    std::vector<TimePoint> times;
    for (int n = 0; n < 50; ++n)
      times.push_back(link.delivery(at(n * 1s), kBytes).delivered);
    return times;
  };
  const auto first = arrivals(settings, LinkDirection::kToSite);
  EXPECT_EQ(arrivals(settings, LinkDirection::kToSite), first);
  EXPECT_NE(arrivals(settings, LinkDirection::kToIntegrator), first);
  LinkSettings other = settings;
  other.seed = 8;
  EXPECT_NE(arrivals(other, LinkDirection::kToSite), first);
  other = settings;
  other.stream = stream_id("link east");
  EXPECT_NE(arrivals(other, LinkDirection::kToSite), first);
}

}  // namespace
}  // namespace trestle::network::link_model_test
