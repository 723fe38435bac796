#pragma once

#include <cstdint>

#include "core/evaluation/pair_spectrum.h"

namespace trestle {

/// By how many samples the measured signal is late: the lag at which the magnitude of its
/// cross-correlation with the target is largest, of all lags; positive: late. Of lags that
/// are equal but for rounding the smaller; 0 where a signal is nothing but zeros.
std::int64_t samples_late(const PairSpectrum& pair);

/// The same between samples: the vertex of the parabola through that peak and the two lags
/// beside it.
double samples_late_refined(const PairSpectrum& pair);

}  // namespace trestle
