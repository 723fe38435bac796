#include "core/evaluation/error_norms.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace trestle::evaluation {
namespace {

/// Σ(x − mean)², x given sample by sample; in two passes, for accuracy.
template <typename Sample>
double scatter(std::size_t count, Sample sample) {
  double mean = 0.0;
  for (std::size_t k = 0; k < count; ++k) mean += sample(k);
  mean /= static_cast<double>(count);
  double sum = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const double apart = sample(k) - mean;
    sum += apart * apart;
  }
  return sum;
}

}  // namespace

double normalised_rms_error(std::span<const double> signal,
                            std::span<const double> wanted) {
  assert(signal.size() == wanted.size());
  const auto error = [&](std::size_t k) {
    return signal[k] - wanted[k];
  };
  const auto itself = [&](std::size_t k) {
    return wanted[k];
  };
  return std::sqrt(scatter(wanted.size(), error) / scatter(wanted.size(), itself));
}

double normalised_peak_error(std::span<const double> signal,
                             std::span<const double> wanted) {
  assert(signal.size() == wanted.size());
  double error = 0.0;
  double peak = 0.0;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    error = std::max(error, std::abs(signal[k] - wanted[k]));
    peak = std::max(peak, std::abs(wanted[k]));
  }
  return error / peak;
}

}  // namespace trestle::evaluation
