#include "numerical/excitation/moving_load.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace trestle::excitation {
namespace {

double length_of(const structure::LoadedMember& segment) {
  return std::hypot(segment.end_x - segment.start_x, segment.end_y - segment.start_y);
}

}  // namespace

MovingLoad::MovingLoad(structure::LoadPath path, const MovingLoadSettings& settings)
    : path_(std::move(path)), settings_(settings) {
  if (path_.empty()) throw std::invalid_argument("moving load: its path has no member");
  if (!(settings.speed > 0.0))
    throw std::invalid_argument("moving load: speed must be positive");
  for (const structure::LoadedMember& segment : path_) {
    if (!(length_of(segment) > 0.0))
      throw std::invalid_argument("moving load: a member of its path has no length");
    begins_.push_back(length_);
    length_ += length_of(segment);
  }
}

void MovingLoad::add(double time, Eigen::VectorXd& load) const noexcept {
  const double travelled = settings_.speed * (time - settings_.start);
  if (travelled < 0.0 || travelled > length_) return;
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), travelled);
  const auto index = static_cast<std::size_t>(after - begins_.begin()) - 1;
  const structure::LoadedMember& segment = path_[index];

  const double L = length_of(segment);
  const double c = (segment.end_x - segment.start_x) / L;
  const double s = (segment.end_y - segment.start_y) / L;
  const double xi = std::min((travelled - begins_[index]) / L, 1.0);
  const double along = -settings_.force * s;
  const double across = -settings_.force * c;

  // Hermite's cubics and the straight line, each the work-equivalent share of its DOF.
  const double n1 = 1.0 + xi * xi * (2.0 * xi - 3.0);
  const double n2 = L * xi * (1.0 - xi) * (1.0 - xi);
  const double n3 = xi * xi * (3.0 - 2.0 * xi);
  const double n4 = L * xi * xi * (xi - 1.0);
  const std::array<double, 6> nodal{along * (1.0 - xi) * c - across * n1 * s,
                                    along * (1.0 - xi) * s + across * n1 * c,
                                    across * n2,
                                    along * xi * c - across * n3 * s,
                                    along * xi * s + across * n3 * c,
                                    across * n4};
  for (std::size_t i = 0; i < nodal.size(); ++i)
    structure::add_force(segment.motions[i], nodal[i], load);
}

}  // namespace trestle::excitation
