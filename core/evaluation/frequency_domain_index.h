#pragma once

#include "core/evaluation/signal_pair_spectrum.h"

namespace trestle::evaluation {

/// Compares a tracking signal with its target over all frequencies, weighted by the power
/// of the target.
struct FrequencyDomainIndex {
  double amplitude = 1.0;  ///< |F|
  double delay = 0.0;      ///< −arg F/(2π·f_eq) [s]; positive: late
  double frequency = 0.0;  ///< f_eq, mean frequency of the target's power [Hz]
};

/// The frequency evaluation index of Guo, Chen, Xu and Sanchez (2014),
/// doi:10.1088/0964-1726/23/4/045042, with the exponent l = 2:
///
///   F = Σ Y_m/X_m·|X_m|²/Σ|X_m|²,   f_eq = Σ|X_m|²·f_m/Σ|X_m|²
///
/// over the positive frequencies: Y_m the measured signal's spectrum, X_m the target's. As
/// it is where the target never moves.
/// @param period  between samples [s]
FrequencyDomainIndex frequency_index(const SignalPairSpectrum& pair, double period);

}  // namespace trestle::evaluation
