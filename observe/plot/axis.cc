#include "observe/plot/axis.h"

#include <algorithm>
#include <cmath>

#include "observe/plot/number_format.h"

namespace trestle::plot {
namespace {

constexpr double kPixelsPerTickAcross = 62.0;
constexpr double kPixelsPerTickUpwards = 30.0;
constexpr double kMostTicks = 40.0;
constexpr double kMostDecades = 12.0;

/// Ten to a whole power, to the last bit the same on every machine.
double power_of_ten(int exponent) {
  double power = 1.0;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10.0;
  return exponent < 0 ? 1.0 / power : power;
}

int exponent_of(double value) {
  int exponent = static_cast<int>(std::floor(std::log10(value)));
  if (power_of_ten(exponent) > value) --exponent;
  if (power_of_ten(exponent + 1) <= value) ++exponent;
  return exponent;
}

/// As few decimals as tell two ticks apart.
std::string tick_label(double value, double step) {
  const int decimals = std::clamp(-exponent_of(step), 0, 12);
  if (std::abs(value) >= 1e6 || (value != 0.0 && std::abs(value) < 1e-5))
    return format_significant(value, 3);
  return format_fixed(value, decimals);
}

}  // namespace

double round_step(double least) {
  const double power = power_of_ten(exponent_of(least));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= least * (1.0 - 1e-12)) return step * power;
  return 10.0 * power;
}

Axis::Axis(const AxisSettings& settings, double low, double high, double from, double to)
    : logarithmic_(settings.logarithmic),
      factor_(settings.unit.factor),
      from_(from),
      to_(to) {
  if (settings.lowest) low = *settings.lowest;
  if (settings.highest) high = *settings.highest;
  if (!std::isfinite(low) || !std::isfinite(high) || high < low) {
    low = logarithmic_ ? 1.0 / factor_ : 0.0;
    high = (logarithmic_ ? 10.0 : 1.0) / factor_;
  }
  if (logarithmic_)
    take_logarithmic(settings, low * factor_, high * factor_);
  else
    take_linear(settings, low * factor_, high * factor_);
}

void Axis::take_linear(const AxisSettings& settings, double low, double high) {
  if (settings.symmetric) {
    high = std::max(std::abs(low), std::abs(high));
    low = -high;
  }
  if (settings.starts_at_zero) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  if (high - low <= 1e-12 * std::max(std::abs(high), std::abs(low)) || high == low) {
    const double half = high == 0.0 ? 1.0 : 0.5 * std::abs(high);
    high += half;
    low -= settings.starts_at_zero && low >= 0.0 ? 0.0 : half;
  }
  // A stated end is kept; one that was found is widened, so that no curve touches the
  // frame.
  const double margin = settings.lowest && settings.highest ? 0.0 : 0.04 * (high - low);
  low_ = settings.lowest || (settings.starts_at_zero && low == 0.0) ? low : low - margin;
  high_ = settings.highest ? high : high + margin;
  mark_round_numbers(low, high);
}

void Axis::mark_round_numbers(double low, double high) {
  const double spacing = to_ > from_ ? kPixelsPerTickAcross : kPixelsPerTickUpwards;
  double count = std::max(2.0, std::abs(to_ - from_) / spacing);
  // Fewer than three numbers do not tell a scale.
  for (; ticks_.size() < 3 && count < kMostTicks; count += 1.0) {
    ticks_.clear();
    const double step = round_step((high - low) / count);
    const double slack = 1e-9 * step;
    const auto first = static_cast<long long>(std::ceil((low_ - slack) / step));
    const auto last = static_cast<long long>(std::floor((high_ + slack) / step));
    for (long long i = first; i <= last; ++i) {
      const double value = static_cast<double>(i) * step;
      ticks_.push_back({value, tick_label(value, step)});
    }
  }
}

void Axis::take_logarithmic(const AxisSettings& settings, double low, double high) {
  if (high <= 0.0) high = 1.0;
  if (low <= 0.0) low = high / 1000.0;
  low = std::max(low, high / power_of_ten(static_cast<int>(kMostDecades)));
  if (high < low * 1.5) high = low * 1.5;
  const double margin = settings.lowest && settings.highest ? 1.0 : 1.08;
  low_ = settings.lowest ? low : low / margin;
  high_ = settings.highest ? high : high * margin;
  const double decades = std::log10(high_ / low_);
  const double room = std::abs(to_ - from_) / std::max(decades, 0.1);  // [px] of a decade
  const int every = std::max(1, static_cast<int>(std::ceil(22.0 / room)));
  for (int exponent = exponent_of(low_); power_of_ten(exponent) <= high_ * (1 + 1e-12);
       ++exponent) {
    for (const int digit : {1, 2, 5}) {
      const double value = digit * power_of_ten(exponent);
      if (value < low_ * (1 - 1e-12) || value > high_ * (1 + 1e-12)) continue;
      if (digit == 1 && exponent % every != 0) continue;
      if (digit > 1 && room < 70.0) continue;
      ticks_.push_back({value, format_significant(value, 3)});
    }
  }
  // Between two powers of ten there may be none, or one: it does not tell the scale.
  if (ticks_.size() < 3) mark_round_numbers(low_, high_);
}

double Axis::shown_place(double shown) const noexcept {
  const double part = logarithmic_ ? std::log(shown / low_) / std::log(high_ / low_)
                                   : (shown - low_) / (high_ - low_);
  return from_ + part * (to_ - from_);
}

double Axis::place(double value) const noexcept {
  return shown_place(value * factor_);
}

double Axis::tick_place(const AxisTick& tick) const noexcept {
  return shown_place(tick.value);
}

}  // namespace trestle::plot
