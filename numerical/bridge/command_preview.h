#pragma once

#include <complex>
#include <functional>
#include <vector>

namespace trestle {

/// From command to measured displacement over ω [rad/s].
using TransferResponse = std::function<std::complex<double>(double omega)>;

/// The command that makes a linear transfer system follow `wanted`: its spectrum over the
/// transfer function, ahead in time as far as it must be. Above `band` nothing is inverted;
/// over the last fifth below it the inverse fades out by a cosine.
///
/// @param wanted  known beforehand, one per period, at rest at both ends
/// @param period  [s]
/// @param band    [Hz], below half of 1/period
/// @returns as many values; what would have to be said before the first is lost
std::vector<double> invert_transfer(const std::vector<double>& wanted, double period,
                                    const TransferResponse& transfer, double band);

}  // namespace trestle
