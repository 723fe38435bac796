#pragma once

#include "numerical/materials/restoring_force.h"

namespace trestle::materials {

/// What multiplies the numbers of a law.
struct LawFactors {
  double stiffness = 1.0;
  double yield_force = 1.0;
  double hardening = 1.0;
};

/// A law whose numbers may change in mid-motion.
class ScalableLaw : public RestoringForce {
 public:
  /// Takes other numbers, each a factor times that with which it was made. The displacement
  /// stays, and the stretch, cut to the new largest one.
  /// @pre factors > 0, hardening below 1
  virtual void scale(const LawFactors& by) noexcept = 0;
};

}  // namespace trestle::materials
