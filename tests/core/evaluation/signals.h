#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace trestle::testing {

using Signal = std::vector<double>;

/// Irregular and at rest at both ends.
inline Signal irregular(std::size_t samples) {
  Signal signal(samples);
  for (std::size_t k = 0; k < samples; ++k) {
    const double t = static_cast<double>(k) / static_cast<double>(samples);
    const double envelope = std::exp(-40.0 * (t - 0.5) * (t - 0.5));
    signal[k] =
        envelope * (std::sin(97.0 * t + 6.0 * t * t) + 0.6 * std::sin(231.0 * t + 1.0));
  }
  return signal;
}

/// y_k = factor·x_{k − by}, zeros where there was nothing.
inline Signal shifted(const Signal& signal, int by, double factor = 1.0) {
  Signal late(signal.size(), 0.0);
  for (int k = 0; k < static_cast<int>(signal.size()); ++k)
    if (k - by >= 0 && k - by < static_cast<int>(signal.size()))
      late[static_cast<std::size_t>(k)] = factor * signal[static_cast<std::size_t>(k - by)];
  return late;
}

}  // namespace trestle::testing
