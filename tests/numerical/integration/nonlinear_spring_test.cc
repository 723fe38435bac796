#include <gtest/gtest.h>

#include <cmath>

#include "numerical/materials/bilinear_law.h"
#include "tests/numerical/integration/small_structures.h"

namespace trestle::integration {
namespace {

constexpr double kSpringOmega = 2.0 * 3.14159265358979;  // of the elastic spring [rad/s]

/// m = 1 kg on a bilinear spring that yields at 0.1 m, a little damping beside it.
structure::StructuralModel yielding_oscillator() {
  structure::StructuralModel structure = testing::structure_of(
      Eigen::MatrixXd::Identity(1, 1), Eigen::MatrixXd::Constant(1, 1, 0.2),
      Eigen::MatrixXd::Zero(1, 1));
  const double k = kSpringOmega * kSpringOmega;
  structure::NonlinearSpring spring;
  spring.elongation = structure::between(0, -1);
  spring.law = std::make_unique<materials::BilinearLaw>(materials::BilinearLawSettings{
      .stiffness = k, .yield_force = 0.1 * k, .hardening = 0.1});
  structure.springs.push_back(std::move(spring));
  return structure;
}

/// Displacement after 2 s under a load of half the period that yields the spring threefold.
double final_displacement(const testing::Scheme& scheme, double dt) {
  const structure::StructuralModel structure = yielding_oscillator();
  materials::RestoringForce& law = *structure.springs[0].law;
  const auto integrator = scheme.make(structure, dt);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(1);
  StructuralState state{zero, zero, zero};
  Eigen::VectorXd load = zero;
  const auto outside = [](double t) {
    return t < 1.0 ? 6.0 * std::sin(M_PI * t) : 0.0;
  };
  // One that finds the spring's force itself gets the load from outside alone.
  const auto spring = [&](double at) {
    return integrator->springs() != nullptr ? 0.0 : law.advance(at);
  };
  load[0] = outside(0.0) - spring(0.0);
  integrator->start(load, state);
  const int steps = static_cast<int>(std::lround(2.0 / dt));
  for (int k = 1; k <= steps; ++k) {
    integrator->predict(state);
    load[0] = outside(k * dt) - spring(state.displacement[0]);
    integrator->correct(load, state);
  }
  return state.displacement[0];
}

TEST(YieldingOscillator, EverySchemeConvergesToTheFineReference) {
  const double reference = final_displacement(testing::all_schemes()[0], 1e-5);
  EXPECT_GT(std::abs(reference), 0.01);
  for (const testing::Scheme& scheme : testing::all_schemes()) {
    // Second order within a branch; each corner of the law costs O(Δt²) once more.
    const double coarse = std::abs(final_displacement(scheme, 4e-3) - reference);
    const double fine = std::abs(final_displacement(scheme, 1e-3) - reference);
    EXPECT_LT(coarse, 2e-3) << scheme.name;
    EXPECT_LT(fine, coarse / 4.0) << scheme.name;
  }
}

}  // namespace
}  // namespace trestle::integration
