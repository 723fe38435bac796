#pragma once

#include "adapters/simulated/plastic_hinge.h"

namespace trestle::simulated {

/// A hinge whose yielding sets in smoothly (Bouc 1967, Wen 1976, with β = γ = 1/2).
///
/// With z = (M − H p)/M_y and the reference spring k₀ in series, the law
/// dz/du = (1 − |z|ⁿ · [loading]) k₀/M_y of the two together says of the hinge alone
/// dp = (M_y/k₀) |z|ⁿ/(1 − |z|ⁿ) dz while |z| grows, dp = 0 otherwise. At rest the hinge is
/// rigid, so the tangent there is the elastic element's. Each step is solved by the
/// backward Euler rule (first order in the step, unconditionally stable, |z| <= 1).
class BoucWenHinge final : public PlasticHinge {
 public:
  /// @param n  sharpness >= 1
  BoucWenHinge(const HingeSettings& settings, double n);

  double flow(double trial_moment, double stiffness) const noexcept override;
  void commit(double flow, double moment) noexcept override;
  double rotation() const noexcept override { return rotation_; }
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive);
  /// Returns the end of z > 0 that would be `elastic` without flow.
  double hysteretic_end(double elastic, double start,
                        double stiffness_ratio) const noexcept;

  double yield_moment_;
  double reference_stiffness_;
  double hardening_;  // H [N·m/rad]
  double n_;
  double rotation_ = 0.0;
  double hysteretic_ = 0.0;  // z
};

}  // namespace trestle::simulated
