#pragma once

#include <complex>
#include <string>
#include <vector>

#include "core/math/state_space.h"

namespace trestle::math {

/// gain · Π(s − z) / Π(s − p), zeros and poles in [rad/s]; conjugates are both given.
struct ZerosPolesGain {
  std::vector<std::complex<double>> zeros;
  std::vector<std::complex<double>> poles;
  double gain = 1.0;
};

/// A real state space with this transfer function: a cascade of first- and second-order
/// sections, its states balanced.
/// @param path  of the setting, for the error
/// @throws SettingError with more zeros than poles, or with a complex zero or pole without
///         its conjugate (to 1e-9 of its size)
StateSpace realise(const ZerosPolesGain& transfer, const std::string& path);

/// The gain with which the transfer function has this value at frequency zero.
/// @throws SettingError  with a zero or a pole at zero: there is no such gain
double static_gain(const ZerosPolesGain& transfer, double value, const std::string& path);

}  // namespace trestle::math
