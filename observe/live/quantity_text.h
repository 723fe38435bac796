#pragma once

#include <string>

#include "core/types/interface_layout.h"

namespace trestle::live {

/// What a number on a screen measures.
enum class Quantity { kDisplacement, kRate, kAcceleration, kForce, kRatio };

/// An engineering unit, chosen once for a quantity, so that its numbers do not change their
/// unit from one look to the next.
struct DisplayUnit {
  std::string name;     ///< "mm", "kN", "mrad", "kNm", "%"; ASCII
  double per_si = 1.0;  ///< numbers are multiplied by it
  int decimals = 2;     ///< behind the point
};

/// Returns the unit in which values up to `largest` have at most four digits before the
/// point and at least one that counts.
/// @param largest  of the quantity, or its limit, in SI units; not finite or 0: the unit
///                 that laboratories use most
DisplayUnit display_unit(Quantity quantity, DofKind kind, double largest);

/// "11.42": without the unit; "-" for a value that is not finite.
std::string number_in(const DisplayUnit& unit, double value);
/// "11.42 mm".
std::string quantity_in(const DisplayUnit& unit, double value);

/// "41.18 s"; from two minutes on "38 min", from two hours on "5.2 h".
std::string time_text(double seconds);

}  // namespace trestle::live
