#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/math/delay_line.h"
#include "core/math/low_pass.h"
#include "core/math/recursive_least_squares.h"
#include "core/ports/compensator.h"
#include "site-servers/compensators/adaptation_filter.h"
#include "site-servers/compensators/per_actuator.h"
#include "site-servers/compensators/series_coefficients.h"

namespace trestle::compensators {

struct ConditionalAtsSettings {
  struct Range {
    double lowest, highest;
  };

  double tick = 0.0;                 ///< control tick δt [s], > 0
  PerActuator expected_delay = 0.0;  ///< τ: starts from 1, τ, τ²/2; 0: from `initial`
  SeriesCoefficientsPerActuator initial{};
  std::optional<SeriesCoefficients> spread{};  ///< default 0.2, 0.5 of a₁, 0.5 of a₂
  double memory = 1.0;                         ///< time constant of forgetting [s]
  int decimation = 8;                          ///< learns from every n-th tick
  double residual = 5e-5;                      ///< expected misfit of a row [m | rad]
  double excitation_floor = 1e-4;              ///< of the fading peak of |m| [m | rad]
  AdaptationFilter filter{.frequency = 20.0};  ///< of what it learns from, both sides
  std::optional<Range> a0{};                   ///< default 0.7 ... 1.3
  std::optional<Range> a1{};  ///< [s]; default 0 ... 0.06 s, with τ 0 ... 5 τ
  std::optional<Range> a2{};  ///< [s²]; default 0 ... 0.0032 s², with τ 0 ... 10 τ²
  SeriesCoefficients rate{2.0, 0.05, 0.001};  ///< most change [1/s]
};

/// Conditional adaptive time series: the command
///
///   u = a₀·x + a₁·ẋ + a₂·ẍ,   x the target,
///
/// with coefficients from recursive least squares on u_f ≈ a₀·m_f + a₁·ṁ_f + a₂·m̈_f, u_f
/// the command that m_f answered, both behind the same low-pass. What the recursion finds
/// commands only under these conditions, in this order:
///
/// 1. Excited: the peak of |m_f|, fading with the memory, is above a floor. If not, the
///    recursion, its covariance and the coefficients are frozen. So are they by a row that
///    is not finite.
/// 2. Bounded: if a coefficient leaves its bounds, it is set to the bound, and the others
///    take their least squares *under that condition*: with the estimate â and its
///    covariance P, aᵢ = âᵢ + Pᵢⱼ/Pⱼⱼ·(bound − âⱼ). The one furthest outside, in its
///    standard deviations, is bound first. The recursion itself is not bounded: it returns
///    as soon as the motion says so.
/// 3. Slow: a coefficient moves by at most its rate.
///
/// Chae, Kazemibidokhti and Ricles (2013), doi:10.1002/eqe.2294: the series, the bounds,
/// the rates (2, 0.05 s, 0.001 s² in a second), adaptation above a threshold of motion, a
/// window of 1 s of which every 16th sample counts, bounds a₁ <= 60 ms and a₂ <= 3.2e-3 s²,
/// as their public set-up script has them too. Palacio-Betancur and Gutierrez Soto (2019),
/// doi:10.1016/j.ymssp.2019.106345: the conditional form. Its text was not at hand here;
/// other publications cite it as a compensator on the benchmark of 2020.
///
/// Chosen here: recursive least squares in place of the window; a forgetting that never
/// falls below the information of the start, so that no direction without excitation winds
/// up; that the remaining coefficients follow a bounded one; the peak fades with the
/// memory; rates of m by central differences from tick to tick; a₀ 0.7 ... 1.3; all numbers
/// not named above. WindowedAts fits a window by a ridge and cuts each coefficient off
/// alone.
class ConditionalAts final : public Compensator {
 public:
  /// @throws SettingError  by the field's name where a setting is outside its range
  ConditionalAts(int actuators, const ConditionalAtsSettings& settings);

  ActuatorVector command(const ActuatorMotion& target, const ActuatorVector& measured,
                         const ActuatorVector& last_command) noexcept override;
  void reset() noexcept override;
  std::optional<LinearCompensatorModel> linearise(int actuator) const override;
  std::optional<TransferEstimate> estimate(int actuator) const noexcept override;
  Channels coefficient_channels() const override;
  void copy_coefficients(int actuator, std::span<double> into) const noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// a₀, a₁ [s], a₂ [s²], as they command now.
  const Eigen::Vector3d& coefficients(int actuator) const noexcept {
    return channels_[static_cast<std::size_t>(actuator)].coefficients;
  }

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  struct Channel {
    Eigen::Vector3d initial;
    Eigen::Vector3d scale;    // of the columns: the recursion finds aᵢ over it
    Eigen::Vector3d lowest;   // of aᵢ
    Eigen::Vector3d highest;  // likewise
    math::LowPass measured_filter;
    math::LowPass command_filter;
    math::RecursiveLeastSquares recursion;
    math::DelayLine measured{2};
    math::DelayLine commanded{1};
    Eigen::Vector3d coefficients = Eigen::Vector3d::Zero();
    Eigen::VectorXd row = Eigen::VectorXd::Zero(3);
    double peak = 0.0;  // of |m_f|, fading
    int ticks = 0;      // since the last row
    int seen = 0;       // measurements so far, up to three
  };

  Channel make_channel(const ConditionalAtsSettings& settings, int actuator) const;
  void observe(Channel& channel, double measured, double command) const noexcept;
  void learn(Channel& channel) const noexcept;

  double tick_;
  int decimation_;
  double forgetting_;  // of a row
  double excitation_floor_;
  double residual_;
  Eigen::Vector3d step_;  // most change per row
  bool started_ = false;
  std::vector<Channel> channels_;
};

/// Returns the least squares under bounds: sets the coefficient that is furthest outside,
/// in its standard deviations, to its bound, and moves the others to their conditional
/// mean, until all are inside.
/// @param covariance  of the estimate, positive semidefinite
/// @pre lowest <= highest
Eigen::Vector3d bounded_estimate(const Eigen::Vector3d& estimate,
                                 const Eigen::Matrix3d& covariance,
                                 const Eigen::Vector3d& lowest,
                                 const Eigen::Vector3d& highest) noexcept;

}  // namespace trestle::compensators
