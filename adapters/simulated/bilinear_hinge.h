#pragma once

#include "adapters/simulated/plastic_hinge.h"

namespace trestle::simulated {

/// Kinematic hardening: |M − H p| <= yield moment, return mapping of one step (exact).
class BilinearHinge final : public PlasticHinge {
 public:
  explicit BilinearHinge(const HingeSettings& settings);

  double flow(double trial_moment, double stiffness) const noexcept override;
  void commit(double flow, double moment) noexcept override;
  double rotation() const noexcept override { return rotation_; }
  void reset() noexcept override { rotation_ = 0.0; }
  void save(SnapshotWriter& snapshot) const override { snapshot.add(rotation_); }
  void restore(SnapshotReader& snapshot) override { rotation_ = snapshot.next(); }

 private:
  double yield_moment_;
  double hardening_;  // H [N·m/rad]
  double rotation_ = 0.0;
};

}  // namespace trestle::simulated
