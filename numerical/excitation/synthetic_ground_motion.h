#pragma once

#include <cstdint>

#include "numerical/excitation/ground_motion.h"

namespace trestle::excitation {

struct SyntheticSettings {
  double duration = 20.0;         ///< [s], > 0
  double peak = 3.5;              ///< largest acceleration [m/s²], > 0
  double ground_frequency = 2.5;  ///< of the Kanai–Tajimi filter [Hz], > 0
  double ground_damping = 0.6;    ///< its ratio, > 0
  std::uint64_t seed = 0;
};

/// An artificial accelerogram, sampled at 200 Hz: white noise through the ground filter of
/// Kanai (1957) and Tajimi (1960) and the high-pass of Clough and Penzien (1975, at a tenth
/// of the ground frequency), under an envelope that rises over the first 15 %, is level up
/// to half and fades to zero at the end; scaled to its peak.
///
/// Nothing but sums, products, quotients and roots makes it, so a seed gives the same bits
/// on every machine.
/// @throws std::invalid_argument if a setting is not positive
GroundMotion synthetic_record(const SyntheticSettings& settings);

}  // namespace trestle::excitation
