#pragma once

#include <Eigen/Core>

namespace trestle::bridge {

/// The mode shapes of a bridge at one place: of `count` modes from `first` on; all others
/// are zero there. The vectors have room for the most that there may be.
struct ShapeValues {
  Eigen::Index first = 0;
  Eigen::Index count = 0;
  Eigen::VectorXd value;      ///< φ [1/√kg]
  Eigen::VectorXd slope;      ///< dφ/dx [1/(m·√kg)]
  Eigen::VectorXd curvature;  ///< d²φ/dx² [1/(m²·√kg)]
};

/// Mass-normalised shapes of the modes of a bridge, positive down, over x from its left
/// end. Left of it and right of it there are rigid approaches, where all are zero.
///
/// at() is called in the step: it does not allocate.
class ModeShapes {
 public:
  virtual ~ModeShapes() = default;

  virtual Eigen::Index modes() const noexcept = 0;
  /// That are not zero at one place, at most.
  virtual Eigen::Index max_active_modes() const noexcept = 0;
  virtual void at(double x, ShapeValues& values) const noexcept = 0;

  /// Values with room for any place.
  ShapeValues room() const {
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(max_active_modes());
    return {0, 0, zero, zero, zero};
  }
};

}  // namespace trestle::bridge
