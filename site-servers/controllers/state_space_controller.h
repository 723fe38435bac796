#pragma once

#include <Eigen/Core>

#include "core/ports/actuator_controller.h"

namespace trestle::controllers {

struct StateSpaceControllerSettings {
  double tick = 0.0;       ///< control tick δt [s], > 0
  Eigen::MatrixXd A;       ///< state matrix. NOLINT(readability-identifier-naming)
  Eigen::MatrixXd B;       ///< input matrix. NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C;       ///< output matrix. NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D;       ///< feedthrough. NOLINT(readability-identifier-naming)
  bool continuous = true;  ///< A and B are of q̇; else of q[k+1] at the control tick
};

/// A linear controller as any design tool gives it,
///
///   q̇ = A·q + B·w  or  q[k+1] = A·q[k] + B·w[k],   drive = C·q + D·w.
///
/// With n actuators w is the error, command − measured (D n × n), or the commands and then
/// the measured displacements (D n × 2n). A continuous one is sampled by the bilinear rule
/// s = 2/δt·(z − 1)/(z + 1), which keeps poles of the left half-plane inside the unit
/// circle and warps a frequency ω to 2/δt·atan(ω·δt/2).
///
/// It is the frame for the H∞ feedback of Xie et al. (2025), doi:10.1002/eer2.70003, whose
/// text was not at hand: their controller enters as matrices, or one is designed by
/// `trestle characterise --design hinf`; their polynomial extrapolation is the compensator
/// `polynomial` in front. The drive is not limited here and no state stops where the drive
/// saturates; the safety gate limits what goes out.
class StateSpaceController final : public ActuatorController {
 public:
  /// Limits the time of a tick, which grows with the square of the states.
  static constexpr Eigen::Index kMostStates = 64;

  /// @throws SettingError by the field's name where sizes do not fit together
  StateSpaceController(int actuators, const StateSpaceControllerSettings& settings);

  ActuatorVector drive(const ActuatorVector& command,
                       const Measurement& sensed) noexcept override;
  void reset() noexcept override { state_.setZero(); }
  std::optional<LinearControllerModel> linearise(int actuators) const override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  bool of_error_;                // w
  LinearControllerModel model_;  // at the control tick, in w
  Eigen::VectorXd input_;
  Eigen::VectorXd state_;
  Eigen::VectorXd next_;
};

}  // namespace trestle::controllers
