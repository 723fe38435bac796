#pragma once

#include <Eigen/Core>

namespace trestle::compensators {

/// One tick of a₂·ÿ + a₁·ẏ + a₀·y = u with a held u: the exponential of the motion by its
/// Padé approximant (2, 2), which is stable whatever the tick is; error (λδt)⁵/720.
class SecondOrderTransfer {
 public:
  using Motion = Eigen::Vector2d;  ///< y, ẏ

  /// @param parameters  a₀, a₁, a₂, all above zero
  SecondOrderTransfer(const Eigen::Vector3d& parameters, double tick) noexcept;

  Motion advance(const Motion& motion, double command) const noexcept;
  /// Derivative of advance() by the motion.
  Eigen::Matrix2d by_motion() const noexcept;
  /// Derivatives of advance() by a₀, a₁, a₂, in columns.
  Eigen::Matrix<double, 2, 3> by_parameters(const Motion& motion,
                                            double command) const noexcept;

 private:
  Eigen::Vector3d parameters_;
  double tick_;
  Eigen::Matrix2d rate_;  // A of ż = A·(z − z∞)
  Eigen::Matrix2d numerator_;
  Eigen::Matrix2d inverse_;  // of the denominator
};

}  // namespace trestle::compensators
