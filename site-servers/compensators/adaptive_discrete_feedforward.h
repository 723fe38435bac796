#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/math/delay_line.h"
#include "core/math/low_pass.h"
#include "core/math/recursive_least_squares.h"
#include "core/ports/compensator.h"
#include "site-servers/compensators/adaptation_filter.h"
#include "site-servers/compensators/excitation_gate.h"
#include "site-servers/compensators/per_actuator.h"

namespace trestle::compensators {

struct AdaptiveDiscreteFeedforwardSettings {
  double tick = 0.0;                           ///< control tick δt [s], > 0
  PerActuator initial_delay = 0.0;             ///< τ of the transfer system, >= 0 [s]
  int taps = 4;                                ///< targets of each actuator, 1 ... 8
  double spacing = 5e-3;                       ///< h between these [s]; rounded to ticks
  bool own_target_only = false;                ///< no coupling between actuators
  double memory = 2.0;                         ///< time constant of forgetting [s]
  AdaptationFilter filter{.frequency = 20.0};  ///< of what it learns from, both sides
  double residual = 5e-5;                      ///< expected misfit of a row [m | rad]
  double spread = 0.3;                         ///< standard deviation of each start
  double excitation_floor = 5e-5;              ///< rms of what is measured [m | rad]
};

/// Adaptive discrete feed-forward of actuators that move one another: the command of
/// actuator i is a finite sum over the last targets x of all actuators a,
///
///   uᵢ[k] = Σₐ Σⱼ Θᵢₐⱼ·xₐ[k − j·h],   j = 0 ... taps − 1,
///
/// and an online identifier, recursive least squares with forgetting, finds Θ in the
/// measured counterpart f(uᵢ)[n] = Σₐ Σⱼ Θᵢₐⱼ·f(mₐ)[n − j·h], n = k − 1, with one low-pass
/// f for all signals: u the whole command, m[n] what was read before it.
///
/// After Calayir, Tao and Mercan (2025), doi:10.3390/act14110525: a discrete feed-forward
/// compensator with an online identifier, for several inputs and outputs, on the
/// multi-axial benchmark. Abstract and headings were at hand here, no equation.
///
/// Chosen here: that the identifier finds the inverse itself, with what each actuator does
/// to the others; a model of the plant, identified and then inverted, has zeros outside the
/// unit circle at this rate as soon as it has three more poles than zeros (H22 of the
/// benchmark). Targets h apart, since neighbouring ticks are almost equal. The recursion
/// runs on differences, Σⱼ cⱼ·(T/h)ʲ·∇ʲx with T = max(τ, h), an invertible change of the
/// unknowns that makes them of order one and their start independent: c = (1, τ/T, 0, ...)
/// of the own target, zero of the others, each with the deviation `spread`; a row has the
/// deviation `residual`. Forgetting never falls below the information of the start;
/// learning rests while the root mean square of the own measurement, fading over one
/// second, is below the floor. AdaptiveDiscreteModel is the form with one actuator and a
/// recursive part.
class AdaptiveDiscreteFeedforward final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  AdaptiveDiscreteFeedforward(int actuators,
                              const AdaptiveDiscreteFeedforwardSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  /// @returns empty once an actuator's command depends on the target of another
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  /// Of the own target alone.
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override;
  Channels coefficient_channels() const override;
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// Θᵢₐⱼ, the weight of target a from j spacings ago in command i.
  double weight(int actuator, int of, int tap) const noexcept;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  struct Channel {
    double ratio;  // T/h
    math::LowPass measured_filter;
    math::LowPass command_filter;
    ExcitationGate gate;
    math::RecursiveLeastSquares recursion;  // own target's differences first
    math::DelayLine measured;               // filtered
    math::DelayLine target;
    Eigen::VectorXd row;
    bool excited = false;
  };

  Channel make_channel(const AdaptiveDiscreteFeedforwardSettings& settings,
                       int actuator) const;
  void learn(Channel& channel, int actuator, double last_command) noexcept;
  /// Writes the differences of all actuators' past to `row`, those of `actuator` first.
  void fill_row(int actuator, double ratio, bool of_targets,
                Eigen::VectorXd& row) const noexcept;

  double tick_;
  int actuators_;
  int taps_;
  int spacing_;  // h [ticks]
  int sources_;  // actuators in a row
  double residual_;
  std::vector<Channel> channels_;
  bool started_ = false;
};

}  // namespace trestle::compensators
