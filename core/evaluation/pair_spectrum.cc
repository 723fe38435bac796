#include "core/evaluation/pair_spectrum.h"

#include <cassert>
#include <cmath>
#include <numeric>
#include <unsupported/Eigen/FFT>

namespace trestle {
namespace {

bool is_smooth(std::size_t number) {
  for (const std::size_t factor : {2U, 3U, 5U})
    while (number % factor == 0) number /= factor;
  return number == 1;
}

/// The next length that a mixed-radix transform of real numbers is fast for.
std::size_t fast_length(std::size_t at_least) {
  std::size_t length = (at_least + 3) / 4 * 4;
  while (!is_smooth(length)) length += 4;
  return length;
}

double squares(std::span<const double> values) {
  return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

Eigen::FFT<double> half_spectrum_transform() {
  return {Eigen::default_fft_impl<double>(), Eigen::FFT<double>::HalfSpectrum};
}

std::vector<std::complex<double>> spectrum(std::span<const double> values,
                                           std::size_t length) {
  std::vector<double> padded(length, 0.0);
  std::copy(values.begin(), values.end(), padded.begin());
  std::vector<std::complex<double>> result;
  half_spectrum_transform().fwd(result, padded);
  return result;
}

}  // namespace

PairSpectrum::PairSpectrum(std::span<const double> target, std::span<const double> measured)
    : samples_(target.size()),
      length_(fast_length(2 * target.size())),
      energy_(std::sqrt(squares(target) * squares(measured))),
      target_(spectrum(target, length_)),
      measured_(spectrum(measured, length_)) {
  assert(!target.empty() && target.size() == measured.size());
}

std::vector<double> PairSpectrum::cross_correlation() const {
  std::vector<std::complex<double>> product(target_.size());
  for (std::size_t m = 0; m < product.size(); ++m)
    product[m] = std::conj(target_[m]) * measured_[m];
  std::vector<double> correlation(length_);
  half_spectrum_transform().inv(correlation, product, static_cast<Eigen::Index>(length_));
  return correlation;
}

}  // namespace trestle
