#include "site-servers/controllers/sliding_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "core/math/discretisation.h"
#include "core/math/riccati.h"

namespace trestle::sliding_surface_test {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd noise(Index rows, Index columns, std::uint64_t channel) {
  MatrixXd values(rows, columns);
  for (Index i = 0; i < values.size(); ++i)
    values(i) = standard_normal({11, 0, channel, static_cast<std::uint64_t>(i)});
  return values;
}

/// Four states, two drives that act on all of them, two outputs.
math::StateSpace plant() {
  math::StateSpace made{noise(4, 4, 1), noise(4, 2, 2), noise(2, 4, 3),
                        MatrixXd::Zero(2, 2)};
  made.A -= 4.0 * MatrixXd::Identity(4, 4);
  return made;
}

/// Full, so that error and rates are weighed together, too: T12 is not zero.
MatrixXd weight() {
  const MatrixXd root = noise(6, 6, 4);
  return root.transpose() * root + 0.3 * MatrixXd::Identity(6, 6);
}

constexpr double kTolerance = 0.7;

/// ∫ YᵀQ Y dt of the motion on the surface P Y = 0, which an impulse of the drives brings
/// Y(0) to: by steps, without a Riccati equation.
double cost_on(const MatrixXd& P, const VectorXd& start) {
  constexpr double kStep = 4e-3;
  constexpr int kSteps = 20000;
  const auto [A, B] = controllers::error_plant(plant());
  const MatrixXd along = MatrixXd::Identity(6, 6) - B * math::solved(P * B, P);
  const math::DiscreteStateSpace motion = math::discretise(
      {along * A, MatrixXd::Zero(6, 1), MatrixXd::Zero(1, 6), MatrixXd::Zero(1, 1)}, kStep);
  const MatrixXd Q = weight();
  VectorXd Y = along * start;
  double cost = 0.0;
  for (int k = 0; k <= kSteps; ++k) {  // by Simpson's rule
    const double part = k == 0 || k == kSteps ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
    cost += part * kStep / 3.0 * Y.dot(Q * Y);
    Y = (motion.A * Y).eval();
  }
  return cost;
}

TEST(SlidingSurface, IsTheOneOfLeastCost) {
  const MatrixXd P = controllers::design_sliding_surface(plant(), weight()).normal;
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    const VectorXd start = noise(6, 1, 20 + trial);
    const MatrixXd turn = noise(2, 6, 40 + trial);
    const double least = cost_on(P, start);
    constexpr double kSmall = 1e-3;
    const double more = cost_on(P + kSmall * turn, start) - least;
    const double less = cost_on(P - kSmall * turn, start) - least;
    EXPECT_GT(more, 0.0) << trial;
    EXPECT_GT(less, 0.0) << trial;
    // A minimum: what is linear in the turn is nothing beside what is quadratic in it.
    EXPECT_LT(std::abs(more - less), 0.05 * (more + less)) << trial;
  }
}

TEST(SlidingSurface, IsDrivenByTheLastStatesAsTheyWere) {
  const controllers::SlidingSurface surface =
      controllers::design_sliding_surface(plant(), weight());
  EXPECT_LT((surface.normal * controllers::error_plant(plant()).B - surface.entry).norm(),
            1e-12 * surface.entry.norm());
  EXPECT_NEAR(
      controllers::fastest_approach(surface, kTolerance),
      kTolerance *
          std::pow(math::singular_values(surface.entry.cast<std::complex<double>>())(0), 2),
      1e-9);
}

/// Ṡ = −δ B2 B2ᵀ S + P E ẏ_ac and V̇ = −δ |χᵀY|² + SᵀP E ẏ_ac.
TEST(SlidingSurface, IsApproachedByTheLaw) {
  const math::StateSpace it = plant();
  const auto [A, B] = controllers::error_plant(it);
  const controllers::SlidingSurface surface =
      controllers::design_sliding_surface(it, weight());
  const MatrixXd& P = surface.normal;
  const MatrixXd loop = A - B * controllers::sliding_feedback(it, surface, kTolerance);
  const MatrixXd approach = -kTolerance * surface.entry * surface.entry.transpose();
  EXPECT_LT((P * loop - approach * P).norm(), 1e-10 * (P * A).norm());

  const MatrixXd chi = P.transpose() * P * B;
  MatrixXd E = MatrixXd::Zero(6, 2);
  E.topRows(2).setIdentity();
  int rising = 0;
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const VectorXd Y = noise(6, 1, 60 + trial);
    const VectorXd S = P * Y;
    const double at_rest = S.dot(P * (loop * Y));
    EXPECT_NEAR(at_rest, -kTolerance * (chi.transpose() * Y).squaredNorm(),
                1e-10 * std::abs(at_rest) + 1e-10);
    EXPECT_LT(at_rest, 0.0);
    const VectorXd rate = 100.0 * noise(2, 1, 90 + trial);
    const double moving = S.dot(P * (loop * Y + E * rate));
    EXPECT_NEAR(moving, at_rest + S.dot(P * E * rate), 1e-9 * std::abs(moving));
    if (moving > 0.0) ++rising;
  }
  EXPECT_GT(rising, 0) << "a moving target drives S off the surface";
}

std::vector<double> real_parts(const MatrixXd& A) {
  std::vector<double> parts;
  for (const std::complex<double> pole : math::eigenvalues(A)) parts.push_back(pole.real());
  std::sort(parts.begin(), parts.end());
  return parts;
}

/// The loop of the law has the poles of the surface and those of the approach. As the
/// weight of the drives' rate vanishes, a regulator's slow poles become the former, and
/// its others go off to infinity.
TEST(SlidingSurface, IsTheLimitOfARegulatorWithoutAWeightOfItsInput) {
  const math::StateSpace it = plant();
  const auto [A, B] = controllers::error_plant(it);
  const controllers::SlidingSurface surface =
      controllers::design_sliding_surface(it, weight());
  constexpr double kFast = 1e4;
  const MatrixXd law = A - B * controllers::sliding_feedback(it, surface, kFast);
  const math::RiccatiSolution cheap =
      math::solve_continuous_riccati({A, B, weight(), 1e-6 * MatrixXd::Identity(2, 2)}, "");
  const std::vector<double> of_law = real_parts(law);
  const std::vector<double> of_regulator = real_parts(A - B * cheap.K);
  for (std::size_t i = 2; i < 6; ++i)
    EXPECT_NEAR(of_law[i], of_regulator[i], 2e-3 * std::abs(of_law[i]));
  for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(of_regulator[i], -100.0);
  const VectorXd approach =
      math::symmetric_eigen(surface.entry * surface.entry.transpose()).values;
  EXPECT_NEAR(of_law[0], -kFast * approach(1), 1e-6 * kFast * approach(1));
  EXPECT_NEAR(of_law[1], -kFast * approach(0), 1e-6 * kFast * approach(0));
}

/// Beyond δ λmax(B2 B2ᵀ)·h = 2 a sampled approach turns over at every sample and grows.
TEST(SlidingSurface, IsLeftBySampledApproachesThatAreTooFast) {
  const math::StateSpace it = plant();
  const auto [A, B] = controllers::error_plant(it);
  const controllers::SlidingSurface surface =
      controllers::design_sliding_surface(it, weight());
  constexpr double kPeriod = 1e-4;
  const auto radius = [&](double product) {
    const double tolerance =
        product / kPeriod / controllers::fastest_approach(surface, 1.0);
    const MatrixXd loop = A - B * controllers::sliding_feedback(it, surface, tolerance);
    return math::eigenvalues(MatrixXd::Identity(6, 6) + kPeriod * loop)
        .cwiseAbs()
        .maxCoeff();
  };
  EXPECT_LT(radius(1.98), 1.0);
  EXPECT_GT(radius(2.02), 1.0);
}

TEST(SlidingSurface, IsTheSameWhateverStatesThePlantIsWrittenIn) {
  const math::StateSpace it = plant();
  const MatrixXd T = controllers::drive_coordinates(it);
  const math::StateSpace turned{T * it.A * math::inverse(T), T * it.B,
                                it.C * math::inverse(T), it.D};
  MatrixXd back = MatrixXd::Identity(6, 6);
  back.bottomRightCorner(4, 4) = math::inverse(T);
  const controllers::SlidingSurface own = controllers::design_sliding_surface(it, weight());
  const controllers::SlidingSurface other =
      controllers::design_sliding_surface(turned, back.transpose() * weight() * back);
  EXPECT_LT((other.entry - MatrixXd::Identity(2, 2)).norm(), 1e-12);
  EXPECT_LT((math::solved(own.entry, own.normal) * back - other.normal).norm(),
            1e-9 * other.normal.norm());
}

std::string complaint(const math::StateSpace& model, const MatrixXd& Q) {
  try {
    controllers::design_sliding_surface(model, Q);
  } catch (const SettingError& error) {
    return error.what();
  }
  return "";
}

TEST(SlidingSurface, RefusesAWeightOfTheErrorAlone) {
  MatrixXd Q = MatrixXd::Zero(6, 6);
  Q.topLeftCorner(2, 2).setIdentity();
  EXPECT_EQ(complaint(plant(), Q).rfind("surface_weight: leaves a motion", 0), 0U);
  math::StateSpace one_drive = plant();
  one_drive.B.col(1) = 2.0 * one_drive.B.col(0);
  EXPECT_EQ(complaint(one_drive, weight())
                .rfind("plant.model: has 2 drives that act on 1 independent states", 0),
            0U);
}

}  // namespace
}  // namespace trestle::sliding_surface_test
