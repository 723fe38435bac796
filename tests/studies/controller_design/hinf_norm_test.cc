#include "studies/controller_design/hinf_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/setting_error.h"

namespace trestle::hinf_norm_test {
namespace {

using controller_design::hinf_norm;
using controller_design::PeakGain;
using Eigen::MatrixXd;

/// 1/(s² + 2ζs + 1): 1/(2ζ√(1 − ζ²)) at √(1 − 2ζ²).
TEST(HinfNorm, IsThePeakOfAResonance) {
  for (const double damping : {0.5, 0.1, 1e-3, 1e-5}) {
    math::StateSpace system{MatrixXd(2, 2), MatrixXd(2, 1), MatrixXd(1, 2),
                            MatrixXd::Zero(1, 1)};
    system.A << 0.0, 1.0, -1.0, -2.0 * damping;
    system.B << 0.0, 1.0;
    system.C << 1.0, 0.0;
    const PeakGain peak = hinf_norm(system);
    const double expected = 1.0 / (2.0 * damping * std::sqrt(1.0 - damping * damping));
    EXPECT_NEAR(peak.gain / expected, 1.0, 2e-6) << damping;
    EXPECT_NEAR(peak.frequency, std::sqrt(1.0 - 2.0 * damping * damping), 1e-3) << damping;
  }
}

TEST(HinfNorm, LooksAtRestAndAtInfinity) {
  const MatrixXd one = MatrixXd::Identity(1, 1);
  EXPECT_NEAR(hinf_norm({-2.0 * one, one, 3.0 * one, 0.0 * one}).gain, 1.5, 1e-9);
  // 2 − 3/(s + 2): 0.5 at rest, 2 at infinity.
  const PeakGain high = hinf_norm({-2.0 * one, one, -3.0 * one, 2.0 * one});
  EXPECT_NEAR(high.gain, 2.0, 1e-5);
  EXPECT_NEAR(hinf_norm({MatrixXd(0, 0), MatrixXd(0, 2), MatrixXd(2, 0),
                         MatrixXd::Constant(2, 2, 1.0)})
                  .gain,
              2.0, 1e-12);
}

/// Two outputs of one input, 1/(s + 1) and 2/(s + 1): √5 at rest.
TEST(HinfNorm, TakesTheLargestSingularValue) {
  const math::StateSpace system{-MatrixXd::Identity(1, 1), MatrixXd::Identity(1, 1),
                                (MatrixXd(2, 1) << 1.0, 2.0).finished(),
                                MatrixXd::Zero(2, 1)};
  EXPECT_NEAR(hinf_norm(system).gain, std::sqrt(5.0), 1e-9);
}

TEST(HinfNorm, RefusesASystemThatIsNotStable) {
  const MatrixXd one = MatrixXd::Identity(1, 1);
  EXPECT_THROW(hinf_norm({one, one, one, one}), SettingError);
}

}  // namespace
}  // namespace trestle::hinf_norm_test
