#pragma once

namespace trestle::yaml {

/// The motion to which the unit of a number belongs. The schema's MOTION, STIFFNESS and
/// similar accept several; a later stage checks the unit against the DOF.
enum class UnitClass {
  kNone,         ///< a plain number, or a field whose dimension leaves no choice
  kTranslation,  ///< m, m/s, N, N/m, N.s/m, kg
  kRotation,     ///< rad, rad/s, N.m, N.m/rad, N.m.s/rad, kg.m2
  kCoupling,     ///< N/rad, N.s/rad: between a translation and a rotation
};

}  // namespace trestle::yaml
