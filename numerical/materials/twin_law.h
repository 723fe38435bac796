#pragma once

#include <memory>

#include "numerical/materials/scalable_law.h"

namespace trestle::materials {

/// A law whose numbers follow those of a specimen while a test runs.
///
/// A scheme is set up once: it is told the tangent of the start, and as the largest one
/// that of the stiffest law that follow() may be asked for.
class TwinLaw final : public RestoringForce {
 public:
  /// @param start    at rest at zero
  /// @param highest  of a factor on the stiffness, >= 1
  TwinLaw(std::unique_ptr<ScalableLaw> start, double highest);

  /// Takes these factors from here on; its memory stays, as ScalableLaw::scale() has it.
  void follow(const LawFactors& factors) noexcept;
  const LawFactors& factors() const noexcept { return factors_; }

  double initial_stiffness() const noexcept override { return stiffness_; }
  double largest_stiffness() const noexcept override { return largest_; }
  double yield_force() const noexcept override { return yield_force_; }
  LawResponse trial(double displacement, double velocity) noexcept override {
    return law_->trial(displacement, velocity);
  }
  void commit() noexcept override { law_->commit(); }
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  std::unique_ptr<ScalableLaw> law_;
  double stiffness_;  // these three of the start
  double yield_force_;
  double largest_;
  LawFactors factors_;
};

}  // namespace trestle::materials
