#pragma once

#include <memory>

#include "core/base/snapshot.h"
#include "numerical/bond_graph/constitutive_law.h"
#include "numerical/materials/restoring_force.h"

namespace trestle::bond_graph {

/// A spring with memory: one of the product's restoring forces, evaluated from its last
/// commit.
class HystereticLaw final : public ConstitutiveLaw {
 public:
  /// @param force  at rest
  explicit HystereticLaw(std::unique_ptr<materials::RestoringForce> force);

  double value(double argument) noexcept override;
  double slope(double argument) noexcept override;
  void commit(double argument) noexcept override;
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override { force_->save(snapshot); }
  void restore(SnapshotReader& snapshot) override;

 private:
  void keep() noexcept;
  void restore_state() noexcept;

  std::unique_ptr<materials::RestoringForce> force_;
  SnapshotWriter committed_;
  double reach_ = 1e-6;  // of the difference, as a part of the argument's scale
};

}  // namespace trestle::bond_graph
