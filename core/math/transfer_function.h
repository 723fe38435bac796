#pragma once

#include <string>
#include <vector>

#include "core/math/state_space.h"

namespace trestle::math {

/// A rational function of s [rad/s]: numerator over denominator, the highest power first.
struct TransferFunction {
  std::vector<double> numerator;
  std::vector<double> denominator;
};

/// In companion form with normalised states zᵢ = x⁽ⁱ⁾/σⁱ, i = 0 ... n−1, where x is the
/// output of one over the denominator times its last coefficient: with a constant numerator
/// equal to that, x is the output itself. σ = (aₙ/a₀)^(1/n), the geometric mean of the
/// poles' magnitudes, so that all entries are of the size of σ; the bare form of a table of
/// order five would have entries up to 10¹⁰.
/// @param path  of the function, for the error
/// @throws SettingError with no more poles than zeros, a leading coefficient of zero, a
///         value that is not finite, or a pole at zero
StateSpace realise(const TransferFunction& function, const std::string& path);

/// A proportionally controlled servo-hydraulic table,
///
///   K wv² wh² / (s (s² + 2 zv wv s + wv²)(s² + 2 zh wh s + wh²) + K wv² wh²):
///
/// valve (v), oil column with load (h), loop gain K (Merritt, Hydraulic Control Systems,
/// 1967, ch. 6).
struct ServoHydraulicTable {
  double loop_gain = 25.0;        ///< K [1/s]: the delay at low frequency is 1/K
  double valve_frequency = 60.0;  ///< [Hz]
  double valve_damping = 0.8;
  double oil_frequency = 25.0;  ///< [Hz]
  double oil_damping = 0.35;
};
TransferFunction transfer_function(const ServoHydraulicTable& table);

/// The Bessel–Thomson low-pass of this order whose group delay is flat at `delay` [s]:
/// denominator Σ (2n−k)!/(2^(n−k) k! (n−k)!) (s·delay)^k (Thomson 1949).
/// @pre order 1 ... 8
TransferFunction bessel_filter(int order, double delay);

}  // namespace trestle::math
