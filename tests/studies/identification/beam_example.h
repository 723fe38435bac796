#pragma once

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/random.h"
#include "studies/identification/girder.h"
#include "studies/identification/identification_problem.h"
#include "studies/identification/road.h"

namespace trestle::identification {

/// The beam and the quarter car of the specification (B1), in tests.

/// One girder with the given spans, equal except for their lengths.
inline GirderSettings girder_settings(const std::vector<double>& spans) {
  GirderSettings settings;
  settings.girders.spans.emplace_back();
  for (const double span : spans)
    settings.girders.spans.front().push_back({span, 2.5e10, 5e3});
  settings.girders.piers.resize(spans.size() + 1);
  settings.damping_ratio = 0.02;
  return settings;
}

inline GirderSettings beam_settings() {
  return girder_settings({30.0});
}

inline constexpr double kSoftTyre = 1e4;
inline constexpr double kTyre = 1e6;

/// mv1, mv2, cv, kv1, kv2.
inline Eigen::VectorXd car_values(double tyre) {
  Eigen::VectorXd values(5);
  values << 1e4, 1e3, 1e3, 1e5, tyre;
  return values;
}

inline PassageSettings passage_settings(double speed = 25.0, double rate = 200.0,
                                        double length = 30.0) {
  PassageSettings settings;
  settings.speed = speed;
  settings.sampling_period = 1.0 / rate;
  settings.samples = static_cast<int>(std::floor(length / speed * rate + 1e-9)) + 1;
  return settings;
}

/// `count` equally spaced sensors.
inline std::vector<Sensor> sensors(int count, Measures measures, double length = 30.0) {
  std::vector<Sensor> made;
  for (int i = 1; i <= count; ++i)
    made.push_back({"s" + std::to_string(i), length * i / (count + 1), measures, 1.0});
  return made;
}

inline RoadInput even_road(const VehiclePassage& passage) {
  return {Eigen::MatrixXd::Zero(passage.step_count(), passage.positions().cols()),
          Eigen::MatrixXd::Zero(passage.step_count(), passage.positions().cols())};
}

/// A height of the road and its slope under the axles.
template <typename Height, typename Slope>
RoadInput waves_under(const VehiclePassage& passage, Height height, Slope slope) {
  return {passage.positions().unaryExpr(height), passage.positions().unaryExpr(slope)};
}

inline RoadInput iso_road(const VehiclePassage& passage, double roughness,
                          std::uint64_t seed = 1, double shortest = 0.25) {
  return road_under(
      passage, bridge::HarmonicProfile(bridge::waves_of(bridge::iso8608_density(roughness),
                                                        {400, shortest, 50.0, seed})));
}

inline constexpr double kClassB = 64e-6;  // [m³]

/// A problem with one pass over an even road; readings to be filled.
inline IdentificationProblem car_problem(const Girder& girder, double tyre, double alpha,
                                         std::vector<Sensor> sensors,
                                         const PassageSettings& settings) {
  IdentificationProblem problem;
  problem.vehicle = quarter_car();
  problem.values = alpha * car_values(tyre);
  problem.unknown = {0, 1, 2, 3, 4};
  RecordedPass pass;
  pass.passage = std::make_unique<VehiclePassage>(girder, problem.vehicle.axle_offsets,
                                                  std::move(sensors), settings);
  pass.road = even_road(*pass.passage);
  problem.passes.push_back(std::move(pass));
  return problem;
}

/// Fills in the readings of the true values, with noise of a part of each reading.
inline void measure(IdentificationProblem& problem, const Eigen::VectorXd& truth,
                    double noise, std::uint64_t seed) {
  for (std::size_t p = 0; p < problem.passes.size(); ++p) {
    RecordedPass& pass = problem.passes[p];
    pass.measured = pass.passage->respond(problem.vehicle, truth, pass.road, {}, {}).values;
    for (Eigen::Index i = 0; i < pass.measured.size(); ++i)
      pass.measured(i) *=
          1.0 + noise * standard_normal({seed, 1, p, static_cast<std::uint64_t>(i)});
  }
}

inline double worst_error(const Eigen::VectorXd& found, const Eigen::VectorXd& truth) {
  return ((found - truth).cwiseAbs().cwiseQuotient(truth)).maxCoeff();
}

}  // namespace trestle::identification
