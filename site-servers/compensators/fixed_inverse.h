#pragma once

#include "core/ports/compensator.h"
#include "site-servers/compensators/series_coefficients.h"

namespace trestle::compensators {

/// u = a₀·x + a₁·ẋ + a₂·ẍ with coefficients that stay: the inverse of a known transfer
/// system up to second order. x the target, u the command.
///
/// With the Taylor coefficients of the inverse a slow motion arrives without delay; with
/// those of a fit over a band (series_fit.h) the whole band does nearly so.
class FixedInverse final : public Compensator {
 public:
  /// @throws SettingError if there are neither one row nor one for each actuator, or a
  ///         value is not finite
  FixedInverse(int actuators, const SeriesCoefficientsPerActuator& coefficients)
      : coefficients_(coefficients.checked(actuators, "coefficients")) {}

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& /*measured*/,
                         const ActuatorVector& /*last_command*/) noexcept override {
    ActuatorVector command(target.displacement.size());
    for (Eigen::Index i = 0; i < command.size(); ++i) {
      const SeriesCoefficients& a = coefficients_[static_cast<int>(i)];
      command[i] = a[0] * target.displacement[i] + a[1] * target.velocity[i] +
                   a[2] * target.acceleration[i];
    }
    return command;
  }
  void reset() noexcept override {}
  std::optional<LinearCompensatorModel> linearise(int actuator) const override {
    const SeriesCoefficients& a = coefficients_[actuator];
    return LinearCompensatorModel{
        .targets = {a[0]}, .velocity = a[1], .acceleration = a[2]};
  }
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override {
    const SeriesCoefficients& a = coefficients_[actuator];
    return TransferEstimate{a[1] / a[0], 1.0 / a[0]};
  }
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  SeriesCoefficientsPerActuator coefficients_;
};

}  // namespace trestle::compensators
