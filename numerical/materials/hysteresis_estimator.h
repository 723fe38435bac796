#pragma once

#include <Eigen/Core>
#include <array>

#include "core/base/snapshot.h"
#include "numerical/materials/bouc_wen_law.h"

namespace trestle::materials {

struct HysteresisEstimatorSettings {
  /// As it is expected to be: the start. Of a bilinear law without n, β and γ.
  BoucWenLawSettings law;
  bool bilinear = false;            ///< the law is BilinearLaw; else BoucWenLaw
  double time_step = 0.0;           ///< between two readings [s], > 0
  double force_noise = 0.0;         ///< of a reading, standard deviation [N | N·m], > 0
  double displacement_noise = 0.0;  ///< likewise [m | rad]
  /// Standard deviation of ln of stiffness, yield force and hardening over their start;
  /// 0: known.
  std::array<double, 3> spread{0.2, 0.2, 0.2};
  double lowest = 0.5;   ///< of each over its start, > 0, <= 1
  double highest = 2.0;  ///< >= 1
  double drift = 0.0;    ///< of their logarithms [1/√s]
};

/// Estimates the numbers of a Bouc–Wen or bilinear law from its measured deformation and
/// force, one reading at a time: an unscented Kalman filter for the state
///
///   x = (ln k/k₀, ln f_y/f_y₀, ln α/α₀, z/z_u₀),   measured f = α·k·d + (1 − α)·k·z +
///   noise,
///
/// z propagated over the measured increment of d by each of the eight sigma points, at
/// ±√4 columns of the covariance's root (third degree; Julier and Uhlmann 1997, with κ = 0,
/// so that no weight is negative). Noise of d is part of that of the force, as k·σ_d. n, β
/// and γ are those of the start. A bilinear law is that of a knee without width: z follows
/// d and is cut at ±z_y.
///
/// After the updating of the dampers of a 40-storey building by Al-Subaihawi, Ricles, Quiel
/// and Marullo (2024), Engineering Structures 315, 118348, whose text was not at hand: an
/// unscented filter, parameters of one device applied to its twins. Chosen here: logarithms
/// of the factors, which keep all numbers above zero; constant numbers unless a drift is
/// asked for, so that the covariance is that of the estimate and does not wind up at rest;
/// estimates held inside their bounds.
///
/// Of bounded time: eight integrations of at most 64 parts. Allocates nothing.
class HysteresisEstimator {
 public:
  static constexpr int kNumbers = 3;  ///< stiffness, yield force, hardening
  /// The estimate of the hardening stays below this.
  static constexpr double kHighestHardening = 0.99;

  /// @throws SettingError  by the field's name where a setting is outside its range
  explicit HysteresisEstimator(const HysteresisEstimatorSettings& settings);

  /// The specimen is at rest at zero, and nothing has been measured.
  void reset() noexcept;
  /// @param displacement  measured deformation [m | rad]
  /// @param force         measured there, positive if it resists [N | N·m]
  void observe(double displacement, double force) noexcept;

  LawFactors factors() const noexcept;
  /// Standard deviation of the logarithm of a factor, which is about that of the factor
  /// over its value.
  double deviation(int number) const noexcept;
  /// Correlation of the logarithms of two factors; 0 where one of them is known.
  double correlation(int one, int other) const noexcept;
  /// Of the last reading: measured less expected force [N | N·m].
  double innovation() const noexcept { return innovation_; }

  void save(SnapshotWriter& snapshot) const;
  void restore(SnapshotReader& snapshot);

 private:
  static constexpr int kStates = kNumbers + 1;
  using State = Eigen::Matrix<double, kStates, 1>;
  using Covariance = Eigen::Matrix<double, kStates, kStates>;

  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  double hardening_of(const State& x) const noexcept;
  double moved(const State& x, double increment) const noexcept;
  double expected(const State& x, double displacement) const noexcept;
  void hold_in_bounds() noexcept;

  HysteresisEstimatorSettings settings_;
  double stretch_;                          // z_u of the start [m | rad]
  double force_;                            // k z_u of the start [N | N·m]
  double unloading_;                        // (γ − β)/(γ + β)
  std::array<double, kNumbers> highest_{};  // of the logarithms
  State x_;
  Covariance P_;               // NOLINT(readability-identifier-naming)
  double displacement_ = 0.0;  // of the last reading, over z_u
  double innovation_ = 0.0;
};

}  // namespace trestle::materials
