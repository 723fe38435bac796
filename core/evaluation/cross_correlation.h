#pragma once

#include <cstdint>

#include "core/evaluation/signal_pair_spectrum.h"

namespace trestle::evaluation {

/// Returns the delay of the measured signal in samples: the lag of the largest magnitude of
/// its cross-correlation with the target; positive: late. Of lags that differ only by
/// rounding it returns the smaller; 0 for a signal of zeros.
std::int64_t delay_samples(const SignalPairSpectrum& pair);

/// The same between samples: the vertex of the parabola through that peak and the two lags
/// beside it.
double delay_samples_interpolated(const SignalPairSpectrum& pair);

}  // namespace trestle::evaluation
