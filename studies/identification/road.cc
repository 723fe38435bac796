#include "studies/identification/road.h"

#include <cmath>
#include <numbers>

namespace trestle::identification {

RoadInput road_under(const VehiclePassage& passage, const bridge::TrackProfile& profile) {
  const Eigen::MatrixXd& x = passage.positions();
  return {x.unaryExpr([&](double at) { return -profile.at(at).height; }),
          x.unaryExpr([&](double at) { return -profile.at(at).slope; })};
}

std::vector<bridge::HarmonicProfile> unknown_shapes(double roughness, double period,
                                                    int waves) {
  const auto density = bridge::iso8608_density(roughness);
  std::vector<bridge::HarmonicProfile> shapes;
  for (int i = 1; i <= waves; ++i) {
    const double n = i / period;
    const double deviation = std::sqrt(density(n) / period);
    const double number = 2.0 * std::numbers::pi * n;
    shapes.push_back(bridge::HarmonicProfile({{deviation, number, 0.0}}));
    shapes.push_back(
        bridge::HarmonicProfile({{deviation, number, -0.5 * std::numbers::pi}}));
  }
  return shapes;
}

}  // namespace trestle::identification
