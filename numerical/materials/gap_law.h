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
};

/// Elastic contact behind a gap. Its tangent at rest is zero unless the gap is.
class GapLaw final : public RestoringForce {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit GapLaw(const GapLawSettings& settings);

  double initial_stiffness() const noexcept override;
  double largest_stiffness() const noexcept override { return stiffness_; }
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override {}
  void reset() noexcept override {}
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}

 private:
  double stiffness_;
  double gap_;
  double sign_;
};

}  // namespace trestle::materials
