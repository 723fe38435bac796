#include "site-servers/compensators/adaptive_fir.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/base/setting_error.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::adaptive_fir_test {
namespace {

using testing::run;
using testing::Track;

constexpr double kTick = 1.0 / 1024.0;

/// The method as it was published, word by word and in higher precision: the filter as one
/// polynomial, P as a matrix.
class Published {
 public:
  using Real = long double;
  using Vector = Eigen::Matrix<Real, 4, 1>;
  using Matrix = Eigen::Matrix<Real, 4, 4>;

  Published(const Eigen::VectorXd& theta, const Eigen::MatrixXd& P)
      : theta_(theta.cast<Real>()), P_(P.cast<Real>()) {
    // Bilinear transform of the Butterworth prototype of order 4, 20 Hz.
    const Real k = std::tan(3.14159265358979323846264338327950288L * 20.0L / 1024.0L);
    a_ = {1.0L, 0.0L, 0.0L, 0.0L, 0.0L};
    b0_ = 1.0L;
    for (const Real angle : {1.0L, 3.0L}) {
      const Real two_zeta =
          2.0L * std::sin(angle * 3.14159265358979323846264338327950288L / 8);
      const Real scale = 1.0L / (1.0L + two_zeta * k + k * k);
      const std::array<Real, 3> section{1.0L, 2.0L * (k * k - 1.0L) * scale,
                                        (1.0L - two_zeta * k + k * k) * scale};
      std::array<Real, 5> product{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j + i < 5; ++j) product[i + j] += section[i] * a_[j];
      a_ = product;
      b0_ *= k * k * scale;
    }
  }

  Real command(Real target, Real measured, Real last_command, bool first) {
    if (!first) filter(command_, last_command);
    shift(tm_, filter(measured_, measured));
    if (first) tt_.setConstant(target);
    shift(tt_, target);
    const Vector g = P_ * tm_ / (1.0L + tm_.dot(P_ * tm_));
    // f(u)[k] = b0 u + c, c from the memory.
    std::array<Real, 4> memory = command_;
    const Real c = filter(memory, 0.0L);
    const Real u =
        (tt_.dot(theta_) + tt_.dot(g) * (c - theta_.dot(tm_))) / (1.0L - b0_ * tt_.dot(g));
    const Real e = b0_ * u + c - theta_.dot(tm_);
    theta_ += g * e;
    const Vector seen = P_ * tm_;
    P_ -= g * seen.transpose();
    EXPECT_NEAR(static_cast<double>(theta_.dot(tt_) - u), 0.0, 1e-12);  // u = θᵀx
    return u;
  }

 private:
  static void shift(Vector& taps, Real newest) {
    taps = Vector{newest, taps[0], taps[1], taps[2]};
  }
  /// Direct form II.
  Real filter(std::array<Real, 4>& w, Real input) const {
    Real inner = input;
    for (std::size_t i = 0; i < 4; ++i) inner -= a_[i + 1] * w[i];
    const Real out = b0_ * (inner + 4 * w[0] + 6 * w[1] + 4 * w[2] + w[3]);
    w = {inner, w[0], w[1], w[2]};
    return out;
  }

  std::array<Real, 5> a_{};
  Real b0_ = 1.0L;
  Vector theta_;
  Matrix P_;
  Vector tm_ = Vector::Zero();
  Vector tt_ = Vector::Zero();
  std::array<Real, 4> measured_{};
  std::array<Real, 4> command_{};
};

compensators::RlsInitialState published_start() {
  compensators::RlsInitialState start;
  start.coefficients =
      Eigen::Vector4d{5.4147035314, 1.9628066539, -1.5048252597, -4.957763804};
  start.covariance = Eigen::Matrix4d{{83906.43, -45046.01, -27999.33, -10761.29},
                                     {-45046.01, 106712.78, -33590.12, -27999.86},
                                     {-27999.33, -33590.12, 106712.89, -45046.65},
                                     {-10761.29, -27999.86, -45046.65, 83907.60}};
  start.covariance *= 1e6;  // the published program counts in millimetres
  return start;
}

TEST(AdaptiveFir, IsThePublishedMethod) {
  const compensators::RlsInitialState start = published_start();
  compensators::AdaptiveFir compensator(1, {.tick = kTick, .start = {.given = {start}}});
  Published published(start.coefficients, start.covariance);
  double measured = 0.0;
  double displacement = 0.0;
  double command = 0.0;
  for (int n = 0; n < 6000; ++n) {
    measured =
        displacement + 12e-6 * standard_normal({.seed = 3,
                                                .stream = 0,
                                                .channel = 0,
                                                .index = static_cast<std::uint64_t>(n)});
    ActuatorMotion target = testing::trial_target(n * kTick - 1.0);
    target.displacement[0] += 1e-7 * std::sin(0.05 * n);
    const double expected = static_cast<double>(
        published.command(target.displacement[0], measured, command, n == 0));
    const double last = command;
    command = compensator.command(target, ActuatorVector::Constant(1, measured),
                                  ActuatorVector::Constant(1, last))[0];
    ASSERT_NEAR(command, expected, 1e-6 * std::abs(expected) + 1e-12) << n;
    displacement += (1.0 - std::exp(-kTick / 0.02)) * (command - displacement);
  }
}

compensators::AdaptiveFirSettings from_delay() {
  return {.tick = kTick, .start = {.initial_delay = 0.010}, .excitation_floor = 5e-5};
}

TEST(AdaptiveFir, BringsTheSpecimenThereOnTime) {
  for (const testing::TrialRig rig :
       {testing::TrialRig{.delay = 18}, testing::TrialRig{.lag = 0.025},
        testing::TrialRig{.delay = 12, .gain = 0.9},
        testing::TrialRig{.lag = 0.02, .noise = 12e-6}}) {
    compensators::AdaptiveFir compensator(1, from_delay());
    EXPECT_LT(run(compensator, {.rig = rig}).error(8.0, 12.0, 1), 0.01);
  }
}

TEST(AdaptiveFir, FollowsARigThatChangesWhereItForgets) {
  compensators::AdaptiveFirSettings forgetful = from_delay();
  forgetful.forgetting = 1.0 - kTick / 0.5;
  compensators::AdaptiveFir compensator(1, forgetful);
  const Track track =
      run(compensator, {.rig = {.delay = 12, .noise = 2e-6},
                        .changes_at = 6.0,
                        .later = {.delay = 20, .gain = 0.95, .noise = 2e-6}});
  EXPECT_LT(track.error(9.0, 12.0, 1), 0.02);
}

TEST(AdaptiveFir, KeepsItsStartWhileNothingMoves) {
  compensators::AdaptiveFir compensator(1, from_delay());
  const Eigen::VectorXd start = compensator.coefficients(0);
  // One at rest, and a ramp is led by the delay.
  EXPECT_NEAR(start.sum(), 1.0, 1e-12);
  EXPECT_NEAR(start.dot(Eigen::Vector4d{0, -1, -2, -3}) * kTick, 0.010, 1e-12);
  run(compensator, {.duration = 5.0, .scale = 0.0, .rig = {.delay = 18, .noise = 12e-6}});
  EXPECT_EQ(compensator.coefficients(0), start);
}

TEST(AdaptiveFir, RefusesASettingThatCannotWork) {
  const auto refuses = [](const std::string& path, auto change) {
    compensators::AdaptiveFirSettings broken = from_delay();
    change(broken);
    try {
      compensators::AdaptiveFir compensator(2, broken);
      ADD_FAILURE() << path;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems().front().path, path);
    }
  };
  refuses("taps", [](auto& it) { it.taps = 17; });
  refuses("forgetting", [](auto& it) { it.forgetting = 0.0; });
  refuses("filter.frequency", [](auto& it) { it.filter.frequency = 600.0; });
  refuses("start", [](auto& it) { it.start.given = {published_start()}; });
  refuses("start[1].coefficients", [](auto& it) {
    it.start.given = {published_start(), published_start()};
    it.start.given[1].coefficients = Eigen::Vector3d::Zero();
  });
  refuses("start[0].covariance", [](auto& it) {
    it.start.given = {published_start(), published_start()};
    it.start.given[0].covariance(0, 1) = 0.0;
  });
  refuses("initial_delay", [](auto& it) {
    it.start.initial_delay = compensators::PerActuator(std::vector<double>(3, 0.0));
  });
  refuses("initial_covariance", [](auto& it) { it.start.initial_covariance = -1.0; });
}

}  // namespace
}  // namespace trestle::adaptive_fir_test
