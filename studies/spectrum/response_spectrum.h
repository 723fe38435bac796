#pragma once

#include <span>
#include <vector>

#include "numerical/excitation/ground_motion.h"

namespace trestle::spectrum {

/// The response spectrum of an accelerogram for one damping ratio: per period the peak of
/// the oscillator's displacement relative to its base.
struct ResponseSpectrum {
  double damping = 0.0;              ///< ratio of critical
  std::vector<double> period;        ///< [s]
  std::vector<double> displacement;  ///< Sd, peak of |u| [m]

  /// PSv = ω·Sd [m/s]; PSa = ω²·Sd [m/s²].
  double pseudo_velocity(std::size_t i) const noexcept;
  double pseudo_acceleration(std::size_t i) const noexcept;
};

/// Peak of |u| of u″ + 2ζω·u′ + ω²·u = −a(t) from rest, the accelerogram being straight
/// between its samples: the exact solution of each piece (Nigam and Jennings 1969), its
/// extremes between samples included, and the free vibration after the end of the record.
/// @param period   above 0 [s]
/// @param damping  of critical, 0 to below 1
/// @returns [m]
double peak_displacement(const excitation::GroundMotion& motion, double period,
                         double damping);

/// One peak_displacement() for each period.
ResponseSpectrum response_spectrum(const excitation::GroundMotion& motion,
                                   std::span<const double> periods, double damping);

/// Periods in equal ratios, from the first to the last. @param count  at least 2
std::vector<double> logarithmic_periods(double first, double last, int count);

}  // namespace trestle::spectrum
