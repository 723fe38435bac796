#include "studies/controller_design/hinf_synthesis.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <cmath>
#include <complex>

#include "core/base/random.h"
#include "core/base/setting_error.h"
#include "studies/controller_design/hinf_norm.h"

namespace trestle::hinf_synthesis_test {
namespace {

using controller_design::central_controller;
using controller_design::closed_loop;
using controller_design::GeneralisedPlant;
using controller_design::hinf_norm;
using controller_design::HinfController;
using controller_design::synthesise_hinf;
using Eigen::MatrixXd;

/// The largest gain over a grid of frequencies, by Jacobi's singular values.
double swept_norm(const math::StateSpace& system) {
  double largest = 0.0;
  for (int i = -4000; i <= 4000; ++i) {
    const std::complex<double> s(0.0, std::pow(10.0, i / 1000.0));
    const Eigen::MatrixXcd response =
        system.C.cast<std::complex<double>>() *
            (s * Eigen::MatrixXcd::Identity(system.A.rows(), system.A.cols()) - system.A)
                .partialPivLu()
                .solve(system.B.cast<std::complex<double>>()) +
        system.D;
    largest = std::max(largest, response.jacobiSvd().singularValues()[0]);
  }
  return largest;
}

void expect_keeps_its_level(const GeneralisedPlant& plant, const HinfController& found) {
  const math::StateSpace loop = closed_loop(plant, found.controller);
  EXPECT_LT(loop.A.eigenvalues().real().maxCoeff(), 0.0);
  const double norm = hinf_norm(loop).gain;
  EXPECT_LE(norm, found.level * (1.0 + 1e-6));
  EXPECT_GE(norm, found.least_level * (1.0 - 1e-3));
  const double swept = swept_norm(loop);
  EXPECT_LE(swept, norm * (1.0 + 1e-6));
  EXPECT_GE(swept, norm * (1.0 - 2e-3));
  EXPECT_LT(found.worst_residual, 1e-9);
}

/// x' = a x + w₁ + u, z = (x, u), v = x + w₂. Both equations are
/// 2aX + (1/γ² − 1)X² + 1 = 0; X = γ at the least level: γ = a + √(a² + 2).
TEST(HinfSynthesis, ReachesTheLeastLevelOfTheScalarProblem) {
  for (const double a : {-1.0, 0.0, 1.0, 3.0}) {
    GeneralisedPlant plant;
    plant.A = MatrixXd::Constant(1, 1, a);
    plant.B1 = (MatrixXd(1, 2) << 1.0, 0.0).finished();
    plant.B2 = MatrixXd::Identity(1, 1);
    plant.C1 = (MatrixXd(2, 1) << 1.0, 0.0).finished();
    plant.C2 = MatrixXd::Identity(1, 1);
    plant.D11 = MatrixXd::Zero(2, 2);
    plant.D12 = (MatrixXd(2, 1) << 0.0, 1.0).finished();
    plant.D21 = (MatrixXd(1, 2) << 0.0, 1.0).finished();
    plant.D22 = MatrixXd::Zero(1, 1);
    const HinfController found = synthesise_hinf(plant, {}, "design");
    const double least = a + std::sqrt(a * a + 2.0);
    EXPECT_NEAR(found.least_level / least, 1.0, 2e-4) << a;
    expect_keeps_its_level(plant, found);
    EXPECT_FALSE(central_controller(plant, 0.999 * least, "design")) << a;
    EXPECT_TRUE(central_controller(plant, 1.001 * least, "design")) << a;
  }
}

/// ‖[K; I](I − G K)⁻¹[I G]‖: the least is √(1 + λmax(X Z)) with X and Z of two ordinary
/// Riccati equations (Glover and McFarlane 1989). z contains what is measured, D₁₁ ≠ 0.
GeneralisedPlant coprime_problem(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C) {
  GeneralisedPlant plant;
  plant.A = A;
  plant.B1 = MatrixXd::Zero(A.rows(), 2);
  plant.B1.col(1) = B;
  plant.B2 = B;
  plant.C1 = MatrixXd::Zero(2, A.rows());
  plant.C1.row(1) = C;
  plant.C2 = C;
  plant.D11 = (MatrixXd(2, 2) << 0.0, 0.0, 1.0, 0.0).finished();
  plant.D12 = (MatrixXd(2, 1) << 1.0, 0.0).finished();
  plant.D21 = (MatrixXd(1, 2) << 1.0, 0.0).finished();
  plant.D22 = MatrixXd::Zero(1, 1);
  return plant;
}

TEST(HinfSynthesis, ReachesTheLeastLevelOfNormalisedCoprimeFactors) {
  // G = 1/s: X = Z = 1.
  const MatrixXd one = MatrixXd::Identity(1, 1);
  const GeneralisedPlant integrator = coprime_problem(MatrixXd::Zero(1, 1), one, one);
  const HinfController single = synthesise_hinf(integrator, {}, "design");
  EXPECT_NEAR(single.least_level / std::sqrt(2.0), 1.0, 2e-4);
  expect_keeps_its_level(integrator, single);
  // G = 1/s²: X = Z = [√2 1; 1 √2], λmax(X Z) = 3 + 2√2.
  const GeneralisedPlant twice = coprime_problem(
      (MatrixXd(2, 2) << 0.0, 1.0, 0.0, 0.0).finished(),
      (MatrixXd(2, 1) << 0.0, 1.0).finished(), (MatrixXd(1, 2) << 1.0, 0.0).finished());
  const HinfController found = synthesise_hinf(twice, {}, "design");
  EXPECT_NEAR(found.least_level / std::sqrt(4.0 + 2.0 * std::sqrt(2.0)), 1.0, 2e-4);
  expect_keeps_its_level(twice, found);
}

/// With a state that nothing moves or sees, z = [1 1; 1 k]·w: the least norm is √2, of a
/// row and of a column, and k = −1·1/(γ² − 1) keeps γ (Parrott 1978,
/// doi:10.1016/0022-1236(78)90060-5).
TEST(HinfSynthesis, ReachesTheBoundOfTheFeedthroughThatNoControllerMoves) {
  GeneralisedPlant plant;
  plant.A = -MatrixXd::Identity(1, 1);
  plant.B1 = MatrixXd::Zero(1, 2);
  plant.B2 = MatrixXd::Zero(1, 1);
  plant.C1 = MatrixXd::Zero(2, 1);
  plant.C2 = MatrixXd::Zero(1, 1);
  plant.D11 = (MatrixXd(2, 2) << 1.0, 1.0, 1.0, 0.0).finished();
  plant.D12 = (MatrixXd(2, 1) << 0.0, 1.0).finished();
  plant.D21 = (MatrixXd(1, 2) << 0.0, 1.0).finished();
  plant.D22 = MatrixXd::Zero(1, 1);
  const HinfController found = synthesise_hinf(plant, {}, "design");
  EXPECT_NEAR(found.least_level / std::sqrt(2.0), 1.0, 2e-4);
  const double squared = found.level * found.level;
  EXPECT_NEAR(found.controller.D(0, 0), -1.0 / (squared - 1.0), 1e-9);
  EXPECT_LE(hinf_norm(closed_loop(plant, found.controller)).gain,
            found.level * (1.0 + 1e-9));
}

/// Any plant, with all parts of D: the controller must keep its level.
GeneralisedPlant any_plant(std::uint32_t stream) {
  const auto random = [&](Eigen::Index rows, Eigen::Index columns) {
    static std::uint64_t index = 0;
    MatrixXd matrix(rows, columns);
    for (Eigen::Index i = 0; i < matrix.size(); ++i)
      matrix(i) =
          standard_normal({.seed = 4, .stream = stream, .channel = 0, .index = index++});
    return matrix;
  };
  GeneralisedPlant plant;
  plant.A = random(4, 4);
  plant.B1 = random(4, 3);
  plant.B2 = random(4, 2);
  plant.C1 = random(3, 4);
  plant.C2 = random(2, 4);
  plant.D11 = random(3, 3);
  plant.D12 = random(3, 2);
  plant.D21 = random(2, 3);
  plant.D22 = 0.1 * random(2, 2);
  return plant;
}

TEST(HinfSynthesis, KeepsItsLevelWithAllPartsOfD) {
  for (std::uint32_t stream = 1; stream <= 6; ++stream) {
    const GeneralisedPlant plant = any_plant(stream);
    expect_keeps_its_level(plant, synthesise_hinf(plant, {}, "design"));
  }
}

/// No controller at hand is better than the least level: not the central one, moved a
/// little in any of its numbers.
TEST(HinfSynthesis, IsALocalMinimum) {
  const GeneralisedPlant plant = any_plant(1);
  const HinfController found = synthesise_hinf(plant, {.excess = 1.001}, "design");
  for (Eigen::Index i = 0; i < found.controller.B.size(); ++i) {
    for (const double by : {0.95, 1.05}) {
      math::StateSpace moved = found.controller;
      moved.B(i) *= by;
      const math::StateSpace loop = closed_loop(plant, moved);
      if (loop.A.eigenvalues().real().maxCoeff() >= 0.0) continue;
      EXPECT_GE(hinf_norm(loop).gain, found.least_level * (1.0 - 1e-3)) << i;
    }
  }
}

TEST(HinfSynthesis, StatesWhatCannotBeDesigned) {
  const auto refusal = [](const GeneralisedPlant& plant) -> std::string {
    try {
      synthesise_hinf(plant, {}, "hinf");
      return "nothing";
    } catch (const SettingError& error) {
      return error.problems().front().path + ": " + error.problems().front().what;
    }
  };
  GeneralisedPlant free = any_plant(1);
  free.D12.col(1).setZero();
  EXPECT_EQ(refusal(free).rfind("hinf: some drive costs nothing", 0), 0U) << refusal(free);
  GeneralisedPlant quiet = any_plant(1);
  quiet.D21.row(0).setZero();
  EXPECT_EQ(refusal(quiet).rfind("hinf: something measured is not disturbed", 0), 0U);
  GeneralisedPlant stuck = any_plant(1);
  stuck.A.row(0) << 1.0, 0.0, 0.0, 0.0;  // grows, and no drive moves it
  stuck.B2.row(0).setZero();
  EXPECT_EQ(refusal(stuck).rfind("hinf: no controller keeps", 0), 0U);
}

}  // namespace
}  // namespace trestle::hinf_synthesis_test
