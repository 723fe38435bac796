#pragma once

#include <cstdint>

#include "core/evaluation/signal_pair_spectrum.h"

namespace trestle {

/// By how many samples the measured signal is late: the lag at which the magnitude of its
/// cross-correlation with the target is largest, of all lags; positive: late. Of lags that
/// are equal but for rounding the smaller; 0 where a signal is nothing but zeros.
std::int64_t delay_samples(const SignalPairSpectrum& pair);

/// The same between samples: the vertex of the parabola through that peak and the two lags
/// beside it.
double delay_samples_interpolated(const SignalPairSpectrum& pair);

}  // namespace trestle
