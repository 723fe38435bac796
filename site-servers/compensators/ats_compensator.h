#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/math/delay_line.h"
#include "core/math/low_pass.h"
#include "core/math/sliding_gram_matrix.h"
#include "core/ports/compensator.h"
#include "site-servers/compensators/adaptation_filter.h"
#include "site-servers/compensators/per_actuator.h"

namespace trestle::compensators {

struct AtsSettings {
  struct Range {
    double lowest, highest;
  };

  double tick = 0.0;  ///< control tick δt [s], > 0
  PerActuator expected_delay =
      0.0;              ///< τ, first guess of the transfer system's delay [s], > 0
  double memory = 1.0;  ///< time constant of forgetting [s], >= 10 ticks
  double window = 0.0;  ///< in place of memory, >= 10 ticks [s]; 0: none
  double excitation_floor = 1e-4;  ///< adapt only above this measured rms [m | rad]
  AdaptationFilter filter{};       ///< of what it learns from
  std::optional<Range> a0{};       ///< default 0.7 ... 1.3
  std::optional<Range> a1{};       ///< [s]; default 0 ... 10 τ
  std::optional<Range> a2{};       ///< [s²]; default 0 ... 50 τ²
  bool differences = false;        ///< ẋ and ẍ by backward differences, tick to tick
};

/// Adaptive time series compensator.
///
///   u = a₀·x + a₁·ẋ + a₂·ẍ,   x the target, u the command,
///
/// with a₀, a₁, a₂ found by least squares from what was commanded and what was then
/// measured. A pure delay τ and gain A give a₀ = 1/A, a₁ = τ/A, a₂ = τ²/(2A).
/// After Chae, Kazemibidokhti and Ricles (2013), doi:10.1002/eqe.2294. The past leaves a
/// moving window as there, or fades exponentially.
///
/// Chosen here: the rates of the measured signal are central differences over half the
/// expected delay to either side. From tick to tick they would be noise at high rates,
/// whose power in the regression pulls a₁ and a₂ to zero; so the noise is at most some ten
/// times that of the sensor, whatever the tick. The slight loss of the differences is
/// (ωτ)²/24. Directions that the motion does not excite stay at the pure delay τ.
class AtsCompensator final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  AtsCompensator(int actuators, const AtsSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override;
  Channels coefficient_channels() const override;
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// Delay a₁/a₀ that one actuator shows at present [s].
  double delay(int actuator) const noexcept;
  /// Amplitude 1/a₀ that one actuator shows at present, measured over commanded.
  double amplitude(int actuator) const noexcept;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  /// One actuator. All regressors are scaled by powers of the expected delay, so that the
  /// three coefficients are dimensionless and of order one.
  struct Channel {
    double expected_delay;
    int base;  // of the differences of what is measured [ticks]
    Eigen::Vector3d lowest;
    Eigen::Vector3d highest;
    math::LowPass measured_filter;
    math::LowPass command_filter;
    math::DelayLine measured;
    math::DelayLine commanded;
    math::DelayLine target;
    std::vector<math::SlidingGramMatrix> window;  // one, or none: the past fades
    Eigen::Vector3d coefficients{};
    Eigen::Matrix3d information{};  // mean of r·rᵀ
    Eigen::Vector3d moment{};       // mean of r·u
  };

  static Channel make_channel(const AtsSettings& settings, int actuator);
  void start(Channel& channel, double measured, double command) const noexcept;
  void learn(Channel& channel) const noexcept;
  Eigen::Vector3d series(Channel& channel, const ActuatorMotion& target,
                         Eigen::Index actuator) const noexcept;

  double tick_;
  double forgetting_;
  double information_floor_;
  bool differences_;
  std::vector<Channel> channels_;
  bool started_ = false;
};

}  // namespace trestle::compensators
