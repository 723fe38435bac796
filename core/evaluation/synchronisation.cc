#include "core/evaluation/synchronisation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>

namespace trestle::evaluation {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

/// Second moments about the means.
struct Moments {
  double zz = 0.0, zx = 0.0, xx = 0.0, error = 0.0;
};

Moments moments(std::span<const double> z, std::span<const double> x) {
  const double z0 = mean(z);
  const double x0 = mean(x);
  Moments sum;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double a = z[k] - z0;
    const double b = x[k] - x0;
    sum.zz += a * a;
    sum.zx += a * b;
    sum.xx += b * b;
    sum.error += (b - a) * (b - a);
  }
  return sum;
}

double delay_of(std::span<const double> z, std::span<const double> x, double period) {
  const double z0 = mean(z);
  const double x0 = mean(x);
  double zz = 0.0, zv = 0.0, vv = 0.0, xz = 0.0, xv = 0.0;
  for (std::size_t k = 1; k + 1 < z.size(); ++k) {
    const double at = z[k] - z0;
    const double rate = (z[k + 1] - z[k - 1]) / (2.0 * period);
    zz += at * at;
    zv += at * rate;
    vv += rate * rate;
    xz += (x[k] - x0) * at;
    xv += (x[k] - x0) * rate;
  }
  // Cramer's rule of the normal equations; its determinant cancels in the quotient.
  return -(zz * xv - zv * xz) / (vv * xz - zv * xv);
}

HarmonicRatio harmonic(std::span<const double> z, std::span<const double> x, double period,
                       double frequency) {
  const double samples = 1.0 / (frequency * period);  // of one turn
  const double turns = std::floor(static_cast<double>(z.size()) / samples + 1e-9);
  const auto count = static_cast<std::size_t>(std::llround(turns * samples));
  if (count == 0) return {frequency, kNone, kNone, kNone};
  const std::size_t first = z.size() - std::min(count, z.size());
  std::complex<double> wanted, achieved;
  for (std::size_t k = first; k < z.size(); ++k) {
    const std::complex<double> turn = std::polar(
        1.0, -2.0 * std::numbers::pi * frequency * period * static_cast<double>(k));
    wanted += z[k] * turn;
    achieved += x[k] * turn;
  }
  const std::complex<double> ratio = achieved / wanted;
  const double gain = std::abs(ratio);
  const double phase = std::arg(ratio);
  return {frequency, gain, phase, gain * std::abs(std::sin(phase))};
}

}  // namespace

Synchronisation synchronisation(std::span<const double> wanted,
                                std::span<const double> achieved, double period,
                                const std::vector<double>& frequencies) {
  assert(wanted.size() == achieved.size());
  const Moments sum = wanted.empty() ? Moments{} : moments(wanted, achieved);
  if (!(sum.zz > 0.0))
    return {kNone,
            kNone,
            kNone,
            kNone,
            kNone,
            std::vector<HarmonicRatio>(frequencies.size(), {kNone, kNone, kNone, kNone})};
  Synchronisation found;
  found.rms_relative = std::sqrt(sum.error / sum.zz);
  found.amplitude = std::sqrt(sum.xx / sum.zz);
  const double half = 0.5 * (sum.zz + sum.xx);
  const double largest = half + std::hypot(0.5 * (sum.zz - sum.xx), sum.zx);
  // λ_min·λ_max is the determinant: no difference of two numbers that are nearly equal.
  const double determinant = std::max(0.0, sum.zz * sum.xx - sum.zx * sum.zx);
  found.axes = std::sqrt(determinant) / largest;
  found.angle = 0.5 * std::atan2(2.0 * sum.zx, sum.zz - sum.xx);
  found.delay = delay_of(wanted, achieved, period);
  for (const double frequency : frequencies)
    found.harmonics.push_back(harmonic(wanted, achieved, period, frequency));
  return found;
}

}  // namespace trestle::evaluation
