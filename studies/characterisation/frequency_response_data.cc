#include "studies/characterisation/frequency_response_data.h"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/FFT>

namespace trestle::characterisation {
namespace {

using Complex = std::complex<double>;

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr std::size_t kFewestInAll = 32;
// Lines of a band with one noise level: the variance then has an error of 1/√128. Weights
// that follow the noise more closely would overstate their accuracy.
constexpr std::size_t kFewestLines = 64;
constexpr std::size_t kNoiseBands = 24;
// Lines on either side over which the response is taken for a parabola.
constexpr std::size_t kNeighbours = 6;
constexpr double kLongestDelay = 0.5;  // [s] that is looked for
// Rounding of a noise-free response in double precision; keeps deviations above zero.
constexpr double kRounding = 1e-9;

bool is_smooth(std::size_t number) {
  for (const std::size_t factor : {2U, 3U, 5U})
    while (number % factor == 0) number /= factor;
  return number == 1;
}

std::vector<Complex> spectrum(std::span<const double> values) {
  Eigen::FFT<double> transform(Eigen::default_fft_impl<double>(),
                               Eigen::FFT<double>::HalfSpectrum);
  const std::vector<double> input(values.begin(), values.end());
  std::vector<Complex> result;
  transform.fwd(result, input);
  return result;
}

/// Returns the delay at which |Σ Y·conj(U)·exp(iωτ)| is largest.
double mean_delay(const FrequencyResponseData& lines) {
  const double step = 0.05 / lines.frequency.back();
  double best = 0.0;
  double largest = 0.0;
  for (int n = 0; n * step <= kLongestDelay; ++n) {
    const double delay = n * step;
    Complex sum = 0.0;
    for (std::size_t k = 0; k < lines.frequency.size(); ++k)
      sum += lines.measured[k] * std::conj(lines.drive[k]) *
             std::polar(1.0, kTwoPi * lines.frequency[k] * delay);
    if (std::abs(sum) <= largest) continue;
    largest = std::abs(sum);
    best = delay;
  }
  return best;
}

/// Residual of a local parabola through the response at the lines around `at`: the sum of
/// squares per degree of freedom (real parts and imaginary parts each), after Schoukens et
/// al. (2009), the local polynomial method.
double local_variance(const FrequencyResponseData& lines, std::size_t at) {
  const std::size_t count = lines.frequency.size();
  const std::size_t width = std::min(count, 2 * kNeighbours + 1);
  const std::size_t first = std::min(at - std::min(at, kNeighbours), count - width);
  const auto rows = static_cast<Eigen::Index>(width);
  Eigen::MatrixXcd regressor(rows, 3);
  Eigen::VectorXcd answer(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const std::size_t k = first + static_cast<std::size_t>(i);
    const double place = (static_cast<double>(k) - static_cast<double>(at)) / kNeighbours;
    const Complex drive =
        lines.drive[k] * std::polar(1.0, -kTwoPi * lines.frequency[k] * lines.late);
    regressor.row(i) << drive, place * drive, place * place * drive;
    answer(i) = lines.measured[k];
  }
  for (Eigen::Index i = 0; i < 3; ++i) {  // modified Gram–Schmidt
    const Eigen::VectorXcd direction = regressor.col(i).normalized();
    for (Eigen::Index j = i + 1; j < 3; ++j)
      regressor.col(j) -= direction.dot(regressor.col(j)) * direction;
    answer -= direction.dot(answer) * direction;
  }
  return answer.squaredNorm() / static_cast<double>(2 * (rows - 3));
}

std::vector<double> noise_deviation(const FrequencyResponseData& lines) {
  std::vector<double> deviation(lines.frequency.size());
  double largest = 0.0;
  for (const Complex& value : lines.measured) largest = std::max(largest, std::abs(value));
  for (const FrequencyBand& band :
       split_bands(deviation.size(), kNoiseBands, kFewestLines)) {
    double variance = 0.0;
    for (std::size_t k = band.begin; k < band.end; ++k)
      variance += local_variance(lines, k);
    variance /= static_cast<double>(band.end - band.begin);
    for (std::size_t k = band.begin; k < band.end; ++k)
      deviation[k] = std::hypot(std::sqrt(variance), kRounding * largest) + 1e-300;
  }
  return deviation;
}

}  // namespace

std::size_t fast_samples(std::size_t at_least) {
  std::size_t samples = (at_least + 3) / 4 * 4;
  while (!is_smooth(samples)) samples += 4;
  return samples;
}

FrequencyResponseData response_lines(std::span<const double> drive,
                                     std::span<const double> measured, double tick,
                                     double lowest, double highest) {
  assert(drive.size() == measured.size() && drive.size() == fast_samples(drive.size()));
  const double spacing = 1.0 / (static_cast<double>(drive.size()) * tick);
  const auto first = static_cast<std::size_t>(std::ceil(lowest / spacing * (1.0 - 1e-9)));
  const auto last = static_cast<std::size_t>(std::floor(highest / spacing * (1.0 + 1e-9)));
  const std::vector<Complex> driven = spectrum(drive);
  const std::vector<Complex> answered = spectrum(measured);
  FrequencyResponseData lines;
  lines.tick = tick;
  for (std::size_t k = std::max<std::size_t>(first, 1); k <= last && k < driven.size();
       ++k) {
    lines.frequency.push_back(static_cast<double>(k) * spacing);
    lines.drive.push_back(driven[k]);
    lines.measured.push_back(answered[k]);
  }
  assert(lines.frequency.size() >= kFewestInAll);
  lines.late = mean_delay(lines);
  lines.deviation = noise_deviation(lines);
  return lines;
}

std::vector<FrequencyBand> split_bands(std::size_t lines, std::size_t count,
                                       std::size_t fewest) {
  const std::size_t bands = std::clamp<std::size_t>(lines / fewest, 1, count);
  std::vector<FrequencyBand> result;
  for (std::size_t i = 0; i < bands; ++i)
    result.push_back({lines * i / bands, lines * (i + 1) / bands});
  return result;
}

double coherence(const FrequencyResponseData& lines, FrequencyBand band) {
  double power = 0.0;
  double noise = 0.0;
  for (std::size_t k = band.begin; k < band.end; ++k) {
    power += std::norm(lines.measured[k]);
    noise += 2.0 * lines.deviation[k] * lines.deviation[k];
  }
  return power > noise ? 1.0 - noise / power : 0.0;
}

double rms_gain(const FrequencyResponseData& lines) {
  double power = 0.0;
  double noise = 0.0;
  double driven = 0.0;
  for (std::size_t k = 0; k < lines.frequency.size(); ++k) {
    power += std::norm(lines.measured[k]);
    noise += 2.0 * lines.deviation[k] * lines.deviation[k];
    driven += std::norm(lines.drive[k]);
  }
  // The power of noise alone spreads by 1/√lines.
  const double spread = noise / std::sqrt(static_cast<double>(lines.frequency.size()));
  return power > noise + 4.0 * spread ? std::sqrt((power - noise) / driven) : 0.0;
}

}  // namespace trestle::characterisation
