#include "numerical/bridge/command_preview.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace trestle::bridge {
namespace {

constexpr double kFade = 0.8;     // of the band: from here on
constexpr double kSilence = 4.0;  // behind the record, where what comes too early goes [s]

double part_of(double frequency, double band) {
  const double s = (frequency / band - kFade) / (1.0 - kFade);
  if (s <= 0.0) return 1.0;
  return s >= 1.0 ? 0.0 : 0.5 * (1.0 + std::cos(std::numbers::pi * s));
}

}  // namespace

std::vector<double> invert_transfer(const std::vector<double>& wanted, double period,
                                    const TransferResponse& transfer, double band) {
  std::size_t length = 2;
  const auto silence = static_cast<std::size_t>(kSilence / period);
  while (length < wanted.size() + silence) length *= 2;
  std::vector<double> padded(length, 0.0);
  std::copy(wanted.begin(), wanted.end(), padded.begin());
  Eigen::FFT<double> transform(Eigen::default_fft_impl<double>(),
                               Eigen::FFT<double>::HalfSpectrum);
  std::vector<std::complex<double>> spectrum;
  transform.fwd(spectrum, padded);
  for (std::size_t m = 0; m < spectrum.size(); ++m) {
    const double frequency =
        static_cast<double>(m) / (static_cast<double>(length) * period);
    const double part = part_of(frequency, band);
    spectrum[m] = part == 0.0
                      ? std::complex<double>(0.0)
                      : part * spectrum[m] / transfer(2.0 * std::numbers::pi * frequency);
  }
  transform.inv(padded, spectrum, static_cast<Eigen::Index>(length));
  padded.resize(wanted.size());
  return padded;
}

}  // namespace trestle::bridge
