#include "studies/identification/nodal_fit.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/base/random.h"
#include "studies/identification/tikhonov.h"
#include "tests/studies/identification/beam_example.h"

namespace trestle::identification {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// ---------------------------------------------------------------- functions of time

// Tables of orthogonal polynomials for five evenly spaced points.
TEST(OrthogonalFunctions, AreThoseOfTheTables) {
  const OrthogonalFunctions functions(5, 5, 0.1);
  MatrixXd table(5, 5);
  table << 1, 1, 1, 1, 1,  //
      -2, -1, 0, 1, 2,     //
      2, -1, -2, -1, 2,    //
      -1, 2, 0, -2, 1,     //
      1, -4, 6, -4, 1;
  for (Eigen::Index k = 0; k < 5; ++k) {
    const VectorXd expected = table.row(k).transpose().normalized();
    const VectorXd found = functions.values(0).row(k).transpose();
    EXPECT_NEAR(std::abs(found.dot(expected)), 1.0, 1e-14) << "degree " << k;
  }
}

TEST(OrthogonalFunctions, AreOrthonormalUpToTheLargestOrder) {
  for (const int samples : {9, 241, 1201}) {
    const int order = OrthogonalFunctions::largest_order(samples);
    const OrthogonalFunctions functions(order, samples, 0.005);
    const MatrixXd gram = functions.values(0) * functions.values(0).transpose();
    EXPECT_LT((gram - MatrixXd::Identity(order, order)).cwiseAbs().maxCoeff(), 1e-12)
        << samples;
  }
}

TEST(OrthogonalFunctions, HoldAPolynomialAndItsDerivativesExactly) {
  constexpr int kSamples = 41;
  constexpr double kPeriod = 0.05;
  const Eigen::ArrayXd t = Eigen::ArrayXd::LinSpaced(kSamples, 0.0, 2.0);
  const OrthogonalFunctions functions(6, kSamples, kPeriod);
  MatrixXd series(2, kSamples);
  series.row(0) = (3.0 - 2.0 * t + t.pow(4.0)).matrix().transpose();
  series.row(1) = (t.square() - 5.0 * t.pow(5.0)).matrix().transpose();
  const MatrixXd C = functions.coefficients(series);
  MatrixXd first(2, kSamples), second(2, kSamples);
  first.row(0) = (-2.0 + 4.0 * t.pow(3.0)).matrix().transpose();
  first.row(1) = (2.0 * t - 25.0 * t.pow(4.0)).matrix().transpose();
  second.row(0) = (12.0 * t.square()).matrix().transpose();
  second.row(1) = (2.0 - 100.0 * t.pow(3.0)).matrix().transpose();
  EXPECT_LT((C * functions.values(0) - series).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((C * functions.values(1) - first).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((C * functions.values(2) - second).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(OrthogonalFunctions, FitByLeastSquares) {
  // What is left of any series is orthogonal to every power of time that is fitted.
  constexpr int kSamples = 30;
  const OrthogonalFunctions functions(4, kSamples, 1.0);
  const Eigen::ArrayXd t = Eigen::ArrayXd::LinSpaced(kSamples, -1.0, 1.0);
  const MatrixXd series = (7.0 * t).sin().exp().matrix().transpose();
  const VectorXd left =
      (series - functions.coefficients(series) * functions.values(0)).transpose();
  EXPECT_GT(left.norm(), 0.1);
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(left.dot(t.pow(k).matrix()), 0.0, 1e-12) << "power " << k;
}

// ---------------------------------------------------------------- nodes

/// Two gauges in each of `elements` equal parts of the beam, an arm of its own for each.
std::vector<Sensor> two_gauges_an_element(int elements) {
  std::vector<Sensor> gauges;
  for (int e = 0; e < elements; ++e)
    for (const double at : {0.2, 0.7})
      gauges.push_back({"g", 30.0 * (e + at) / elements, Measures::kStrain,
                        0.5 + 0.1 * static_cast<double>(gauges.size())});
  return gauges;
}

const std::vector<double> kPlaces{1.0, 7.3, 12.5, 20.0, 29.0};

template <typename Curvature>
VectorXd strains_of(const std::vector<Sensor>& gauges, Curvature curvature) {
  VectorXd strains(static_cast<Eigen::Index>(gauges.size()));
  for (std::size_t s = 0; s < gauges.size(); ++s)
    strains(static_cast<Eigen::Index>(s)) = -gauges[s].gauge_arm * curvature(gauges[s].at);
  return strains;
}

TEST(NodalReconstruction, HoldsACubicDeflectionExactly) {
  // w = 2 x (L − x) + 0.1 x (L² − x²): nothing at the supports; w'' = −4 − 0.6 x.
  const Girder girder(beam_settings());
  const std::vector<Sensor> gauges = two_gauges_an_element(12);
  const VectorXd strain = strains_of(gauges, [](double x) { return -4.0 - 0.6 * x; });
  ASSERT_EQ(gauged_motions(girder, gauges), girder.mode_count());
  for (const NodalNorm norm :
       {NodalNorm::kLoad, NodalNorm::kBending, NodalNorm::kDisplacements}) {
    const NodalReconstruction nodes(girder, gauges, {norm, Regularisation::kNone}, strain);
    EXPECT_EQ(nodes.lambda(), 0.0);
    const VectorXd found = nodes.deflections(kPlaces) * strain;
    for (std::size_t i = 0; i < kPlaces.size(); ++i) {
      const double x = kPlaces[i];
      const double expected = 2.0 * x * (30.0 - x) + 0.1 * x * (900.0 - x * x);
      EXPECT_NEAR(found(static_cast<Eigen::Index>(i)), expected, 1e-7 * expected) << x;
    }
  }
}

double worst_of_half_sine(const Girder& girder, NodalNorm norm) {
  std::vector<Sensor> gauges = sensors(5, Measures::kStrain);
  const double k = std::numbers::pi / 30.0;
  const VectorXd strain =
      strains_of(gauges, [k](double x) { return -k * k * std::sin(k * x); });
  const NodalReconstruction nodes(girder, gauges, {norm, Regularisation::kGcv}, strain);
  const VectorXd found = nodes.deflections(kPlaces) * strain;
  double worst = 0.0;
  for (std::size_t i = 0; i < kPlaces.size(); ++i)
    worst = std::max(
        worst, std::abs(found(static_cast<Eigen::Index>(i)) - std::sin(k * kPlaces[i])));
  return worst;
}

TEST(NodalReconstruction, OfFewGaugesTakesTheDeflectionOfLeastLoad) {
  // A half sine wave, five gauges for 24 motions: the load that is least is smooth, the
  // displacements that are least are kinks at the gauges.
  const Girder girder(beam_settings());
  EXPECT_LT(worst_of_half_sine(girder, NodalNorm::kLoad), 0.02);
  EXPECT_GT(worst_of_half_sine(girder, NodalNorm::kDisplacements), 0.3);
}

TEST(NodalReconstruction, ChoosesLambdaByCrossValidationOfAllStrains) {
  // 40 gauges for 24 motions: what no motion explains is noise, and counts.
  const Girder girder(beam_settings());
  const std::vector<Sensor> gauges = two_gauges_an_element(20);
  ASSERT_EQ(gauged_motions(girder, gauges), girder.mode_count());
  VectorXd strain = strains_of(gauges, [](double x) { return -4.0 - 0.6 * x; });
  for (Eigen::Index s = 0; s < strain.size(); ++s)
    strain(s) += 3.0 * standard_normal({5, 1, 1, static_cast<std::uint64_t>(s)});
  const NodalReconstruction nodes(girder, gauges,
                                  {NodalNorm::kBending, Regularisation::kGcv}, strain);

  // ‖b − A x‖² / tr(I − A A⁺)², A = Φ diag(1/ω): with S = A Aᵀ + λ² I both of S⁻¹.
  MatrixXd A(strain.size(), girder.mode_count());
  for (std::size_t s = 0; s < gauges.size(); ++s)
    A.row(static_cast<Eigen::Index>(s)) =
        -gauges[s].gauge_arm *
        (girder.shapes(gauges[s].at, 2).array() / girder.frequencies().array())
            .matrix()
            .transpose();
  const auto score = [&](double lambda) {
    const MatrixXd inverse =
        (A * A.transpose() + lambda * lambda * MatrixXd::Identity(A.rows(), A.rows()))
            .inverse();
    const double trace = inverse.trace();
    return (inverse * strain).squaredNorm() / (trace * trace);
  };
  const double lambda = nodes.lambda();
  ASSERT_GT(lambda, 0.0);
  EXPECT_LT(score(lambda), score(1.2 * lambda));
  EXPECT_LT(score(lambda), score(lambda / 1.2));
}

TEST(NodalReconstruction, CountsWhatTheGaugesDetermine) {
  const Girder girder(beam_settings());
  EXPECT_EQ(girder.mode_count(), 24);
  EXPECT_EQ(gauged_motions(girder, sensors(5, Measures::kStrain)), 5);
  // A beam element's curvature is a straight line: three gauges in it see two numbers.
  std::vector<Sensor> gauges;
  for (const double x : {10.2, 11.0, 12.3})
    gauges.push_back({"g", x, Measures::kStrain, 1.0});
  EXPECT_EQ(gauged_motions(girder, gauges), 2);
  EXPECT_EQ(moving_nodes(girder).size(), 11U);
  EXPECT_NEAR(moving_nodes(girder).front(), 2.5, 1e-12);
}

// ---------------------------------------------------------------- the fit

/// Without noise, guesses at `factor` times the true values.
IdentificationProblem strained_car(const Girder& girder, std::vector<Sensor> gauges,
                                   double factor = 0.7) {
  IdentificationProblem problem =
      car_problem(girder, kTyre, factor, std::move(gauges), passage_settings());
  measure(problem, car_values(kTyre), 0.0, 1);
  return problem;
}

NodalSettings nodal_settings(int order, Measures quantity, DetourBias bias) {
  NodalSettings settings;
  settings.order = order;
  settings.quantity = quantity;
  settings.bias = bias;
  return settings;
}

TEST(NodalFit, FindsTheMotionOfTheNodes) {
  const Girder girder(beam_settings());
  const IdentificationProblem problem = strained_car(girder, two_gauges_an_element(12));
  const std::vector<double> points{10.0, 15.0, 21.3};
  for (const auto& [quantity, part] :
       {std::pair(Measures::kDisplacement, 1e-3), std::pair(Measures::kVelocity, 0.02),
        std::pair(Measures::kAcceleration, 0.25)}) {
    std::vector<Sensor> direct;
    for (const double x : points) direct.push_back({"w", x, quantity, 1.0});
    IdentificationProblem seen =
        car_problem(girder, kTyre, 1.0, direct, passage_settings());
    measure(seen, car_values(kTyre), 0.0, 1);
    NodalSettings settings = nodal_settings(60, quantity, DetourBias::kKept);
    settings.points = points;
    const NodalFit fit(problem, girder, settings);
    const Eigen::Map<const MatrixXd> expected(seen.passes[0].measured.data(), 3, 241);
    const MatrixXd& found = fit.motion().front();
    ASSERT_EQ(found.cols(), 241);
    // The ends, where a polynomial's derivatives are worst, apart.
    EXPECT_LT((found - expected).middleCols(20, 200).cwiseAbs().maxCoeff(),
              part * expected.cwiseAbs().maxCoeff());
  }
}

TEST(NodalFit, FindsTheVehicleByAnyQuantityWhereTheWaysBiasIsRemoved) {
  const Girder girder(beam_settings());
  for (const int count : {3, 24}) {
    const IdentificationProblem problem = strained_car(
        girder, count == 24 ? two_gauges_an_element(12) : sensors(3, Measures::kStrain));
    for (const Measures quantity :
         {Measures::kDisplacement, Measures::kVelocity, Measures::kAcceleration}) {
      const NodalFit fit(problem, girder,
                         nodal_settings(30, quantity, DetourBias::kRemoved));
      const ParameterEstimate found = fit.estimate();
      EXPECT_TRUE(found.converged);
      EXPECT_LT(worst_error(found.parameters, car_values(kTyre)), 1e-5) << count;
      EXPECT_EQ(fit.error(found.parameters, 0.01).bias.norm(), 0.0);
    }
  }
}

// Numbers of an independent program (full matrices of the beam, nodal coordinates).
TEST(NodalFit, SaysTheBiasOfThePublishedForm) {
  const Girder girder(beam_settings());
  const IdentificationProblem problem = strained_car(girder, two_gauges_an_element(12));
  VectorXd expected(5);
  expected << -1.84835e-5, 1.622088e-4, 3.270198e-4, 3.726448e-4, 1.944598e-4;
  const NodalFit fit(problem, girder,
                     nodal_settings(30, Measures::kDisplacement, DetourBias::kKept));
  const VectorXd said = fit.error(car_values(kTyre), 0.01).bias;
  EXPECT_LT((said - expected).cwiseAbs().maxCoeff(), 0.02 * expected.maxCoeff())
      << said.transpose();
  // The estimate errs by that, but for what is of second order.
  const ParameterEstimate found = fit.estimate();
  EXPECT_TRUE(found.converged);
  const VectorXd off = found.parameters.cwiseQuotient(car_values(kTyre)).array() - 1.0;
  EXPECT_LT((off - expected).cwiseAbs().maxCoeff(), 0.05 * expected.maxCoeff())
      << off.transpose();
}

// Accelerations of a polynomial amplify the noise; its steps shrink a spring without end.
TEST(NodalFit, StopsWhereItsStepsRunAway) {
  const Girder girder(beam_settings());
  int lost = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    IdentificationProblem problem =
        car_problem(girder, kTyre, 1.0, sensors(5, Measures::kStrain), passage_settings());
    measure(problem, car_values(kTyre), 0.3, seed);
    NodalSettings settings =
        nodal_settings(30, Measures::kAcceleration, DetourBias::kRemoved);
    settings.most_iterations = 200;
    const ParameterEstimate found = NodalFit(problem, girder, settings).estimate();
    EXPECT_TRUE(found.parameters.allFinite()) << seed;
    if (!has_run_away(found.parameters, car_values(kTyre))) continue;
    EXPECT_FALSE(found.converged) << seed;
    EXPECT_LT(found.iterations, settings.most_iterations) << seed;
    ++lost;
  }
  EXPECT_GT(lost, 0);
}

TEST(NodalFit, OfThreeGaugesErrsByMoreThanTheParametersAndSaysSo) {
  const Girder girder(beam_settings());
  const IdentificationProblem problem = strained_car(girder, sensors(3, Measures::kStrain));
  const NodalFit fit(problem, girder,
                     nodal_settings(30, Measures::kDisplacement, DetourBias::kKept));
  EXPECT_EQ(fit.summary().determined, 3);
  EXPECT_EQ(fit.summary().motions, 24);
  const VectorXd said = fit.error(car_values(kTyre), 0.01).bias;
  EXPECT_NEAR(said(0), 0.242, 0.01);
  EXPECT_NEAR(said(4), -4.116, 0.05);
}

}  // namespace
}  // namespace trestle::identification
