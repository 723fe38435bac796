#pragma once

#include <array>
#include <limits>
#include <memory>

#include "numerical/materials/restoring_force.h"

namespace trestle::materials {

enum class PendulumGeometry {
  kPlain,  ///< displacements are small over the radius
  kExact,  ///< on the sphere
};

struct FrictionPendulumSettings {
  double radius = 0.0;     ///< R [m], > 0
  double friction = 0.0;   ///< μ, > 0
  double stiffness = 0.0;  ///< before it slides, > weight / radius [N/m]
  double weight = 0.0;     ///< N [N], > 0; uplift is not modelled
  PendulumGeometry geometry = PendulumGeometry::kPlain;
};

/// Spherical sliding bearing, two horizontal directions at once:
///
///   f = (N/R)·u + q,   q = return mapping of k_h·(u − u_p) onto the circle |q| <= μ·N,
///
/// k_h = stiffness − N/R. `kExact`: R_x = √(R² − u_y²), R_y = √(R² − u_x²) in place of R,
/// and N + f_x·u_x/R_x + f_y·u_y/R_y in place of N, by a fixed number of substitutions.
/// Beyond 0.99 R the displacement counts as 0.99 R in the radii.
class FrictionPendulum {
 public:
  using Pair = std::array<double, 2>;
  struct Response {
    Pair force{};
    std::array<Pair, 2> stiffness{};  ///< ∂f_i/∂u_j
  };

  /// @throws SettingError if a setting is outside its range
  explicit FrictionPendulum(const FrictionPendulumSettings& settings);

  const FrictionPendulumSettings& settings() const noexcept { return settings_; }
  /// From the state committed last. Does not allocate.
  Response trial(const Pair& displacement) noexcept;
  void commit() noexcept { plastic_ = trial_plastic_; }
  void reset() noexcept { plastic_ = trial_plastic_ = {}; }
  void save(SnapshotWriter& snapshot) const { snapshot(plastic_); }
  void restore(SnapshotReader& snapshot) { snapshot(plastic_); }

 private:
  struct Sliding {
    Pair force{};
    Pair hysteretic{};
    Pair stiffness{};  // k_h
  };
  Sliding at(const Pair& displacement) const noexcept;
  Sliding at(const Pair& displacement, double weight, const Pair& radius) const noexcept;

  FrictionPendulumSettings settings_;
  Pair plastic_{};  // u_p
  Pair trial_plastic_{};
};

/// One direction of a pendulum, which it shares with its partner.
class PendulumDirection final : public RestoringForce {
 public:
  /// @param direction  0 or 1; the first saves the pendulum's memory
  /// @param displacements  shared with the partner: where both will be tried
  PendulumDirection(std::shared_ptr<FrictionPendulum> pendulum,
                    std::shared_ptr<FrictionPendulum::Pair> displacements,
                    std::size_t direction);

  double initial_stiffness() const noexcept override {
    return pendulum_->settings().stiffness;
  }
  /// On the sphere the weight that it carries grows with the displacement: no bound.
  double largest_stiffness() const noexcept override {
    return pendulum_->settings().geometry == PendulumGeometry::kExact
               ? std::numeric_limits<double>::infinity()
               : initial_stiffness();
  }
  double yield_force() const noexcept override {
    return pendulum_->settings().friction * pendulum_->settings().weight;
  }
  void foresee(double displacement) noexcept override {
    (*displacements_)[direction_] = displacement;
  }
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override { pendulum_->commit(); }
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  std::shared_ptr<FrictionPendulum> pendulum_;
  std::shared_ptr<FrictionPendulum::Pair> displacements_;
  std::size_t direction_;
};

}  // namespace trestle::materials
