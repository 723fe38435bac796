#pragma once

#include <complex>
#include <functional>
#include <vector>

namespace trestle::bridge {

/// From command to measured displacement over ω [rad/s].
using TransferResponse = std::function<std::complex<double>(double omega)>;

/// Returns the command with which a linear transfer system follows `wanted`: its spectrum
/// divided by the transfer function, ahead in time as necessary. Nothing above `band` is
/// inverted; over the last fifth below it the inverse fades out by a cosine.
///
/// @param wanted  known in advance, one per period, at rest at both ends
/// @param period  [s]
/// @param band    [Hz], below half of 1/period
/// @returns as many values; the part before the first value is lost
std::vector<double> invert_transfer(const std::vector<double>& wanted, double period,
                                    const TransferResponse& transfer, double band);

}  // namespace trestle::bridge
