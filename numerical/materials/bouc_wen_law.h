#pragma once

#include "numerical/materials/scalable_law.h"

namespace trestle::materials {

struct BoucWenLawSettings {
  double stiffness = 0.0;    ///< initial k [N/m | N·m/rad], > 0
  double yield_force = 0.0;  ///< f_y [N | N·m], > 0
  double hardening = 0.0;    ///< final stiffness / first, 0 <= hardening < 1
  double n = 2.0;            ///< sharpness of the knee, 1 <= n <= 100
  double beta = 0.5;         ///< >= 0
  double gamma = 0.5;        ///< beta + gamma > 0
};

/// Smooth hysteresis after Bouc (1967) and Wen (1976, J. Eng. Mech. Div. 102):
///
///   f = α·k·d + (1 − α)·k·z,   dz/dd = 1 − |z/z_y|ⁿ·(β·sgn(z·dd) + γ),   z_y = f_y/k.
///
/// z never leaves ±z_u, z_u = z_y·(β + γ)^(−1/n). Integrated over each displacement
/// increment by Runge–Kutta of fourth order, in parts so short that ten digits hold; the
/// turn from unloading to loading, where the law is not smooth, begins a new part.
class BoucWenLaw final : public ScalableLaw {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit BoucWenLaw(const BoucWenLawSettings& settings);

  double initial_stiffness() const noexcept override;
  /// With beta > gamma unloading is stiffer than the first loading.
  double largest_stiffness() const noexcept override;
  double yield_force() const noexcept override { return yield_force_; }
  const BoucWenLawSettings& settings() const noexcept { return settings_; }
  void scale(const LawFactors& by) noexcept override;
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  // All along the direction of the increment, and in units of z_u: y = z/z_u, way =
  // |Δd|/z_u.
  double slope(double y) const noexcept;
  double step(double y, double way) const noexcept;
  double unload(double y, double& way) const noexcept;
  double load(double y, double way) const noexcept;

  void set_ultimate_stretch() noexcept;

  BoucWenLawSettings settings_;
  double stiffness_;
  double yield_force_;
  double hardening_;
  double n_;
  double ultimate_ = 1.0;          // z_u/z_y
  double ultimate_stretch_ = 0.0;  // z_u [m | rad]
  double unloading_;               // (γ − β)/(γ + β)
  double loading_part_;            // longest way of one Runge–Kutta step
  double unloading_part_;
  double displacement_ = 0.0;
  double stretch_ = 0.0;  // z [m | rad]
  double trial_displacement_ = 0.0;
  double trial_stretch_ = 0.0;
};

}  // namespace trestle::materials
