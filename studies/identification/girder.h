#pragma once

#include <Eigen/Core>
#include <vector>

#include "numerical/bridge/girders.h"

namespace trestle::identification {

struct GirderSettings {
  bridge::Girders girders;     ///< one girder
  double damping_ratio = 0.0;  ///< Rayleigh's, at FE modes 1 and 2
  int elements_per_span = 12;
};

/// A continuous girder of Hermite elements in the coordinates of all its modes. Rayleigh
/// damping leaves them uncoupled, so that a step costs one line per mode; no mode is left
/// out, and the numbers are those of the full matrices.
class Girder {
 public:
  explicit Girder(const GirderSettings& settings);

  double length() const { return length_; }
  double shortest_span() const { return shortest_span_; }
  const std::vector<double>& nodes() const { return nodes_; }  ///< from the left end [m]
  Eigen::Index mode_count() const { return modes_.frequency.size(); }

  const Eigen::VectorXd& frequencies() const { return modes_.frequency; }  ///< [rad/s]
  const Eigen::VectorXd& damping() const { return damping_; }  ///< 2 ζ ω [1/s]

  /// The mode shapes at x: deflection (order 0), slope (1) or curvature (2), of the element
  /// to the right of a node. Zero beyond the ends.
  Eigen::VectorXd shapes(double x, int order) const;

 private:
  double length_ = 0.0;
  double shortest_span_;
  std::vector<double> nodes_;
  bridge::BridgeModes modes_;
  Eigen::VectorXd damping_;
};

}  // namespace trestle::identification
