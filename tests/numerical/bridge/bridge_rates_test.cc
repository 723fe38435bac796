// Rates that go to the sites are rates of what goes there, whatever the track.
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "composition/linear/transfer_factory.h"
#include "composition/numerical/bridge/bridge_factory.h"
#include "core/math/discretisation.h"
#include "tests/numerical/bridge/railway_bridge.h"

namespace trestle::bridge::bridge_rates_test {
namespace {

constexpr double kSpan = 32.0;
constexpr double kSpeed = 300.0 / 3.6;
constexpr double kStep = 1.0 / 1024.0;

/// What the site is asked for while the wheel's weight alone rolls over the bridge.
std::vector<SiteTarget> requests_of(const std::string& text) {
  config::Test test = ::trestle::testing::railway_bridge(300.0);
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(
      "numerical { bridge { " + text + " } }", &test));
  const auto bridge =
      composition::make_bridge(test, composition::BridgeSolution::kHybrid, {}, nullptr);
  std::vector<SiteTarget> request{
      {InterfaceMotion::zero(1), InterfaceMotion::zero(1), InterfaceVector{}}};
  const std::vector<SiteResponse> still{
      {InterfaceVector::Zero(1), InterfaceVector::Zero(1)}};
  bridge->prepare();
  bridge->correct(-1, still);
  std::vector<SiteTarget> requests;
  for (std::int64_t k = 0; k < bridge->steps(); ++k) {
    bridge->predict(k, request);
    bridge->correct(k, still);
    requests.push_back(request.front());
  }
  return requests;
}

/// No kink nearby: the wheel is well inside a span.
bool inside_a_span(std::size_t step, double steps_per_second) {
  const double x = kSpeed * (static_cast<double>(step) / steps_per_second - 1.0);
  const double place = std::fmod(x, kSpan);
  return x > 0.0 && x < 7.0 * kSpan && place > 2.0 && place < kSpan - 2.0;
}

/// Central differences of displacement and velocity against velocity and acceleration, as
/// parts of their peaks.
struct Off {
  double velocity = 0.0;
  double acceleration = 0.0;
};

template <typename Which>
Off off(const std::vector<SiteTarget>& requests, double step, Which which,
        double steps_per_second) {
  Off worst, peak;
  for (std::size_t k = 1; k + 1 < requests.size(); ++k) {
    if (!inside_a_span(k, steps_per_second)) continue;
    const InterfaceMotion& now = which(requests[k]);
    const InterfaceMotion& before = which(requests[k - 1]);
    const InterfaceMotion& behind = which(requests[k + 1]);
    const double v = (behind.displacement[0] - before.displacement[0]) / (2.0 * step);
    const double a = (behind.velocity[0] - before.velocity[0]) / (2.0 * step);
    worst.velocity = std::max(worst.velocity, std::abs(v - now.velocity[0]));
    worst.acceleration = std::max(worst.acceleration, std::abs(a - now.acceleration[0]));
    peak.velocity = std::max(peak.velocity, std::abs(now.velocity[0]));
    peak.acceleration = std::max(peak.acceleration, std::abs(now.acceleration[0]));
  }
  return {worst.velocity / peak.velocity, worst.acceleration / peak.acceleration};
}

const InterfaceMotion& whole(const SiteTarget& request) {
  return request.target;
}
const InterfaceMotion& known(const SiteTarget& request) {
  return request.feedforward_target;
}

// A central difference lacks (ω h)²/6 of a wave: 2 % at 55 Hz, the shortest of the track;
// 17 % of what little the fifth mode (167 Hz) has in the acceleration.
constexpr double kDifferences = 0.05;

TEST(BridgeRates, OfASmoothTrackAreThoseOfTheTarget) {
  const Off found = off(requests_of(""), kStep, whole, 1024.0);
  EXPECT_LT(found.velocity, kDifferences);
  EXPECT_LT(found.acceleration, 2.0 * kDifferences);
}

TEST(BridgeRates, OfAnIrregularTrackAreThoseOfTheTarget) {
  const Off found = off(requests_of("track { german { } }"), kStep, whole, 1024.0);
  EXPECT_LT(found.velocity, kDifferences);
  EXPECT_LT(found.acceleration, kDifferences);
}

TEST(BridgeRates, OfWhatIsKnownBeforehandAreThoseOfThat) {
  const auto requests =
      requests_of("track { german { } } preview { transfer { servo_hydraulic { } } }");
  const Off found = off(requests, kStep, known, 1024.0);
  EXPECT_LT(found.velocity, kDifferences);
  EXPECT_LT(found.acceleration, kDifferences);
}

// In the laboratory everything goes at twice the pace.
TEST(BridgeRates, InALaboratoryThatIsQuickerAreThoseOfItsTime) {
  const auto requests = requests_of("track { german { } } similitude { time: 0.5 }");
  const Off found = off(requests, kStep, whole, 512.0);
  EXPECT_LT(found.velocity, 4.0 * kDifferences);
  EXPECT_LT(found.acceleration, 4.0 * kDifferences);
}

// The table gets the command of a step after it was read there, and is where it shall be at
// the read of the next: to the shortest wave's 55 Hz the band of 80 Hz has it all.
TEST(BridgeRates, CommandMadeBeforehandBringsTheTableToTheTrackInTime) {
  const std::string table = "servo_hydraulic { }";
  const auto requests =
      requests_of("track { german { } } preview { transfer { " + table + " } }");
  config::TransferMatrix model;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(table, &model));
  const math::DiscreteStateSpace plant =
      math::discretise(composition::make_transfer(model, 1, "transfer"), kStep);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(plant.A.rows());
  double error = 0.0, size = 0.0;
  for (const SiteTarget& request : requests) {
    const double r = request.feedforward_target.displacement[0];
    error += std::pow((plant.C * x)(0) - r, 2.0);
    size += r * r;
    x = plant.A * x + plant.B * request.command_feedforward[0];
  }
  EXPECT_LT(std::sqrt(error / size), 1e-3);
}

}  // namespace
}  // namespace trestle::bridge::bridge_rates_test
