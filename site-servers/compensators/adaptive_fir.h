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

struct AdaptiveFirSettings {
  double tick = 0.0;        ///< control tick δt [s], > 0
  int taps = 4;             ///< 1 ... 16
  double forgetting = 1.0;  ///< λ per tick, 0 < λ <= 1
  AdaptationFilter filter{.frequency = 20.0, .order = 4};
  RlsInitialStates start{};
  double excitation_floor = 0.0;  ///< learn only above this measured rms [m | rad]
};

/// Robust decentralised adaptive compensation, RoDeAC: per actuator an FIR inverse of the
/// transfer system by recursive least squares (Quiroz, Gálmez and Fermandois 2024),
///
///   g = P m/(λ + mᵀP m),   e = f(u)[k] − θᵀm,   θ ← θ + g e,   P ← (P − g mᵀP)/λ,
///   u[k] = θᵀx,
///
/// m = f(measured)[k], [k−1], ..., x the targets of the same ticks, f a Butterworth
/// low-pass. f(u)[k] = b₀ u[k] + c needs the command that is sought; the loop is linear and
/// solved exactly:
///
///   u[k] = (xᵀθ + (xᵀg)(c − θᵀm))/(1 − b₀ xᵀg).
///
/// So the specimen comes to where the target stands one tick before the answer that the
/// integrator reads: the published benchmark counts tracking in this way. What is added
/// behind it (feed-forward) is in c one tick later.
///
/// Chosen here: where the loop is nearly singular, |1 − b₀ xᵀg| < 0.1, the tick does not
/// teach; below the excitation floor (fading over one second; 0 as published) neither.
class AdaptiveFir final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  AdaptiveFir(int actuators, const AdaptiveFirSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override;
  Channels coefficient_channels() const override;
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  const Eigen::VectorXd& coefficients(int actuator) const noexcept {
    return channels_[static_cast<std::size_t>(actuator)].recursion.coefficients();
  }

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  struct Channel {
    math::RecursiveLeastSquares recursion;
    math::LowPass measured_filter;
    math::LowPass command_filter;
    ExcitationGate gate;
    Eigen::VectorXd measured;  // the newest first
    Eigen::VectorXd target;
  };

  double command(Channel& channel) const noexcept;

  double tick_;
  std::vector<Channel> channels_;
  bool started_ = false;
};

}  // namespace trestle::compensators
