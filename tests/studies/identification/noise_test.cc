#include <gtest/gtest.h>

#include "studies/identification/reparametrised_fit.h"
#include "studies/identification/uncertainty.h"
#include "tests/studies/identification/beam_example.h"

namespace trestle::identification {
namespace {

constexpr int kSeeds = 20;

GirderSettings fine_beam() {
  GirderSettings settings = beam_settings();
  settings.elements_per_span = 36;  // for strain
  return settings;
}

IdentificationProblem gauged(const Girder& girder, double tyre, int gauges, double rate,
                             double level, double roughness) {
  IdentificationProblem problem = car_problem(
      girder, tyre, 1.0, sensors(gauges, Measures::kStrain), passage_settings(25.0, rate));
  problem.noise = {NoiseKind::kOfReading, level};
  RecordedPass& pass = problem.passes.front();
  if (roughness > 0.0) pass.road = iso_road(*pass.passage, roughness);
  return problem;
}

Eigen::VectorXd bound_at_truth(IdentificationProblem& problem, double tyre) {
  measure(problem, car_values(tyre), 0.0, 1);
  return uncertainty(problem, {car_values(tyre), {}, 0, true, 0.0}, 1e300)
      .at_estimate.covariance.diagonal()
      .cwiseSqrt();
}

TEST(Bound, IsThatOfTheSpecificationOnAnEvenRoad) {
  // B6, two digits; in per cent of mv1, mv2, cv, kv1, kv2.
  const Girder girder(fine_beam());
  IdentificationProblem problem = gauged(girder, kTyre, 1, 200.0, 0.01, 0.0);
  const Eigen::VectorXd bound = bound_at_truth(problem, kTyre);
  Eigen::VectorXd expected(5);
  expected << 0.014, 0.13, 0.31, 0.39, 0.21;
  EXPECT_LT(worst_error(bound, expected), 0.06) << bound.transpose();
}

TEST(Bound, IsThatOfTheSpecificationOnARoughRoadWithFiveGauges) {
  const Girder girder(fine_beam());
  IdentificationProblem problem = gauged(girder, kTyre, 5, 1000.0, 0.01, kClassB);
  const Eigen::VectorXd bound = bound_at_truth(problem, kTyre);
  Eigen::VectorXd expected(5);
  expected << 0.0002, 0.0021, 0.0088, 0.0095, 0.0014;
  // Another gauge spacing and other phases of the road would do: the order is what counts.
  EXPECT_TRUE(((bound.array() / expected.array()).log().abs() < std::log(2.0)).all())
      << bound.transpose();
}

TEST(ReparametrisedFit, AttainsTheBoundOnAKnownRoughRoad) {
  const Girder girder(fine_beam());
  IdentificationProblem problem = gauged(girder, kTyre, 5, 1000.0, 0.01, kClassB);
  const Eigen::VectorXd bound = bound_at_truth(problem, kTyre);
  problem.values = 1.2 * car_values(kTyre);
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(5);
  for (int seed = 1; seed <= kSeeds; ++seed) {
    measure(problem, car_values(kTyre), 0.01, static_cast<std::uint64_t>(seed));
    const ParameterEstimate found = reparametrised_fit(problem, {});
    squares +=
        (found.parameters.cwiseQuotient(car_values(kTyre)).array() - 1.0).square().matrix();
  }
  const Eigen::VectorXd rms = (squares / kSeeds).cwiseSqrt();
  for (Eigen::Index j = 0; j < 5; ++j) {
    EXPECT_GT(rms(j), 0.7 * bound(j)) << "parameter " << j;  // B7
    EXPECT_LT(rms(j), 1.5 * bound(j)) << "parameter " << j;
  }
}

double mass_error(double tyre, double level) {
  const Girder girder(fine_beam());
  IdentificationProblem problem = gauged(girder, tyre, 1, 200.0, level, 0.0);
  double squares = 0.0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    measure(problem, car_values(tyre), level, static_cast<std::uint64_t>(seed));
    const ParameterEstimate found = reparametrised_fit(problem, {});
    squares += std::pow(found.parameters.head(2).sum() / 1.1e4 - 1.0, 2.0);
  }
  return std::sqrt(squares / kSeeds);
}

TEST(ReparametrisedFit, FindsTheTotalMassOnAnEvenRoad) {
  for (const double tyre : {kSoftTyre, kTyre}) {
    EXPECT_LT(mass_error(tyre, 0.01), 0.0012);  // B7
    EXPECT_LT(mass_error(tyre, 0.10), 0.012);
  }
}

TEST(Bound, IsOfTheModelAndNotOfTheReadingsThatHappenedToBeMade) {
  const Girder girder(fine_beam());
  IdentificationProblem problem = gauged(girder, kTyre, 1, 200.0, 0.1, 0.0);
  const Eigen::VectorXd quiet = bound_at_truth(problem, kTyre);
  measure(problem, car_values(kTyre), 0.1, 3);
  const Eigen::VectorXd noisy =
      uncertainty(problem, {car_values(kTyre), {}, 0, true, 0.0}, 1e300)
          .at_estimate.covariance.diagonal()
          .cwiseSqrt();
  EXPECT_LT(worst_error(noisy, quiet), 1e-12);
}

TEST(Uncertainty, TellsNoiseThatIsTwiceWhatWasStated) {
  const Girder girder(fine_beam());
  IdentificationProblem problem = gauged(girder, kTyre, 5, 1000.0, 0.01, 0.0);
  measure(problem, car_values(kTyre), 0.02, 1);
  const Uncertainty found =
      uncertainty(problem, {car_values(kTyre), {}, 0, true, 0.0}, 1e300);
  // 6005 readings; those below the floor of 2 % of the peak count for less.
  EXPECT_NEAR(found.misfit, 2.0, 0.2);
  EXPECT_FALSE(found.explained);
}

TEST(Uncertainty, LeavesThePrintedProblemOpenWhateverTheNoiseSays) {
  const Girder girder(fine_beam());
  IdentificationProblem problem = gauged(girder, kSoftTyre, 1, 200.0, 0.01, 0.0);
  for (int seed = 1; seed <= kSeeds; ++seed) {
    measure(problem, car_values(kSoftTyre), 0.01, static_cast<std::uint64_t>(seed));
    const ParameterEstimate found = reparametrised_fit(problem, {});
    const Uncertainty sure = uncertainty(problem, found, 0.2);
    ASSERT_TRUE(sure.at_guess.has_value()) << "seed " << seed;
    const Eigen::VectorXd deviations =
        sure.at_guess->covariance.diagonal().cwiseSqrt().cwiseMax(
            sure.at_estimate.covariance.diagonal().cwiseSqrt());
    EXPECT_GT(deviations.minCoeff(), 0.2) << "seed " << seed;
  }
}

}  // namespace
}  // namespace trestle::identification
