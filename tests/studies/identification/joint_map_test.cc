#include <gtest/gtest.h>

#include "studies/identification/reparametrised_fit.h"
#include "studies/identification/uncertainty.h"
#include "tests/studies/identification/beam_example.h"

namespace trestle::identification {
namespace {

constexpr double kPeriod = 60.0;
constexpr int kWaves = 60;

/// Vehicle and road unknown; the road that is really there has waves down to 1 m.
IdentificationProblem over_an_unknown_road(const Girder& girder,
                                           const std::vector<double>& speeds, double level,
                                           std::uint64_t seed) {
  IdentificationProblem problem = car_problem(
      girder, kTyre, 0.6, sensors(5, Measures::kDisplacement), passage_settings());
  problem.passes.clear();
  problem.road_shapes = 2 * kWaves;
  problem.prior_deviation = 2.0;
  problem.noise = {NoiseKind::kOfPeak, level};
  for (const double speed : speeds) {
    RecordedPass pass;
    pass.passage = std::make_unique<VehiclePassage>(girder, std::vector<double>{0.0},
                                                    sensors(5, Measures::kDisplacement),
                                                    passage_settings(speed));
    const RoadInput real = iso_road(*pass.passage, kClassB, seed, 1.0);
    pass.road = even_road(*pass.passage);
    for (const bridge::HarmonicProfile& shape : unknown_shapes(kClassB, kPeriod, kWaves))
      pass.shapes.push_back(road_under(*pass.passage, shape));
    pass.measured =
        pass.passage->respond(problem.vehicle, car_values(kTyre), real, {}, {}).values;
    for (Eigen::Index s = 0; s < 5; ++s) {
      auto channel = pass.measured(Eigen::seqN(s, pass.measured.size() / 5, 5));
      const double peak = channel.cwiseAbs().maxCoeff();
      for (Eigen::Index k = 0; k < channel.size(); ++k)
        channel(k) +=
            level * peak *
            standard_normal({seed, problem.passes.size(), static_cast<std::uint64_t>(s),
                             static_cast<std::uint64_t>(k)});
    }
    problem.passes.push_back(std::move(pass));
  }
  return problem;
}

double road_error(const Eigen::VectorXd& coefficients, std::uint64_t seed) {
  const std::vector<bridge::HarmonicProfile> shapes =
      unknown_shapes(kClassB, kPeriod, kWaves);
  const bridge::HarmonicProfile real(
      bridge::waves_of(bridge::iso8608_density(kClassB), {400, 1.0, 50.0, seed}));
  double off = 0.0, size = 0.0;
  for (double x = 0.0; x <= 30.0; x += 0.05) {
    double found = 0.0;
    for (std::size_t j = 0; j < shapes.size(); ++j)
      found += coefficients(static_cast<Eigen::Index>(j)) * shapes[j].at(x).height;
    off += std::pow(found - real.at(x).height, 2.0);
    size += std::pow(real.at(x).height, 2.0);
  }
  return std::sqrt(off / size);
}

TEST(JointMap, FindsVehicleAndRoadFromThreeSpeeds) {
  const Girder girder(beam_settings());
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const IdentificationProblem problem =
        over_an_unknown_road(girder, {15.0, 25.0, 35.0}, 3.3e-4, seed);
    const ParameterEstimate found = reparametrised_fit(problem, {});
    EXPECT_LT(worst_error(found.parameters, car_values(kTyre)), 0.02) << seed;  // B7
    EXPECT_LT(road_error(found.road, seed), 0.05) << seed;
  }
}

TEST(JointMap, GetsOutOfAWrongValleyThatSixPassesMake) {
  // B8: from 0.6 of the truth; told by a cost far above one per reading.
  const Girder girder(beam_settings());
  const IdentificationProblem problem =
      over_an_unknown_road(girder, {10.0, 15.0, 20.0, 25.0, 30.0, 35.0}, 3.3e-3, 1);
  const ParameterEstimate found = reparametrised_fit(problem, {});
  EXPECT_LT(found.cost, 1.2 * static_cast<double>(measured(problem).size()));
  const Eigen::VectorXd deviation =
      uncertainty(problem, found, 1e300).at_estimate.covariance.diagonal().cwiseSqrt();
  EXPECT_LT(worst_error(found.parameters, car_values(kTyre)), 4.0 * deviation.maxCoeff());
}

TEST(JointMap, KnowsThatOneSpeedTellsLessThanThree) {
  const Girder girder(beam_settings());
  const auto deviations = [&](const std::vector<double>& speeds) -> Eigen::VectorXd {
    const IdentificationProblem problem = over_an_unknown_road(girder, speeds, 3.3e-3, 1);
    ParameterEstimate truth{car_values(kTyre), Eigen::VectorXd(2 * kWaves), 0, true, 0};
    for (Eigen::Index j = 0; j < 2 * kWaves; ++j)
      truth.road(j) = standard_normal({1, 2, 3, static_cast<std::uint64_t>(j)});
    return uncertainty(problem, truth, 1e300).at_estimate.covariance.diagonal().cwiseSqrt();
  };
  const Eigen::VectorXd one = deviations({25.0}), three = deviations({15.0, 25.0, 35.0});
  // B8's table, to a factor of two: another road of the same class.
  EXPECT_NEAR(std::log(one(2) / 1.3), 0.0, std::log(2.0));
  EXPECT_NEAR(std::log(three(2) / 0.035), 0.0, std::log(2.0));
  EXPECT_TRUE((three.array() < one.array()).all());
}

}  // namespace
}  // namespace trestle::identification
