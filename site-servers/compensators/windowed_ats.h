#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/math/delay_line.h"
#include "core/math/low_pass.h"
#include "core/ports/compensator.h"
#include "site-servers/compensators/adaptation_filter.h"
#include "site-servers/compensators/series_coefficients.h"

namespace trestle::compensators {

struct WindowedAtsSettings {
  struct Range {
    double lowest, highest;
  };

  double tick = 0.0;  ///< control tick δt [s], > 0
  SeriesCoefficientsPerActuator initial{};
  double window = 1.0;  ///< [s]
  int decimation = 8;   ///< keeps one row in `decimation`
  int first_rows = 9;   ///< before the first fit
  double excitation_floor =
      2e-5;             ///< adapts only above this max|x| in the window [m | rad]
  double ridge = 1e-3;  ///< times a third of the trace
  SeriesCoefficients scale{1.0, 0.02, 4e-4};  ///< of the columns
  SeriesCoefficients rate{2.0, 0.05, 0.001};  ///< most change [1/s]
  Range a0{0.7, 1.3};
  Range a1{0.0, 0.06};                         ///< [s]
  Range a2{0.0, 0.0032};                       ///< [s²]
  AdaptationFilter filter{.frequency = 20.0};  ///< of what it learns from, both sides
  /// Rates of the target are backward differences of the target behind this filter, in
  /// place of the integrator's own. Its delay is outside of what is learnt.
  AdaptationFilter target_filter{};
};

/// Adaptive time series compensator that starts from known coefficients:
///
///   u = a₀·x + a₁·ẋ + a₂·ẍ,   a = argmin Σ |u_f − a₀·x_f − a₁·ẋ_f − a₂·ẍ_f|²
///
/// over a window of thinned-out rows, u_f the command in force when x_f was measured, both
/// behind the same low-pass; rates of x_f by central differences from tick to tick. The
/// columns are scaled, and a ridge pulls to the initial coefficients what the motion does
/// not excite. The result is limited to its bounds and then to its rate of change. Nothing
/// adapts while the motion in the window is below the floor.
///
/// After Chae, Kazemibidokhti and Ricles (2013), doi:10.1002/eqe.2294, who print neither
/// filter nor bounds nor rates. AtsCompensator is the other form, around an expected delay.
/// With `target_filter` it is what a published vehicle–bridge test shows (see
/// docs/explanation/vehicle-bridge.md): its lag of rates cannot be learnt.
class WindowedAts final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  WindowedAts(int actuators, const WindowedAtsSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override;
  Channels coefficient_channels() const override;
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// As they are now.
  const Eigen::Vector3d& coefficients(int actuator) const noexcept {
    return channels_[static_cast<std::size_t>(actuator)].coefficients;
  }

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  struct Channel {
    Eigen::Vector3d initial = Eigen::Vector3d::Zero();
    Eigen::Vector3d coefficients = Eigen::Vector3d::Zero();
    math::LowPass measured_filter;
    math::LowPass command_filter;
    math::LowPass target_filter;
    math::DelayLine measured{2};
    math::DelayLine commanded{1};
    math::DelayLine target{2};
    std::vector<Eigen::Vector4d> rows;  // a ring: x_f and its rates, scaled, then u_f
    std::size_t kept = 0;               // rows so far, at most all
    std::size_t newest = 0;
    int ticks = 0;  // since the last row
    int seen = 0;   // measurements so far, up to three
  };

  Eigen::Vector3d series(Channel& channel, const ActuatorMotion& target,
                         Eigen::Index actuator) const noexcept;
  void observe(Channel& channel, double measured, double command) const noexcept;
  void learn(Channel& channel) const noexcept;

  double tick_;
  int decimation_;
  std::size_t first_rows_;
  double excitation_floor_;
  double ridge_;
  Eigen::Vector3d scale_;
  Eigen::Vector3d step_;  // most change per row
  Eigen::Vector3d lowest_;
  Eigen::Vector3d highest_;
  bool filtered_target_;
  bool started_ = false;
  std::vector<Channel> channels_;
};

}  // namespace trestle::compensators
