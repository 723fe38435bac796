#pragma once

#include "numerical/materials/restoring_force.h"

namespace trestle::materials {

/// The direction in which a gap closes.
enum class GapSide {
  kGap,   ///< f = k·max(d − g, 0)
  kHook,  ///< f = k·min(d + g, 0)
};

struct GapLawSettings {
  double stiffness = 0.0;  ///< k of the closed gap [N/m | N·m/rad], > 0
  double gap = 0.0;        ///< g [m | rad], >= 0
  GapSide side = GapSide::kGap;
  double damping = 0.0;  ///< c, only while the gap is closed [N·s/m | N·m·s/rad], >= 0
};

/// Elastic contact behind a gap, with a damper that acts while it is closed:
/// f = k·(d − g) + c·v there. Its tangent at rest is zero unless the gap is.
class GapLaw final : public RestoringForce {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit GapLaw(const GapLawSettings& settings);

  double initial_stiffness() const noexcept override;
  double largest_stiffness() const noexcept override { return stiffness_; }
  bool depends_on_rate() const noexcept override { return damping_ > 0.0; }
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override {}
  void reset() noexcept override {}
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}
  double stored_energy(double displacement) const noexcept override;

 private:
  double stiffness_;
  double gap_;
  double sign_;
  double damping_;
};

}  // namespace trestle::materials
