#include "core/evaluation/signal_pair_spectrum.h"

#include <cassert>
#include <cmath>
#include <numeric>
#include <unsupported/Eigen/FFT>

namespace trestle::evaluation {
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

/// It keeps the factors of each length that it was used for: a campaign asks for one length
/// ten thousand times.
Eigen::FFT<double>& half_spectrum_transform() {
  thread_local Eigen::FFT<double> transform(Eigen::default_fft_impl<double>(),
                                            Eigen::FFT<double>::HalfSpectrum);
  return transform;
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

SignalPairSpectrum::SignalPairSpectrum(std::span<const double> target,
                                       std::span<const double> measured)
    : samples_(target.size()),
      length_(fast_length(2 * target.size())),
      target_squares_(squares(target)),
      target_(spectrum(target, length_)) {
  assert(!target.empty());
  measure(measured);
}

SignalPairSpectrum SignalPairSpectrum::with(std::span<const double> measured) const {
  SignalPairSpectrum other = *this;
  other.measure(measured);
  return other;
}

void SignalPairSpectrum::measure(std::span<const double> measured) {
  assert(samples_ == measured.size());
  energy_ = std::sqrt(target_squares_ * squares(measured));
  measured_ = spectrum(measured, length_);
  std::vector<std::complex<double>> product(target_.size());
  for (std::size_t m = 0; m < product.size(); ++m)
    product[m] = std::conj(target_[m]) * measured_[m];
  correlation_.resize(length_);
  half_spectrum_transform().inv(correlation_, product, static_cast<Eigen::Index>(length_));
}

}  // namespace trestle::evaluation
