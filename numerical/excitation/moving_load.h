#pragma once

#include <Eigen/Core>
#include <vector>

#include "numerical/structure/line_load.h"

namespace trestle::excitation {

struct MovingLoadSettings {
  double force = 0.0;  ///< downwards, −y, in space −z [N]
  double speed = 0.0;  ///< along the path [m/s], > 0
  double start = 0.0;  ///< when it enters the path [s], >= 0
};

/// A constant force that travels along members, as consistent nodal loads: cubic shape
/// functions for its part across the member, linear ones for its part along.
class MovingLoad {
 public:
  /// @throws std::invalid_argument if the path is empty, a segment has no length or the
  ///         speed is not positive
  MovingLoad(structure::LoadPath path, const MovingLoadSettings& settings);

  /// When it leaves the path [s].
  double leaves() const noexcept { return settings_.start + length_ / settings_.speed; }

  /// Adds the nodal loads of this instant [s] to `load` [N | N·m]; none off the path.
  void add(double time, Eigen::VectorXd& load) const noexcept;

 private:
  structure::LoadPath path_;
  MovingLoadSettings settings_;
  std::vector<double> begins_;  // distance from the path's start to each segment's [m]
  double length_ = 0.0;
};

}  // namespace trestle::excitation
