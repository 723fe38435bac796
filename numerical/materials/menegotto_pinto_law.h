#pragma once

#include "numerical/materials/restoring_force.h"

namespace trestle::materials {

struct MenegottoPintoLawSettings {
  double stiffness = 0.0;    ///< E [Pa], > 0
  double yield_force = 0.0;  ///< f_y [Pa], > 0
  double hardening = 0.0;    ///< b, 0 <= b < 1
  double sharpness = 18.0;   ///< R₀ of the first loading, > 0
  double loss = 0.925;       ///< c₁: how much of it reversals take away, 0 <= c₁ < 1
  double spread = 0.15;      ///< c₂, > 0
};

/// Steel after Menegotto and Pinto (1973), tension positive, without isotropic hardening.
/// From the last reversal (ε_r, σ_r) towards (ε₀, σ₀), where the elastic line from there
/// meets the hardening line of that side:
///
///   e = (ε − ε_r)/(ε₀ − ε_r),   s = b·e + (1 − b)·e/(1 + |e|^R)^{1/R},
///   σ = σ_r + s·(σ₀ − σ_r),     R = R₀·(1 − c₁·ξ/(c₂ + ξ)),   ξ = |ε_pl − ε₀|/ε_y,
///
/// ε_pl the largest (smallest) strain so far on that side, ±ε_y at first. The memory is
/// that of the last reversal: unloading and loading again a little overshoots.
class MenegottoPintoLaw final : public RestoringForce {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit MenegottoPintoLaw(const MenegottoPintoLawSettings& settings);

  double initial_stiffness() const noexcept override { return settings_.stiffness; }
  double yield_force() const noexcept override { return settings_.yield_force; }
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override { state_ = trial_; }
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  struct State {
    double strain = 0.0;
    double stress = 0.0;
    double way = 0.0;  // 1: towards tension, -1: towards compression, 0: never loaded
    double reversal_strain = 0.0;
    double reversal_stress = 0.0;
    double meeting_strain = 0.0;
    double meeting_stress = 0.0;
    double sharpness = 0.0;  // R of this branch
    double largest = 0.0;    // strain at a reversal so far
    double smallest = 0.0;
  };
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  void turn(double way) noexcept;

  MenegottoPintoLawSettings settings_;
  double yield_strain_;
  State state_;
  State trial_;
};

}  // namespace trestle::materials
