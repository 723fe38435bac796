#pragma once

#include "numerical/materials/bouc_wen_law.h"
#include "numerical/materials/restoring_force.h"

namespace trestle::materials {

struct DegradingBoucWenLawSettings {
  BoucWenLawSettings smooth;  ///< the law without degradation
  // Growth with the dissipated energy e, over k·z_y².
  double strength = 0.0;   ///< δ_ν, 0 to 10
  double softening = 0.0;  ///< δ_η, 0 to 10
  // Pinching.
  double level = 0.0;        ///< ζ_s, 0 <= level < 1
  double rate = 0.0;         ///< p, >= 0
  double offset = 0.1;       ///< q, 0 <= q < 1
  double spread = 0.2;       ///< ψ, > 0
  double spread_rate = 0.0;  ///< δ_ψ, >= 0
  double interaction = 0.3;  ///< λ, > 0
};

/// Bouc–Wen hysteresis that degrades (Baber and Wen 1981, J. Eng. Mech. Div. 107) and
/// pinches (Baber and Noori 1985; Foliente 1995, J. Struct. Eng. 121):
///
///   f = α·k·d + (1 − α)·k·z,   dz/dd = h·[1 − ν·|z/z_y|ⁿ·(β·sgn(z·dd) + γ)]/η,
///   e = ∫(1 − α)·z·dd/z_y²,   ν = 1 + δ_ν·e,   η = 1 + δ_η·e,   z_u =
///   z_y·(ν·(β+γ))^(−1/n), h = 1 − ζ₁·exp(−((z/z_u)·sgn(dd) − q)²/ζ₂²), ζ₁ = ζ_s·(1 −
///   exp(−p·e)),   ζ₂ = (ψ + δ_ψ·e)·(λ + ζ₁).
///
/// z and e are integrated together over each displacement increment by the method of
/// Dormand and Prince (1980), whose parts keep an error of 1e-12 of z_y; after 4096 parts
/// the rest of the increment is taken in one.
class DegradingBoucWenLaw final : public RestoringForce {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit DegradingBoucWenLaw(const DegradingBoucWenLawSettings& settings);

  double initial_stiffness() const noexcept override { return stiffness_; }
  double largest_stiffness() const noexcept override;
  double yield_force() const noexcept override { return stiffness_ * yield_stretch_; }
  /// e of the state committed last.
  double dissipated() const noexcept { return state_.energy; }
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  /// Along the direction of the increment, lengths in units of z_y.
  struct State {
    double stretch = 0.0;  // z
    double energy = 0.0;   // e
  };
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  State slope(const State& state) const noexcept;
  State integrate(State state, double way) const noexcept;

  DegradingBoucWenLawSettings settings_;
  double stiffness_;
  double hardening_;
  double yield_stretch_;  // z_y [m | rad]
  double displacement_ = 0.0;
  double trial_displacement_ = 0.0;
  State state_;  // along +d
  State trial_;
};

}  // namespace trestle::materials
