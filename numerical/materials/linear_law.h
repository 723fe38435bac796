#pragma once

#include "numerical/materials/restoring_force.h"

namespace trestle::materials {

struct LinearLawSettings {
  double stiffness = 0.0;  ///< [N/m | N·m/rad], >= 0
};

/// f = k·d.
class LinearLaw final : public RestoringForce {
 public:
  /// @throws SettingError if a setting is outside its range
  explicit LinearLaw(const LinearLawSettings& settings);

  double initial_stiffness() const noexcept override;
  LawResponse trial(double displacement, double velocity) noexcept override;
  void commit() noexcept override {}
  void reset() noexcept override {}
  void save(SnapshotWriter& /*snapshot*/) const override {}
  void restore(SnapshotReader& /*snapshot*/) override {}
  double stored_energy(double displacement) const noexcept override {
    return 0.5 * stiffness_ * displacement * displacement;
  }

 private:
  double stiffness_;
};

}  // namespace trestle::materials
