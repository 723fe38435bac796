#pragma once

#include <Eigen/Core>

namespace trestle::integration {

/// Motion of all equations of the numerical part at one instant; all three of one size. A
/// template on the number: `double`, or a pack of one number per lane.
template <typename Real>
struct StructuralStateOf {
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  Vector displacement;  ///< [m | rad]
  Vector velocity;      ///< [m/s | rad/s]
  Vector acceleration;  ///< [m/s² | rad/s²]
};

/// Newmark's method with β = 1/4, γ = 1/2: d̃ and ṽ from the state of the last step.
template <typename Real>
void predict_average_acceleration(double time_step,
                                  StructuralStateOf<Real>& state) noexcept {
  const double half = 0.5 * time_step;
  state.displacement +=
      Real(time_step) * (state.velocity + Real(0.5 * half) * state.acceleration);
  state.velocity += Real(half) * state.acceleration;
}

/// The same: d and v from d̃, ṽ and the acceleration of the step.
template <typename Real>
void correct_average_acceleration(double time_step,
                                  StructuralStateOf<Real>& state) noexcept {
  state.displacement += Real(0.25 * time_step * time_step) * state.acceleration;
  state.velocity += Real(0.5 * time_step) * state.acceleration;
}

}  // namespace trestle::integration
