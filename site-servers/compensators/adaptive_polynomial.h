#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/math/delay_line.h"
#include "core/ports/compensator.h"
#include "site-servers/compensators/per_actuator.h"

namespace trestle::compensators {

struct AdaptivePolynomialSettings {
  double tick = 0.0;               ///< control tick δt [s], > 0
  PerActuator delay = 0.0;         ///< τ at the start, >= 0 [s]
  int order = 3;                   ///< N, 1 ... 4
  int points = 0;                  ///< n of the fit, > order; 0: four per order
  double delay_gain = 1.0;         ///< [1/s], >= 0; 0: the delay stays
  double amplitude_gain = 0.1;     ///< share of the error taken at a peak, 0 ... 1
  double excitation_floor = 1e-4;  ///< adapt only above this target rms [m | rad]
  double longest_delay = 0.0;      ///< [s]; 0: three times the start, at least 20 ticks
};

/// Adaptive forward prediction: a polynomial of order N, the least-squares fit to the last
/// n targets, is taken one delay ahead and scaled,
///
///   u = σ·P(t + τ),
///
/// and both τ and σ follow the tracking error e = x − measured, x the target of the tick
/// that the measurement answers. Wallace, Wagg and Neild (2005),
/// doi:10.1098/rspa.2005.1532.
///
/// As there, the delay follows from the error over the velocity, e = τₑ·ẋ, and the
/// amplitude from the error at the peaks, e = (1 − A)·x. Chosen here, where the paper
/// leaves freedom:
/// - The points stand a whole number of ticks apart, such that the fit spans about `order`
///   delays: neighbouring ticks would amplify the noise of the target.
/// - The delay learns while |ẋ| is above its root mean square of the last second, where the
///   position says little: τ ← τ + gain·δt·e/ẋ; e/ẋ counts up to the longest delay.
/// - The amplitude learns at each turn of the target beyond its root mean square of the
/// last
///   second: σ ← σ·(1 + gain·e/x); |e/x| counts up to 0.5, σ stays within 0.5 ... 2.
/// - Both wait while the root mean square of the target is below the excitation floor.
class AdaptivePolynomial final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  AdaptivePolynomial(int actuators, const AdaptivePolynomialSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override;
  Channels coefficient_channels() const override;
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  double delay(int actuator) const noexcept {
    return channels_[static_cast<std::size_t>(actuator)].delay;
  }  ///< τ at present [s]
  double amplitude(int actuator) const noexcept {
    return 1.0 / channels_[static_cast<std::size_t>(actuator)].scale;
  }  ///< 1/σ at present, measured over commanded

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  /// The target's motion at one tick.
  struct Moment {
    double displacement = 0.0;
    double velocity = 0.0;
  };
  struct Channel {
    double first_delay;
    double longest_delay;
    int spacing;          // of the points [ticks]
    Eigen::MatrixXd fit;  // coefficients of the polynomial from the points
    math::DelayLine targets;
    double displacement_power = 0.0;  // fading mean squares
    double velocity_power = 0.0;
    Moment last{};
    Moment before{};
    double delay = 0.0;
    double scale = 1.0;
  };

  Channel make_channel(const AdaptivePolynomialSettings& settings, double delay) const;
  void adapt(Channel& channel, double error) const noexcept;
  double weight_ahead(const Channel& channel, Eigen::Index point) const noexcept;
  double ahead(const Channel& channel) const noexcept;

  double tick_;
  double delay_gain_;
  double amplitude_gain_;
  double power_floor_;
  std::vector<Channel> channels_;
  bool started_ = false;
};

}  // namespace trestle::compensators
