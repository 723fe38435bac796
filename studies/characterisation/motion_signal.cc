#include "studies/characterisation/motion_signal.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "core/base/random.h"
#include "studies/characterisation/frequency_response_data.h"

namespace trestle::characterisation::motion {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kFade = 0.1;  // of the duration, at either end

std::size_t ticks_of(double duration, double tick) {
  return static_cast<std::size_t>(std::max(1.0, std::round(duration / tick)));
}

double smooth(double part) noexcept {
  const double s = std::clamp(part, 0.0, 1.0);
  return s * s * (3.0 - 2.0 * s);
}

double fade(double part) noexcept {
  return smooth(std::min(part, 1.0 - part) / kFade);
}

}  // namespace

std::vector<double> raised_cosine(double amplitude, double duration, double tick) {
  const std::size_t ticks = ticks_of(duration, tick);
  std::vector<double> offsets(ticks + 1);
  for (std::size_t n = 0; n < ticks; ++n)
    offsets[n] =
        0.5 * amplitude *
        (1.0 - std::cos(kTwoPi * static_cast<double>(n) / static_cast<double>(ticks)));
  return offsets;
}

std::vector<double> smooth_step(double amplitude, double rise, double hold, double tick) {
  const std::size_t up = ticks_of(rise, tick);
  const std::size_t stay = ticks_of(hold, tick);
  std::vector<double> offsets(2 * up + stay + 1);
  for (std::size_t n = 0; n < offsets.size(); ++n) {
    const std::size_t from_end = offsets.size() - 1 - n;
    offsets[n] = amplitude * smooth(static_cast<double>(std::min(n, from_end)) /
                                    static_cast<double>(up));
  }
  return offsets;
}

std::vector<double> chirp(double amplitude, Band band, double duration, double tick) {
  const std::size_t ticks = ticks_of(duration, tick);
  std::vector<double> offsets(ticks + 1);
  for (std::size_t n = 0; n < ticks; ++n) {
    const double part = static_cast<double>(n) / static_cast<double>(ticks);
    const double cycles =
        duration * part * (band.lowest + 0.5 * (band.highest - band.lowest) * part);
    offsets[n] = amplitude * fade(part) * std::sin(kTwoPi * cycles);
  }
  return offsets;
}

std::vector<double> band_noise(double amplitude, Band band, double duration, double tick,
                               std::uint64_t seed) {
  const std::size_t ticks = ticks_of(duration, tick);
  std::vector<double> offsets(ticks + 1, 0.0);
  const auto first = static_cast<std::uint64_t>(std::ceil(band.lowest * duration));
  const auto last = static_cast<std::uint64_t>(std::floor(band.highest * duration));
  const std::uint64_t stream = stream_id("characterise");
  for (std::uint64_t line = first; line <= last; ++line) {
    const double phase =
        uniform({.seed = seed, .stream = stream, .channel = 0, .index = line});
    std::complex<double> turning = std::polar(1.0, kTwoPi * phase);
    const std::complex<double> turn =
        std::polar(1.0, kTwoPi * static_cast<double>(line) / static_cast<double>(ticks));
    for (std::size_t n = 0; n < ticks; ++n) {
      offsets[n] += turning.real();
      turning *= turn;
    }
  }
  for (std::size_t n = 0; n < ticks; ++n)
    offsets[n] *= fade(static_cast<double>(n) / static_cast<double>(ticks));
  const double peak = largest(offsets);
  for (double& offset : offsets) offset *= peak > 0.0 ? amplitude / peak : 0.0;
  return offsets;
}

std::vector<double> pad_with_rest(std::vector<double> offsets, double rest, double tick) {
  offsets.resize(fast_samples(offsets.size() + ticks_of(rest, tick)), 0.0);
  return offsets;
}

double largest(const std::vector<double>& offsets) noexcept {
  double value = 0.0;
  for (const double offset : offsets) value = std::max(value, std::abs(offset));
  return value;
}

double largest_rate(const std::vector<double>& offsets, double tick) noexcept {
  double before = 0.0;
  double change = 0.0;
  for (const double offset : offsets) {
    change = std::max(change, std::abs(offset - before));
    before = offset;
  }
  return std::max(change, std::abs(before)) / tick;
}

}  // namespace trestle::characterisation::motion
