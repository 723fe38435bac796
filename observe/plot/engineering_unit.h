#pragma once

#include <string>

namespace trestle::plot {

/// The unit in which people read a quantity that a record has in SI.
struct EngineeringUnit {
  double factor = 1.0;  ///< from SI
  std::string name = {};
};

/// The unit that fits the largest value: "mm" of a displacement, "kN" of a force, "mrad" of
/// a rotation. A unit that is not known stays as it is.
/// @param si_unit  as channels have it: "m", "rad", "N", "N.m", "s", "m/s", "m/s^2"
/// @param largest  magnitude [SI]
EngineeringUnit engineering_unit(const std::string& si_unit, double largest);

/// A value with three significant digits in the unit that fits it: "12.7 mm".
std::string format_quantity(double value, const std::string& si_unit, int digits = 3);

}  // namespace trestle::plot
