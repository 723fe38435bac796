#include "adapters/simulated/coupled_actuators.h"

#include <gtest/gtest.h>

#include <cmath>

#include "adapters/simulated/linear_specimen_dynamics.h"
#include "tests/adapters/simulated/sprung_mass.h"

namespace trestle::simulated::loaded_transfers_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kTick = 1e-3;

/// One transfer system with a spring of this stiffness on it.
CoupledActuators one_spring(double stiffness, double load, int substeps = 4) {
  return CoupledActuators(
      {{.mass = 2.2, .stiffness = 13618.0, .damping = 150.8, .load = load}},
      std::make_unique<LinearSpecimenDynamics>(MatrixXd::Constant(1, 1, stiffness),
                                               MatrixXd::Zero(1, 1)),
      substeps);
}

/// x = x∞ (1 − exp(−a t)(cos ω t + a/ω sin ω t)), x∞ = k_t/(k_t + K) of the step. Runge and
/// Kutta's error per unit of time goes with h⁴: below 1e-8 of the step here.
TEST(CoupledActuators, StepResponseIsThatOfMassAndBothSprings) {
  for (const double load : {0.0, 1.0}) {
    const double K = 4750.0;
    CoupledActuators rig = one_spring(K, load);
    rig.prepare(kTick);
    const double whole = 13618.0 + load * K;
    const double a = 150.8 / 4.4;
    const double omega = std::sqrt(whole / 2.2 - a * a);
    for (int n = 1; n <= 200; ++n) {
      ASSERT_TRUE(rig.advance(VectorXd::Constant(1, 5e-3)));
      const double t = n * kTick;
      const double x = 5e-3 * 13618.0 / whole *
                       (1.0 - std::exp(-a * t) *
                                  (std::cos(omega * t) + a / omega * std::sin(omega * t)));
      EXPECT_NEAR(rig.displacement()[0], x, 5e-3 * 1e-7);
      EXPECT_NEAR(rig.force()[0], K * x, K * 5e-3 * 1e-7);
    }
  }
}

TEST(CoupledActuators, FrictionHoldsWhereTheDriveIsWithinIt) {
  CoupledActuators rig(
      {{.mass = 2.2,
        .stiffness = 13618.0,
        .damping = 150.8,
        .friction = 1.5,
        .friction_speed = 1e-4}},
      std::make_unique<LinearSpecimenDynamics>(MatrixXd::Zero(1, 1), MatrixXd::Zero(1, 1)),
      16);
  rig.prepare(kTick);
  // 1.3 N against 1.5 N: it creeps, at a speed below atanh(1.3/1.5)·1e-4 m/s.
  for (int n = 0; n < 20; ++n) rig.advance(VectorXd::Constant(1, 1.3 / 13618.0));
  EXPECT_LT(rig.displacement()[0], 20 * kTick * std::atanh(1.3 / 1.5) * 1e-4);
}

TEST(CoupledActuators, ForeseesWhatComesAndStaysWhereItIs) {
  CoupledActuators rig({{.mass = 2.2, .stiffness = 13618.0, .damping = 150.8},
                        {.mass = 2.2, .stiffness = 25902.0, .damping = 200.8}},
                       std::make_unique<testing::SprungMass>(), 4);
  rig.prepare(kTick);
  const VectorXd drive = Eigen::Vector2d(3e-3, -2e-3);
  for (int n = 0; n < 50; ++n) {
    VectorXd displacement(2), force(2);
    ASSERT_TRUE(rig.predict(drive, displacement, force));
    ASSERT_TRUE(rig.advance(drive));
    EXPECT_EQ(displacement, rig.displacement());
    EXPECT_EQ(force, rig.force());
  }
}

/// The linear form is what it does: its poles are the roots of both masses' equations.
TEST(CoupledActuators, LinearFormMovesAsItDoes) {
  CoupledActuators rig = one_spring(4750.0, 1.0);
  const math::StateSpace form = rig.linearise();
  EXPECT_NEAR(form.A(1, 0), -(13618.0 + 4750.0) / 2.2, 1e-3);
  EXPECT_NEAR(form.A(1, 1), -150.8 / 2.2, 1e-5);
  EXPECT_NEAR(form.B(1, 0), 13618.0 / 2.2, 1e-3);
  EXPECT_EQ(form.C(0, 0), 1.0);
  EXPECT_NEAR(form.C(1, 0), 4750.0, 1e-5);
}

}  // namespace
}  // namespace trestle::simulated::loaded_transfers_test
