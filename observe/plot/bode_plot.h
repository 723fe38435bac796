#pragma once

#include <complex>
#include <string>
#include <vector>

#include "observe/plot/figure.h"

namespace trestle::plot {

/// A frequency response, measured at some frequencies and as it was fitted.
struct BodeResponse {
  std::string name = {};
  std::vector<double> frequency = {};  ///< [Hz], ascending, above zero
  std::vector<std::complex<double>> measured = {};
  std::vector<std::complex<double>> fitted = {};
};

/// Gain and phase over the logarithm of the frequency, one above the other: fits as lines,
/// measurements as markers of the same colour. The phase continues without jumps of a whole
/// turn.
Figure bode_figure(const std::string& title, const std::vector<BodeResponse>& responses);

}  // namespace trestle::plot
