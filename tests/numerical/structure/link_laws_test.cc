// Laws of links: degrading and pinching hysteresis, dampers, gaps with dampers, pendulums.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/setting_error.h"
#include "numerical/materials/degrading_bouc_wen_law.h"
#include "numerical/materials/friction_pendulum.h"
#include "numerical/materials/gap_law.h"
#include "numerical/materials/viscous_law.h"

namespace trestle::structure::link_laws_test {
namespace {

const std::vector<double> kTurns{10, -10, 20, -20, 40, -40, 20, -10, 50, 0};  // [mm]

/// The force at each turn of the path, which is taken in equal increments.
std::vector<double> forces_at_turns(materials::RestoringForce& law, int increments) {
  std::vector<double> forces;
  double from = 0.0;
  for (const double turn : kTurns) {
    const double to = 1e-3 * turn;
    double force = 0.0;
    for (int i = 1; i <= increments; ++i)
      force = law.advance(from + (to - from) * i / increments);
    forces.push_back(force);
    from = to;
  }
  return forces;
}

materials::BoucWenLawSettings smooth(double n) {
  return {.stiffness = 6e6, .yield_force = 20e3, .hardening = 0.1, .n = n};
}

struct Case {
  materials::DegradingBoucWenLawSettings settings;
  std::vector<double> forces;
  double energy;
};

// Converged Runge–Kutta of an independent program; the third energy by one of our own, as
// the first two to 1e-9.
TEST(DegradingBoucWenLaw, FollowsThePathAsTheProgramSays) {
  const std::vector<Case> cases{
      {{.smooth = smooth(1.5), .strength = 0.02, .softening = 0.01},
       {23391.001104, -22950.1052661, 27900.359779, -26703.474557, 37291.880423,
        -35939.393167, 23210.323507, -16940.144400, 40392.316694, -10012.152911},
       70.8455688815},
      {{.smooth = smooth(1.0), .level = 0.9, .rate = 0.3, .spread_rate = 0.005},
       {23103.6558553, -23871.670557, 29988.689028, -29998.165994, 41999.987779,
        -41999.999904, 29999.862091, -22832.446524, 47999.551427, -17984.794405},
       75.3982853371},
      {{.smooth = smooth(1.5),
        .strength = 0.02,
        .softening = 0.01,
        .level = 0.9,
        .rate = 0.3,
        .spread_rate = 0.005},
       {23390.9590761, -22965.2295396, 27990.9283392, -26930.0057668, 37617.4993224,
        -36305.051209, 23642.710844, -17455.586271, 40970.2429391, -10640.5148809},
       60.3824259735}};
  for (const Case& one : cases)
    for (const int increments : {1, 7, 200}) {
      materials::DegradingBoucWenLaw law(one.settings);
      const std::vector<double> forces = forces_at_turns(law, increments);
      for (std::size_t i = 0; i < forces.size(); ++i)
        EXPECT_NEAR(forces[i], one.forces[i], 1e-9 * 48000.0 + 1e-5)
            << i << " of " << increments;
      EXPECT_NEAR(law.dissipated(), one.energy, 1e-7);
    }
}

TEST(DegradingBoucWenLaw, IsThePlainLawWithoutDegradation) {
  materials::DegradingBoucWenLaw law({.smooth = smooth(2.0)});
  materials::BoucWenLaw plain(smooth(2.0));
  const std::vector<double> forces = forces_at_turns(law, 200);
  const std::vector<double> others = forces_at_turns(plain, 200);
  for (std::size_t i = 0; i < forces.size(); ++i)
    EXPECT_NEAR(forces[i], others[i], 1e-7 * 48000.0);
}

TEST(ViscousLaw, IsAPowerOfTheVelocity) {
  materials::ViscousLaw law({.coefficient = 30e3, .exponent = 0.35});
  for (const double v : {0.321036662458, -0.321036662458}) {
    const materials::LawResponse response = law.trial(0.0, v);
    EXPECT_NEAR(response.force, std::copysign(20156.5117402, v), 1e-6);
    EXPECT_NEAR(response.damping, 0.35 * 20156.5117402 / 0.321036662458, 1e-6);
    EXPECT_NEAR(law.rate_by(response.force).rate, v, 1e-14);
    EXPECT_NEAR(law.rate_by(response.force).slope * response.damping, 1.0, 1e-12);
  }
  EXPECT_EQ(law.trial(0.1, 0.0).force, 0.0);
}

// At a constant velocity a linear damper behind a spring follows a geometric series.
TEST(ViscousLaw, BehindALinearBraceIsAMaxwellElement) {
  constexpr double k = 2e6;
  constexpr double C = 5e4;
  constexpr double dt = 0.005;
  constexpr double v = 0.2;
  materials::ViscousLaw law({.coefficient = C, .exponent = 1.0, .stiffness = k});
  EXPECT_EQ(law.advance(0.01), 0.0);  // at rest it carries nothing
  law.reset();
  law.set_time_step(dt);
  const double keeps = 1.0 / (1.0 + k * dt / C);
  for (int i = 1; i <= 50; ++i)
    EXPECT_NEAR(law.advance(v * dt * i), C * v * (1.0 - std::pow(keeps, i)), 1e-10 * C * v);
}

TEST(ViscousLaw, BehindABraceFulfilsItsEquationOfAStep) {
  for (const double exponent : {0.1, 0.35, 1.0, 1.7, 2.0}) {
    constexpr double k = 4e6;
    constexpr double C = 3e4;
    constexpr double dt = 0.004;
    materials::ViscousLaw law({.coefficient = C, .exponent = exponent, .stiffness = k});
    law.set_time_step(dt);
    double force = 0.0;
    double at = 0.0;
    for (int i = 1; i <= 400; ++i) {
      const double next = 0.02 * std::sin(0.05 * i);
      const materials::LawResponse response = law.trial(next, 0.0);
      const double h = 1e-9;
      const double slope =
          (law.trial(next + h, 0.0).force - law.trial(next - h, 0.0).force) / (2.0 * h);
      EXPECT_NEAR(response.stiffness, slope, 1e-3 * k);
      const double now = law.advance(next);
      const double rate = std::copysign(std::pow(std::abs(now) / C, 1.0 / exponent), now);
      EXPECT_NEAR(now, force + k * (next - at - dt * rate), 1e-8 * k * 0.02) << exponent;
      force = now;
      at = next;
    }
  }
}

TEST(GapLaw, DampsOnlyWhileItIsClosed) {
  materials::GapLaw gap({.stiffness = 5e6, .gap = 0.01, .damping = 1e4});
  EXPECT_EQ(gap.trial(0.005, 2.0).force, 0.0);
  EXPECT_EQ(gap.trial(0.005, 2.0).damping, 0.0);
  EXPECT_NEAR(gap.trial(0.02, 2.0).force, 50e3 + 20e3, 1e-9);
  materials::GapLaw hook(
      {.stiffness = 5e6, .gap = 0.01, .side = materials::GapSide::kHook, .damping = 1e4});
  EXPECT_NEAR(hook.trial(-0.02, -2.0).force, -50e3 - 20e3, 1e-9);
  EXPECT_EQ(hook.trial(0.02, 2.0).force, 0.0);
  EXPECT_TRUE(gap.depends_on_rate());
}

TEST(FrictionPendulum, SlidesOnACircleAndHasItsTangents) {
  for (const auto geometry :
       {materials::PendulumGeometry::kPlain, materials::PendulumGeometry::kExact}) {
    materials::FrictionPendulum pendulum({.radius = 2.0,
                                          .friction = 0.06,
                                          .stiffness = 20e6,
                                          .weight = 200e3,
                                          .geometry = geometry});
    double work = 0.0;
    materials::FrictionPendulum::Pair last{};
    materials::FrictionPendulum::Pair force{};
    for (int i = 1; i <= 2000; ++i) {
      const double t = 0.01 * i;
      const materials::FrictionPendulum::Pair u{0.15 * std::sin(t),
                                                0.1 * std::sin(1.7 * t)};
      const materials::FrictionPendulum::Response response = pendulum.trial(u);
      const double h = 1e-9;
      for (std::size_t j = 0; j < 2; ++j) {
        materials::FrictionPendulum::Pair more = u;
        materials::FrictionPendulum::Pair less = u;
        more[j] += h;
        less[j] -= h;
        const auto up = pendulum.trial(more).force;
        const auto down = pendulum.trial(less).force;
        for (std::size_t i2 = 0; i2 < 2; ++i2)
          if (i % 50 == 25) {
            EXPECT_NEAR(response.stiffness[i2][j], (up[i2] - down[i2]) / (2.0 * h),
                        2e-3 * 20e6);
          }
      }
      const auto now = pendulum.trial(u).force;
      pendulum.commit();
      for (std::size_t j = 0; j < 2; ++j)
        work += 0.5 * (now[j] + force[j]) * (u[j] - last[j]);
      force = now;
      last = u;
      if (geometry == materials::PendulumGeometry::kPlain) {
        EXPECT_LE(std::hypot(now[0] - 100e3 * u[0], now[1] - 100e3 * u[1]),
                  12e3 * (1.0 + 1e-12));
      }
    }
    // It swings back, but for what friction took: about its force times the way.
    EXPECT_GT(work, 12e3 * 1.0);
  }
  EXPECT_THROW(materials::FrictionPendulum(
                   {.radius = 2.0, .friction = 0.06, .stiffness = 1e5, .weight = 200e3}),
               SettingError);
}

}  // namespace
}  // namespace trestle::structure::link_laws_test
