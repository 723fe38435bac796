#include "observe/report/derived_signals.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "core/evaluation/signal_pair_spectrum.h"
#include "core/evaluation/tracking_estimator.h"

namespace trestle::report {
namespace {

// A response that is not in the record counts as no motion in a spectrum.
std::vector<double> finite_signal(std::vector<double> values) {
  for (double& value : values)
    if (!std::isfinite(value)) value = 0.0;
  return values;
}

}  // namespace

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

std::vector<double> work_done(const std::vector<double>& displacement,
                              const std::vector<double>& force) {
  std::vector<double> work(std::min(displacement.size(), force.size()));
  double sum = 0.0;
  for (std::size_t i = 1; i < work.size(); ++i) {
    const double step =
        0.5 * (force[i] + force[i - 1]) * (displacement[i] - displacement[i - 1]);
    if (std::isfinite(step)) sum += step;
    work[i] = sum;
  }
  return work;
}

std::vector<double> delay_over_time(const std::vector<double>& target,
                                    const std::vector<double>& measured, double period,
                                    double memory) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  constexpr double kTooUncertain = 0.05;  // of the amplitude
  evaluation::TrackingEstimator estimator(period, std::exp(-period / memory));
  std::vector<double> delays(std::min(target.size(), measured.size()), kNone);
  for (std::size_t i = 0; i < delays.size(); ++i) {
    if (!std::isfinite(target[i]) || !std::isfinite(measured[i])) continue;
    estimator.add(target[i], measured[i], 0.0);
    const evaluation::Tracking tracking = estimator.result();
    if (tracking.uncertainty < kTooUncertain) delays[i] = tracking.delay;
  }
  return delays;
}

FourierAmplitudes fourier_amplitudes(const std::vector<double>& first,
                                     const std::vector<double>& second, double period) {
  FourierAmplitudes amplitudes;
  const std::size_t samples = std::min(first.size(), second.size());
  if (samples < 2) return amplitudes;
  const std::vector<double> a =
      finite_signal({first.begin(), first.begin() + static_cast<std::ptrdiff_t>(samples)});
  const std::vector<double> b = finite_signal(
      {second.begin(), second.begin() + static_cast<std::ptrdiff_t>(samples)});
  const evaluation::SignalPairSpectrum pair(a, b);
  const double spacing = 1.0 / (static_cast<double>(pair.length()) * period);
  double energy = 0.0;
  for (std::size_t m = 0; m < pair.target().size(); ++m) {
    amplitudes.frequency.push_back(static_cast<double>(m) * spacing);
    amplitudes.first.push_back(period * std::abs(pair.target()[m]));
    amplitudes.second.push_back(period * std::abs(pair.measured()[m]));
    energy += std::norm(pair.target()[m]);
  }
  double below = 0.0;
  for (std::size_t m = 0; m < pair.target().size(); ++m) {
    below += std::norm(pair.target()[m]);
    amplitudes.significant = amplitudes.frequency[m];
    if (below >= 0.999 * energy) break;
  }
  return amplitudes;
}

}  // namespace trestle::report
