#pragma once

namespace trestle {

/// Which motion the unit of a number belongs to. The schema's MOTION, STIFFNESS and their
/// like accept several; which one is right depends on the DOF, and a later stage asks.
enum class UnitClass {
  kNone,         ///< a plain number, or a field whose dimension leaves no choice
  kTranslation,  ///< m, m/s, N, N/m, N.s/m, kg
  kRotation,     ///< rad, rad/s, N.m, N.m/rad, N.m.s/rad, kg.m2
  kCoupling,     ///< N/rad, N.s/rad: between a translation and a rotation
};

}  // namespace trestle
