#pragma once

#include "numerical/materials/bouc_wen_law.h"

namespace trestle::materials {

/// A Bouc–Wen law whose numbers follow those of a specimen while a test runs.
///
/// A scheme is set up once: it is told the tangent of the start, and as the largest one
/// that of the stiffest law that follow() may be asked for.
class TwinLaw final : public RestoringForce {
 public:
  /// @param highest  of a factor on the stiffness, >= 1
  TwinLaw(const BoucWenLawSettings& settings, double highest);

  /// Takes these factors from here on; its memory stays, as BoucWenLaw::scale() has it.
  void follow(const BoucWenFactors& factors) noexcept;
  const BoucWenFactors& factors() const noexcept { return factors_; }

  double initial_stiffness() const noexcept override { return law_.settings().stiffness; }
  double largest_stiffness() const noexcept override { return largest_; }
  double yield_force() const noexcept override { return law_.settings().yield_force; }
  LawResponse trial(double displacement, double velocity) noexcept override {
    return law_.trial(displacement, velocity);
  }
  void commit() noexcept override { law_.commit(); }
  void reset() noexcept override;
  void save(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  BoucWenLaw law_;
  double largest_;
  BoucWenFactors factors_;
};

}  // namespace trestle::materials
