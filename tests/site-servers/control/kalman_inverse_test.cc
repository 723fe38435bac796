#include "site-servers/compensators/kalman_inverse.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <string>

#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "site-servers/compensators/second_order_transfer.h"
#include "tests/site-servers/control/tracking_trial.h"

namespace trestle::kalman_inverse_test {
namespace {

using compensators::KalmanInverse;
using compensators::KalmanInverseSettings;
using compensators::SecondOrderTransfer;
using Form = KalmanInverseSettings::Form;

constexpr double kTick = 1.0 / 1024.0;
const Eigen::Vector3d kTruth(1.1, 0.02, 1.6e-4);

/// A stiffness, a damping and a mass in many small steps.
Eigen::Vector2d integrated(const Eigen::Vector3d& a, Eigen::Vector2d z, double u) {
  constexpr int kSteps = 2000;
  const double h = kTick / kSteps;
  const auto rate = [&](const Eigen::Vector2d& at) {
    return Eigen::Vector2d(at[1], (u - a[0] * at[0] - a[1] * at[1]) / a[2]);
  };
  for (int i = 0; i < kSteps; ++i) z += h * rate(z + 0.5 * h * rate(z));
  return z;
}

TEST(SecondOrderTransfer, IsTheMotionOfStiffnessDampingAndMass) {
  const SecondOrderTransfer transfer(kTruth, kTick);
  const Eigen::Vector2d z(0.003, -0.2);
  const Eigen::Vector2d exact = integrated(kTruth, z, 0.007);
  const Eigen::Vector2d found = transfer.advance(z, 0.007);
  EXPECT_NEAR(found[0], exact[0], 1e-9);
  EXPECT_NEAR(found[1], exact[1], 1e-6);
}

TEST(SecondOrderTransfer, KnowsItsDerivatives) {
  const Eigen::Vector2d z(0.003, -0.2);
  constexpr double kCommand = 0.007;
  const SecondOrderTransfer transfer(kTruth, kTick);
  for (int i = 0; i < 3; ++i) {
    const double step = 1e-5 * kTruth[i];
    Eigen::Vector3d more = kTruth, less = kTruth;
    more[i] += step;
    less[i] -= step;
    const Eigen::Vector2d difference =
        (SecondOrderTransfer(more, kTick).advance(z, kCommand) -
         SecondOrderTransfer(less, kTick).advance(z, kCommand)) /
        (2.0 * step);
    EXPECT_LT((transfer.by_parameters(z, kCommand).col(i) - difference).norm(),
              1e-6 * difference.norm())
        << i;
  }
  const Eigen::Matrix2d by_motion = transfer.by_motion();
  for (int i = 0; i < 2; ++i) {
    Eigen::Vector2d moved = z;
    moved[i] += 1.0;
    EXPECT_LT((by_motion.col(i) -
               (transfer.advance(moved, kCommand) - transfer.advance(z, kCommand)))
                  .norm(),
              1e-9);
  }
}

/// A rig of the truth, driven by several tones, read through noise.
struct Rig {
  std::uint64_t seed;
  double noise = 1e-5;
  double disturbance = 0.0;  // of the command, mean over a tick
  Eigen::Vector2d z = Eigen::Vector2d::Zero();
  int n = 0;

  double normal(std::uint32_t stream) const {
    return standard_normal({.seed = seed,
                            .stream = stream,
                            .channel = 0,
                            .index = static_cast<std::uint64_t>(n)});
  }
  double command() const {
    const double t = n * kTick;
    return 0.004 * std::sin(7.0 * t) + 0.003 * std::sin(19.0 * t + 1.0) +
           0.001 * std::sin(60.0 * t);
  }
  double read() const { return z[0] + noise * normal(1); }
  void move() {
    z = SecondOrderTransfer(kTruth, kTick).advance(z, command() + disturbance * normal(2));
    ++n;
  }
};

KalmanInverseSettings settings(Form form) {
  return {.tick = kTick,
          .form = form,
          .initial = compensators::SeriesCoefficientsPerActuator(
              {{kTruth[0], kTruth[1], kTruth[2]}}),
          .drift = 0.0,
          .disturbance = 1e-5,
          .excitation_floor = 0.0};
}

void show(KalmanInverse& filter, Rig& rig, int ticks) {
  const ActuatorMotion rest = ActuatorMotion::zero(1);
  ActuatorVector command = ActuatorVector::Zero(1);
  for (int i = 0; i < ticks; ++i) {
    filter.command(rest, ActuatorVector::Constant(1, rig.read()), command);
    command[0] = rig.command();
    rig.move();
  }
}

class KalmanForms : public ::testing::TestWithParam<Form> {};

/// e'P⁻¹e of a filter that tells the truth is χ² with 3 degrees of freedom; the mean of 40
/// is 3 ± 0.39. Starts are drawn from the covariance that the filter is told.
TEST_P(KalmanForms, ComeToTheTruthWithinTheirCovariance) {
  constexpr int kRuns = 40;
  double mean = 0.0;
  double improvement = 0.0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    KalmanInverseSettings it = settings(GetParam());
    const double spread[3] = {0.05, 0.1, 0.1};  // of the truth
    compensators::SeriesCoefficients start{}, deviation{};
    for (std::uint32_t i = 0; i < 3; ++i) {
      const double part =
          standard_normal({.seed = 77, .stream = 3 + i, .channel = 0, .index = run});
      start[i] = kTruth[i] * (1.0 + spread[i] * part);
      deviation[i] = kTruth[i] * spread[i];
    }
    it.initial = compensators::SeriesCoefficientsPerActuator({start});
    it.spread = deviation;
    KalmanInverse filter(1, it);
    Rig rig{.seed = 100 + run, .disturbance = 1e-5 / std::sqrt(kTick)};
    show(filter, rig, 1500);
    const Eigen::Vector3d error = filter.coefficients(0) - kTruth;
    mean += error.dot(filter.covariance(0).inverse() * error) / kRuns;
    improvement +=
        filter.covariance(0).diagonal().cwiseSqrt().cwiseQuotient(kTruth)[1] / kRuns;
  }
  EXPECT_GT(mean, 3.0 - 4.0 * 0.39);
  EXPECT_LT(mean, 3.0 + 4.0 * 0.39);
  EXPECT_LT(improvement, 0.02);  // from 0.1
}

TEST_P(KalmanForms, StayAtTheTruthToTheLastDigitWithoutNoise) {
  KalmanInverse filter(1, settings(GetParam()));
  Rig rig{.seed = 1, .noise = 0.0};
  show(filter, rig, 1000);
  // The unscented mean of a nonlinear motion is not its motion of the mean.
  const double tolerance = GetParam() == Form::kExtended ? 1e-9 : 1e-2;
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(filter.coefficients(0)[i] / kTruth[i], 1.0, tolerance) << i;
}

TEST_P(KalmanForms, KeepTheirCovarianceWithoutExcitation) {
  KalmanInverseSettings it = settings(GetParam());
  it.drift = 0.1;
  it.excitation_floor = 1e-4;
  KalmanInverse filter(1, it);
  const Eigen::Matrix3d before = filter.covariance(0);
  ActuatorVector rest = ActuatorVector::Zero(1);
  for (int n = 0; n < 20000; ++n)
    filter.command(ActuatorMotion::zero(1),
                   ActuatorVector::Constant(
                       1, 1e-5 * standard_normal({.seed = 5,
                                                  .stream = 1,
                                                  .channel = 0,
                                                  .index = static_cast<std::uint64_t>(n)})),
                   rest);
  for (int i = 0; i < 3; ++i)
    EXPECT_LE(filter.covariance(0)(i, i), before(i, i) * (1.0 + 1e-9));
}

/// At rest nothing tells of the rates: their deviations grow by the drift, to the start's
/// and, with one tick's drift, no further.
TEST_P(KalmanForms, DriftNoFurtherThanTheirStart) {
  KalmanInverseSettings it = settings(GetParam());
  it.drift = 1.0;  // [1/sqrt(s)]
  it.spread = {0.01, 0.02 * kTruth[1], 0.03 * kTruth[2]};
  KalmanInverse filter(1, it);
  const ActuatorVector rest = ActuatorVector::Zero(1);
  for (int n = 0; n < 4096; ++n) filter.command(ActuatorMotion::zero(1), rest, rest);
  const double relative[3] = {0.01 / kTruth[0], 0.02, 0.03};
  for (int i = 0; i < 3; ++i) {
    const double most = std::sqrt(relative[i] * relative[i] + it.drift * it.drift * kTick);
    const double found = std::sqrt(filter.covariance(0)(i, i)) / kTruth[i];
    EXPECT_LE(found, most * (1.0 + 1e-9)) << i;
    EXPECT_GE(found, relative[i] * (1.0 - 1e-9)) << i;
  }
}

TEST_P(KalmanForms, FollowARigThatChanges) {
  KalmanInverseSettings it{.tick = kTick, .form = GetParam(), .expected_delay = 0.010};
  KalmanInverse filter(1, it);
  const testing::Track track =
      testing::run(filter, {.rig = {.delay = 9, .noise = 12e-6},
                            .changes_at = 5.0,
                            .later = {.delay = 16, .gain = 0.95, .noise = 12e-6}});
  EXPECT_LT(track.error(3.0, 5.0), 0.03);
  EXPECT_LT(track.error(9.0, 12.0), 0.03);
}

TEST_P(KalmanForms, CommandTheInverse) {
  KalmanInverse filter(1, settings(GetParam()));
  ActuatorMotion target = ActuatorMotion::zero(1);
  target.displacement[0] = 0.003;
  target.velocity[0] = -0.05;
  target.acceleration[0] = 2.0;
  const ActuatorVector zero = ActuatorVector::Zero(1);
  EXPECT_NEAR(filter.command(target, zero, zero)[0],
              kTruth[0] * 0.003 - kTruth[1] * 0.05 + kTruth[2] * 2.0, 1e-15);
  EXPECT_NEAR(filter.estimate(0)->delay, kTruth[1] / kTruth[0], 1e-12);
  EXPECT_NEAR(filter.estimate(0)->amplitude, 1.0 / kTruth[0], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Forms, KalmanForms,
                         ::testing::Values(Form::kUnscented, Form::kExtended),
                         [](const auto& form) {
                           return form.param == Form::kUnscented ? std::string("Unscented")
                                                                 : std::string("Extended");
                         });

TEST(KalmanInverse, HoldsItsParametersInsideTheirBounds) {
  KalmanInverseSettings it{.tick = kTick, .expected_delay = 0.012};
  it.a1 = KalmanInverseSettings::Range{0.010, 0.013};
  KalmanInverse filter(1, it);
  testing::run(filter, {.duration = 6.0, .rig = {.delay = 25, .noise = 2e-6}});
  EXPECT_NEAR(filter.coefficients(0)[1], 0.013, 1e-15);
}

TEST(KalmanInverse, RecordsCoefficientsAndTheirDeviations) {
  const KalmanInverse filter(1, {.tick = kTick, .expected_delay = 0.010});
  const Channels channels = filter.coefficient_channels();
  ASSERT_EQ(channels.size(), 6U);
  EXPECT_EQ(channels[1].name, "a1_s");
  EXPECT_EQ(channels[4].name, "a1_sd_s");
  double row[6];
  filter.copy_coefficients(0, row);
  const double expected[6] = {1.0, 0.010, 0.5e-4, 0.1, 0.003, 0.15e-4};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(row[i], expected[i], 1e-15) << i;
}

TEST(KalmanInverse, RefusesASettingThatCannotWork) {
  const auto refuses = [](const std::string& path, auto change) {
    KalmanInverseSettings broken{.tick = kTick, .expected_delay = 0.012};
    change(broken);
    try {
      KalmanInverse filter(1, broken);
      ADD_FAILURE() << path;
    } catch (const SettingError& error) {
      EXPECT_EQ(error.problems().front().path, path);
    }
  };
  using Range = KalmanInverseSettings::Range;
  refuses("expected_delay", [](auto& it) { it.expected_delay = -0.1; });
  refuses("initial.coefficients", [](auto& it) {
    it.expected_delay = 0.0;
    it.initial = compensators::SeriesCoefficientsPerActuator({{1.0, 0.01, 0.0}});
  });
  refuses("spread", [](auto& it) { it.spread = {0.1, 0.0, 1e-5}; });
  refuses("drift", [](auto& it) { it.drift = -1.0; });
  refuses("disturbance", [](auto& it) { it.disturbance = -1.0; });
  refuses("sensor_noise", [](auto& it) { it.sensor_noise = 0.0; });
  refuses("excitation_floor", [](auto& it) { it.excitation_floor = -1.0; });
  refuses("a0", [](auto& it) { it.a0 = Range{0.0, 2.0}; });
  refuses("a1", [](auto& it) { it.a1 = Range{0.02, 0.03}; });
  refuses("a2", [](auto& it) { it.a2 = Range{2e-4, 1e-4}; });
}

}  // namespace
}  // namespace trestle::kalman_inverse_test
