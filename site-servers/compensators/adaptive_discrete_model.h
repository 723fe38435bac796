#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/math/low_pass.h"
#include "core/math/recursive_least_squares.h"
#include "core/ports/compensator.h"
#include "site-servers/compensators/adaptation_filter.h"
#include "site-servers/compensators/excitation_gate.h"
#include "site-servers/compensators/rls_initial_state.h"

namespace trestle::compensators {

struct AdaptiveDiscreteModelSettings {
  double tick = 0.0;        ///< control tick δt [s], > 0
  int command_taps = 0;     ///< p, 0 ... 8
  int target_taps = 5;      ///< q + 1, 1 ... 16
  double forgetting = 1.0;  ///< λ per tick, 0 < λ <= 1
  AdaptationFilter filter{.frequency = 20.0, .order = 4};
  RlsInitialStates start{};
  double excitation_floor = 5e-5;  ///< learn only above this measured rms [m | rad]
};

/// Adaptive discrete model of the inverse of the transfer system, per actuator:
///
///   u[k] = Σ cᵢ·u[k−i] + Σ mⱼ·x[k−j],   i = 1 ... p,  j = 0 ... q,
///
/// with the coefficients that recursive least squares with forgetting finds in its measured
/// counterpart, f(u)[n] = Σ cᵢ·f(u)[n−i] + Σ mⱼ·f(measured)[n−j], n = k−1: u the whole
/// command, measured[n] what was read before it. The adaptive model compensation of the
/// multi-axial benchmark studies (with sliding mode control: ADM-MSMC); orders, forgetting
/// and starts are not published.
///
/// Chosen here: p = 0, q = 4, λ = 1; a start from a delay is the smallest set of weights
/// that leads a ramp by it; f, the same low-pass for both signals: without it, what no q
/// ticks can invert at high frequencies drives the command unstable on a pure delay;
/// learning rests while the measured root mean square, fading over one second, is below the
/// floor. The command's own past enters as it was commanded, feed-forward included.
class AdaptiveDiscreteModel final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  AdaptiveDiscreteModel(int actuators, const AdaptiveDiscreteModelSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override;
  Channels coefficient_channels() const override;
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// c₁ ... cₚ, m₀ ... m_q.
  const Eigen::VectorXd& coefficients(int actuator) const noexcept {
    return channels_[static_cast<std::size_t>(actuator)].recursion.coefficients();
  }
  Eigen::MatrixXd covariance(int actuator) const {
    return channels_[static_cast<std::size_t>(actuator)].recursion.covariance();
  }

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  struct Channel {
    math::RecursiveLeastSquares recursion;
    math::LowPass measured_filter;
    math::LowPass command_filter;
    ExcitationGate gate;
    Eigen::VectorXd row;     // f(u)[n−1] ... f(u)[n−p], f(m)[n] ... f(m)[n−q]
    Eigen::VectorXd series;  // u[k−1] ... u[k−p], x[k] ... x[k−q]
    bool excited = false;
  };

  void learn(Channel& channel, double last_command) const noexcept;

  int command_taps_;
  double tick_;
  std::vector<Channel> channels_;
  bool started_ = false;
};

}  // namespace trestle::compensators
