#pragma once

#include "numerical/materials/scalable_law.h"

namespace trestle::materials {

struct BilinearLawSettings {
  double stiffness = 0.0;    ///< initial k [N/m | N·m/rad], > 0
  double yield_force = 0.0;  ///< at first yield [N | N·m], > 0
  double hardening = 0.0;    ///< second stiffness / first, 0 <= hardening < 1
};

/// Bilinear hysteresis with kinematic hardening α:
///
///   f = α·k·d + (1 − α)·k·z,   |z| <= z_y = f_y/k,
///
/// z the stretch of a spring in series with a slider. One step of any length is exact: z
/// follows d and is cut at ±z_y (return mapping of one dimension, Simo and Hughes 1998,
/// box 1.5).
class BilinearLaw final : public ScalableLaw {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit BilinearLaw(const BilinearLawSettings& settings);

  double initial_stiffness() const noexcept override;
  double yield_force() const noexcept override { return stiffness_ * yield_stretch_; }
  const BilinearLawSettings& settings() const noexcept { return settings_; }
  void scale(const LawFactors& by) noexcept override;
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;
  double stored_energy(double displacement) const noexcept override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  BilinearLawSettings settings_;
  double stiffness_;
  double hardening_;
  double yield_stretch_;  // z_y [m | rad]
  double displacement_ = 0.0;
  double stretch_ = 0.0;  // z [m | rad]
  double trial_displacement_ = 0.0;
  double trial_stretch_ = 0.0;
};

}  // namespace trestle::materials
