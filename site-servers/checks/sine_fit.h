#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace trestle::checks {

/// Least squares of readings by m + S sin(2πk/p) + C cos(2πk/p), tick k after tick, over a
/// whole number of periods of p ticks: the three columns are then orthogonal, so S = 2/n Σ
/// y sin, C = 2/n Σ y cos, m = 1/n Σ y. add() does not allocate.
class SineFit {
 public:
  /// Of nothing yet.
  SineFit() = default;
  /// @param period  in ticks, >= 3
  explicit SineFit(std::int64_t period) : period_(period) {}

  void add(std::int64_t tick, double reading) noexcept {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(tick % period_) /
                         static_cast<double>(period_);
    sine_ += reading * std::sin(angle);
    cosine_ += reading * std::cos(angle);
    ++count_;
  }
  std::int64_t count() const noexcept { return count_; }

  // --- after whole periods, at least one ---

  double amplitude() const noexcept {
    return 2.0 * std::hypot(sine_, cosine_) / static_cast<double>(count_);
  }
  /// The part of the reading that is in phase with the sine; below zero: against it.
  double in_phase() const noexcept { return 2.0 * sine_ / static_cast<double>(count_); }
  double in_quadrature() const noexcept {
    return 2.0 * cosine_ / static_cast<double>(count_);
  }
  /// How far the reading is behind the sine, or behind its negative if it moves against it,
  /// −1/4 to 1/4 of a period [ticks].
  double lag() const noexcept {
    const double angle =
        sine_ < 0.0 ? std::atan2(cosine_, -sine_) : std::atan2(-cosine_, sine_);
    return angle / (2.0 * std::numbers::pi) * static_cast<double>(period_);
  }

 private:
  std::int64_t period_ = 3;
  std::int64_t count_ = 0;
  double sine_ = 0.0;    // Σ y sin
  double cosine_ = 0.0;  // Σ y cos
};

}  // namespace trestle::checks
