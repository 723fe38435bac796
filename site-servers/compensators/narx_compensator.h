#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/math/delay_line.h"
#include "core/math/low_pass.h"
#include "core/math/rank_revealing_least_squares.h"
#include "core/math/sliding_gram_matrix.h"
#include "core/ports/compensator.h"
#include "site-servers/compensators/adaptation_filter.h"
#include "site-servers/compensators/narx_step.h"
#include "site-servers/compensators/per_actuator.h"
#include "site-servers/compensators/tap_expression.h"

namespace trestle::compensators {

struct NarxSettings {
  /// A power of one tap: x; if the power is not one, |x|^power, or with the tap's sign
  /// sign(x)·|x|^power.
  struct Factor {
    int tap = 0;
    double power = 1.0;
    bool keeps_sign = false;
  };
  using Product = std::vector<Factor>;

  double tick = 0.0;   ///< control tick δt [s], > 0
  int order = 2;       ///< 1 ... 4: taps 0 ... order
  int window = 1024;   ///< of the regression [ticks], >= 8
  double ridge = 0.0;  ///< γ [m² | rad²]; 0: ordinary least squares
  AdaptationFilter filter{.frequency = 6.0, .order = 5};
  PerActuator initial_delay = 0.0;  ///< until it has learnt, >= 0 [s]
  double excitation_floor = 5e-5;   ///< rms of a full window [m | rad]
  int linear_taps = 3;              ///< number of taps, from the first, with
                                    ///< linear terms
  std::vector<Product> products{};  ///< further terms
  /// In place of linear_taps and products: all terms, as TapExpression reads them; x0 is
  /// one of them.
  std::vector<std::string> terms{};
  bool freeze_below_excitation_floor = false;  ///< learn only where the floor is exceeded
};

/// Compensation by a model of the inverse that a windowed regression finds at every tick
/// (NARX with the command as output): from
///
///   f(u)[n] ≈ Σ aᵢ·f(m)[n−i] + Σ cⱼ·f(û)[n−j] + Σ bₗ·Φₗ,   n = k−L ... k−1,
///
/// with penalty γ·(Σ a² + Σ c² + Σ b²), u the whole command, m the measured displacement as
/// it was read before that command, û what this model predicted, f a Butterworth low-pass,
/// Φₗ products or expressions of the taps, follows the command
///
///   u[k] = û[k] = Σ aᵢ·x[k−i] + Σ cⱼ·û[k−j] + Σ bₗ·Φₗ(x, û).
///
/// So the specimen comes to where the target stands one tick before the answer that the
/// integrator reads: the published benchmark counts tracking in this way. Sizes are taken
/// in mm (or mrad), which gives γ and products their published meaning.
///
/// After the NARX study of the multi-axial benchmark (2024),
/// doi:10.3389/fbuil.2024.1374819. Its abstract was at hand here, its tables were not: how
/// many predictions a model takes and what its nonlinear terms are is left to the settings
/// (`terms`). Chosen here where the publication leaves a gap: inverse compensation with the
/// initial delay until the root mean square of f(m) in a full window first exceeds the
/// floor. From then on every window teaches, as published; or, where it is asked to rest in
/// silence, not those below the floor, whose coefficients are those of the noise. All
/// signals pass the same filter, from zero. A prediction before the first tick is the
/// command in force. While the predictions c that fit would not fade away by themselves,
/// the window is fitted without them. The sums of the window are exact (SlidingGramMatrix),
/// of differences of rising order in place of neighbouring taps: the same fit without their
/// near-singularity. A difference that lower ones explain to within 1e-13 of its power gets
/// no part, which matters without ridge only.
class NarxCompensator final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  NarxCompensator(int actuators, const NarxSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override;
  Channels coefficient_channels() const override;
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// Returns the coefficients a of the linear taps, then c of the predictions, then b of
  /// further terms (per mm if these have another dimension).
  const math::NormalVector& coefficients(int actuator) const noexcept {
    return channels_[static_cast<std::size_t>(actuator)].coefficients;
  }

  /// Returns one actuator before its first tick, for the lanes of a core; none if terms
  /// are more than taps of the motion.
  std::optional<NarxStep<double>> step(int actuator) const;
  int window() const noexcept { return window_; }
  /// Takes over what a lane learnt. @pre as many as coefficients(actuator)
  void take_over(int actuator, std::span<const double> coefficients) noexcept;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  using Taps = TapExpression::Variables;  // [mm], the newest first: motion, then commands

  struct Channel {
    math::NormalVector first_coefficients;
    math::NormalVector coefficients;
    math::LowPass measured_filter;
    math::LowPass command_filter;
    math::LowPass prediction_filter;
    Taps measured;           // filtered, with the predictions before
    Taps target;             // with the predictions before
    double predicted = 0.0;  // by the last tick [mm]
    math::SlidingGramMatrix window;
    bool learning = false;
  };

  void read_terms(const NarxSettings& settings);
  void make_penalty();
  math::NormalVector first_coefficients(double delay) const;
  void update_taps(Channel& channel, double target, double measured) const noexcept;
  double predict(const Channel& channel) const noexcept;
  double further(std::size_t index, const Taps& taps) const noexcept;
  double product(std::size_t index, const Taps& taps) const noexcept;
  void add_pair(Channel& channel, double command) const noexcept;
  void learn(Channel& channel) const noexcept;
  math::NormalVector fitted(const math::NormalMatrix& A,
                            const math::NormalVector& b) const noexcept;
  int linear() const noexcept { return linear_taps_ + linear_commands_; }

  int linear_taps_;
  int linear_commands_ = 0;  // predictions that enter linearly
  bool uses_commands_ = false;
  std::vector<NarxSettings::Product> products_;
  std::vector<TapExpression> expressions_;  // in place of products
  std::vector<double> scales_;              // of products or expressions
  int unknowns_ = 0;
  double ridge_;        // [mm²]
  int window_;          // [ticks]
  double power_floor_;  // sum of squares over a window [mm²]
  bool rest_in_silence_;
  math::NormalMatrix penalty_;
  double tick_;
  std::vector<Channel> channels_;
  bool started_ = false;
};

}  // namespace trestle::compensators
