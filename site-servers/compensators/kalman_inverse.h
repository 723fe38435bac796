#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/ports/compensator.h"
#include "site-servers/compensators/excitation_gate.h"
#include "site-servers/compensators/per_actuator.h"
#include "site-servers/compensators/second_order_transfer.h"
#include "site-servers/compensators/series_coefficients.h"

namespace trestle::compensators {

struct KalmanInverseSettings {
  enum class Form { kUnscented, kExtended };
  struct Range {
    double lowest, highest;
  };

  double tick = 0.0;  ///< control tick δt [s], > 0
  Form form = Form::kUnscented;
  PerActuator expected_delay = 0.0;  ///< τ: starts from 1, τ, τ²/2; 0: from `initial`
  SeriesCoefficientsPerActuator initial{};
  std::optional<SeriesCoefficients> spread{};  ///< default 0.1, 0.3 of a₁, 0.3 of a₂
  double drift = 0.02;                         ///< of aᵢ over its start [1/√s]
  double disturbance = 1e-5;                   ///< of the command [m/√Hz]
  double sensor_noise = 1e-5;                  ///< σ [m | rad], > 0
  double excitation_floor = 1e-4;              ///< rms of what is measured [m | rad]
  std::optional<Range> a0{};                   ///< default 0.5 ... 2
  std::optional<Range> a1{};                   ///< [s]; default 0.2 ... 5 of the start
  std::optional<Range> a2{};                   ///< [s²]; default 0.2 ... 5 of the start
};

/// Compensation by an estimate of the transfer system's parameters: its motion and its
/// parameters are the states of a Kalman filter, and the command is the inverse
///
///   u = a₀·x + a₁·ẋ + a₂·ẍ   of   a₂·ÿ + a₁·ẏ + a₀·y = u + d,   aᵢ' = noise,   m = y +
///   noise.
///
/// The state is (y, ẏ, a₀, a₁, a₂), whose propagation over a tick is nonlinear.
/// `unscented`: by 2n sigma points of equal weight at ±√n columns of the root of the
/// covariance; `extended`: by the derivative. Both keep a square root S of the covariance P
/// = S·Sᵀ: it is propagated by a QR factorisation and updated with the scalar measurement
/// by Potter's rule, so P stays positive semidefinite.
///
/// After Ruiz and Song (2024), doi:10.3389/fbuil.2024.1477804. Of the publication the
/// abstract was at hand here: inverse dynamics as control law, parameters by extended or
/// unscented filter, the plant as transfer function or in state space, the last two best.
/// Chosen here: a plant of second order in state space, one for each actuator (what the
/// others do to it is part of d); exact motion for a held command but for (λδt)⁵/720; the
/// weights of the sigma points; aᵢ over their start as states; d white, of a density that
/// is a setting. Parameters and their covariance change only while the root mean square of
/// the measurement, fading over one second, is above the floor, and a parameter drifts only
/// while its variance is below that of the start: without excitation nothing is learnt or
/// forgotten, and no covariance winds up. Estimates are held inside their bounds.
class KalmanInverse final : public Compensator {
 public:
  static constexpr int kStates = 5;
  using State = Eigen::Matrix<double, kStates, 1>;
  using Root = Eigen::Matrix<double, kStates, kStates>;

  /// @throws SettingError  by the field's name where a setting is outside its range
  KalmanInverse(int actuators, const KalmanInverseSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override;
  Channels coefficient_channels() const override;
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// a₀, a₁, a₂ at present.
  Eigen::Vector3d coefficients(int actuator) const noexcept;
  /// Their covariance, as the filter knows it.
  Eigen::Matrix3d covariance(int actuator) const noexcept;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  struct Channel {
    Eigen::Vector3d start;    // a₀, a₁, a₂
    Eigen::Vector3d spread;   // of aᵢ over its start
    Eigen::Vector3d lowest;   // likewise
    Eigen::Vector3d highest;  // likewise
    ExcitationGate gate;
    bool excited = false;
    State mean = State::Zero();  // y, ẏ, aᵢ over its start
    Root root = Root::Zero();
  };

  Channel make_channel(const KalmanInverseSettings& settings, int actuator) const;
  void start(Channel& channel, double measured) const noexcept;
  Eigen::Vector3d parameters(const Channel& channel, const State& state) const noexcept;
  State propagated(const Channel& channel, const State& state,
                   double command) const noexcept;
  void predict_unscented(Channel& channel, double command) const noexcept;
  void predict_extended(Channel& channel, double command) const noexcept;
  Eigen::Matrix<double, 4, kStates> process_noise(const Channel& channel) const noexcept;
  void update(Channel& channel, double measured) const noexcept;

  double tick_;
  KalmanInverseSettings::Form form_;
  double drift_;         // over a tick
  double disturbance_;   // mean over a tick [m | rad]
  double sensor_noise_;  // variance
  std::vector<Channel> channels_;
  bool started_ = false;
};

}  // namespace trestle::compensators
