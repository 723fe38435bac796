#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/numerical/integration/small_structures.h"

namespace trestle::integration {
namespace {

using testing::oscillator;
using testing::Scheme;

constexpr double kOmega = 6.0;  // [rad/s]
constexpr double kZeta = 0.05;
constexpr double kDrive = 4.0;  // Ω [rad/s]
constexpr double kEnd = 3.0;    // [s]

/// d(0) = 0, v(0) = 1.
double free_decay(double t) {
  const double wd = kOmega * std::sqrt(1.0 - kZeta * kZeta);
  return std::exp(-kZeta * kOmega * t) * std::sin(wd * t) / wd;
}

double free_decay_velocity(double t) {
  const double wd = kOmega * std::sqrt(1.0 - kZeta * kZeta);
  return std::exp(-kZeta * kOmega * t) *
         (std::cos(wd * t) - kZeta * kOmega / wd * std::sin(wd * t));
}

/// Under sin(Ωt) from rest: the steady state and the free vibration that cancels it at t =
/// 0.
double harmonic_from_rest(double t) {
  const double re = kOmega * kOmega - kDrive * kDrive;
  const double im = 2.0 * kZeta * kOmega * kDrive;
  const double square = re * re + im * im;
  const double sine = re / square;
  const double cosine = -im / square;
  const double wd = kOmega * std::sqrt(1.0 - kZeta * kZeta);
  const double b = -(sine * kDrive + kZeta * kOmega * cosine) / wd;
  return sine * std::sin(kDrive * t) + cosine * std::cos(kDrive * t) +
         std::exp(-kZeta * kOmega * t) *
             (-cosine * std::cos(wd * t) + b * std::sin(wd * t));
}

structure::StructuralModel split_oscillator(double site_share) {
  structure::StructuralModel structure = oscillator(kOmega, kZeta);
  structure.experimental_stiffness = site_share * structure.stiffness;
  structure.stiffness = (1.0 - site_share) * structure.stiffness;
  return structure;
}

/// Largest error over the run against `exact`, under the load `load`.
template <typename Load, typename Exact>
double worst_error(const Scheme& scheme, double dt, double site_share, double v0, Load load,
                   Exact exact) {
  const structure::StructuralModel structure = split_oscillator(site_share);
  const double site_stiffness = site_share * kOmega * kOmega;
  const auto integrator = scheme.make(structure, dt);
  StructuralState state{Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, v0),
                        Eigen::VectorXd::Zero(1)};
  Eigen::VectorXd p(1);
  p[0] = load(0.0);
  integrator->start(p, state);
  double worst = 0.0;
  const int steps = static_cast<int>(std::lround(kEnd / dt));
  for (int k = 1; k <= steps; ++k) {
    const double t = k * dt;
    integrator->predict(state);
    p[0] = load(t) - site_stiffness * integrator->target(state, 0).displacement;
    integrator->correct(p, state);
    worst = std::max(worst, std::abs(state.displacement[0] - exact(t)));
  }
  return worst;
}

class EveryScheme : public ::testing::TestWithParam<Scheme> {
 protected:
  // Measured over a halving deep in the asymptotic range; the next term of the error is of
  // relative size Δt, hence the margin.
  template <typename Error>
  void expect_second_order(Error error) {
    const double coarse = error(0.005);
    const double fine = error(0.0025);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << coarse << " " << fine;
  }
};

TEST_P(EveryScheme, FollowsAHarmonicLoadFromRestWithSecondOrder) {
  expect_second_order([&](double dt) {
    return worst_error(
        GetParam(), dt, 0.0, 0.0, [](double t) { return std::sin(kDrive * t); },
        harmonic_from_rest);
  });
}

TEST_P(EveryScheme, StaysOfSecondOrderWithHalfOfTheStiffnessAtASite) {
  expect_second_order([&](double dt) {
    return worst_error(
        GetParam(), dt, 0.5, 0.0, [](double t) { return std::sin(kDrive * t); },
        harmonic_from_rest);
  });
}

TEST_P(EveryScheme, DecaysFreelyWithSecondOrder) {
  // KR-alpha's velocity is that of γ steps before: so must be the one it starts with.
  expect_second_order([&](double dt) {
    const double v0 = free_decay_velocity(-GetParam().velocity_lag * dt);
    return worst_error(
        GetParam(), dt, 0.0, v0, [](double) { return 0.0; }, free_decay);
  });
}

TEST_P(EveryScheme, TellsTheVelocityOfAsManyStepsBeforeAsItSays) {
  expect_second_order([&](double dt) {
    const double lag = GetParam().velocity_lag * dt;
    const auto integrator = GetParam().make(oscillator(kOmega, kZeta), dt);
    StructuralState state{Eigen::VectorXd::Zero(1),
                          Eigen::VectorXd::Constant(1, free_decay_velocity(-lag)),
                          Eigen::VectorXd::Zero(1)};
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(1);
    integrator->start(none, state);
    double worst = 0.0;
    for (int k = 1; k <= static_cast<int>(std::lround(kEnd / dt)); ++k) {
      integrator->predict(state);
      integrator->correct(none, state);
      worst =
          std::max(worst, std::abs(state.velocity[0] - free_decay_velocity(k * dt - lag)));
    }
    return worst;
  });
}

TEST_P(EveryScheme, SaysThatItIsOfSecondOrder) {
  EXPECT_EQ(GetParam().make(oscillator(kOmega, kZeta), 0.01)->order(), 2);
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryScheme, ::testing::ValuesIn(testing::all_schemes()),
                         [](const auto& of) { return of.param.name; });

/// Displacements of an undamped oscillator that starts at 1, Ω = ω·Δt.
std::vector<double> free_vibration(TimeIntegrator& scheme, int steps) {
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(1);
  StructuralState state{Eigen::VectorXd::Ones(1), none, none};
  scheme.start(none, state);
  std::vector<double> found{1.0};
  for (int k = 0; k < steps; ++k) {
    scheme.predict(state);
    scheme.correct(none, state);
    found.push_back(state.displacement[0]);
  }
  return found;
}

TEST(KrAlpha, HasTheSpectralRadiusAtInfiniteFrequencyThatItIsToldToHave) {
  for (const double rho : {0.5, 0.75, 0.9}) {
    KrAlpha scheme(oscillator(1e6, 0.0), 1.0, rho);
    const std::vector<double> d = free_vibration(scheme, 400);
    // The root is a multiple one there: n²·ρⁿ at the most, hence the margin of 2/n.
    EXPECT_NEAR(std::pow(std::abs(d[400] / d[200]), 1.0 / 200.0), rho, 2.0 * rho / 200.0);
  }
}

TEST(KrAlpha, HasTheFrequencyOfTheConstantAverageAccelerationWithoutItsDamping) {
  // d_{k+1} − 2·cos(θ)·d_k + d_{k−1} = 0 with tan(θ/2) = Ω/2.
  const double omega_dt = 1.7;
  KrAlpha scheme(oscillator(omega_dt, 0.0), 1.0, 1.0);
  const std::vector<double> d = free_vibration(scheme, 50);
  const double theta = 2.0 * std::atan(0.5 * omega_dt);
  for (std::size_t k = 1; k < 50; ++k)
    EXPECT_NEAR(d[k + 1] + d[k - 1], 2.0 * std::cos(theta) * d[k], 1e-12);
}

TEST(ConstantAverageAcceleration, KeepsTheEnergyOfAnUndampedOscillator) {
  // β = 1/4, γ = 1/2: the discrete energy v²/2 + ω²d²/2 is an invariant of the scheme.
  const structure::StructuralModel structure = oscillator(kOmega, 0.0);
  ConstantAverageAcceleration scheme(structure, 0.3);
  StructuralState state{Eigen::VectorXd::Zero(1), Eigen::VectorXd::Ones(1),
                        Eigen::VectorXd::Zero(1)};
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(1);
  scheme.start(none, state);
  for (int k = 0; k < 1000; ++k) {
    scheme.predict(state);
    scheme.correct(none, state);
  }
  const double d = state.displacement[0];
  const double v = state.velocity[0];
  EXPECT_NEAR(v * v + kOmega * kOmega * d * d, 1.0, 1e-11);
}

}  // namespace
}  // namespace trestle::integration
