#include "studies/spectrum/response_spectrum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trestle::spectrum {
namespace {

// Pieces of a period: none has more than one extreme.
constexpr double kPiecesPerPeriod = 16.0;
// Each halves the piece in which the velocity changes its sign.
constexpr int kHalvings = 40;

/// Of the oscillator, relative to its base.
struct Motion {
  double displacement = 0.0;  ///< [m]
  double velocity = 0.0;      ///< [m/s]
};

/// The oscillator within one piece of a straight excitation.
class StraightPiece {
 public:
  /// @param slope  of the ground's acceleration [m/s³]
  StraightPiece(double omega, double damping, const Motion& start, double acceleration,
                double slope)
      : decay_(damping * omega), damped_(omega * std::sqrt(1.0 - damping * damping)) {
    const double stiffness = omega * omega;
    drift_ = -slope / stiffness;
    offset_ = -(acceleration + 2.0 * damping * omega * drift_) / stiffness;
    cosine_ = start.displacement - offset_;
    sine_ = (start.velocity + decay_ * cosine_ - drift_) / damped_;
  }

  double displacement(double time) const noexcept {
    return offset_ + drift_ * time +
           std::exp(-decay_ * time) *
               (cosine_ * std::cos(damped_ * time) + sine_ * std::sin(damped_ * time));
  }
  double velocity(double time) const noexcept {
    const double c = std::cos(damped_ * time);
    const double s = std::sin(damped_ * time);
    return drift_ + std::exp(-decay_ * time) * (damped_ * (sine_ * c - cosine_ * s) -
                                                decay_ * (cosine_ * c + sine_ * s));
  }

 private:
  double decay_;
  double damped_;
  double drift_ = 0.0;  // of the particular solution, offset + drift·t
  double offset_ = 0.0;
  double cosine_ = 0.0;  // of the free vibration
  double sine_ = 0.0;
};

/// Where the velocity changes its sign within a piece, whose ends have different ones.
double extreme_within(const StraightPiece& piece, double duration, bool rises) {
  double low = 0.0;
  double high = duration;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    ((piece.velocity(middle) > 0.0) == rises ? low : high) = middle;
  }
  return piece.displacement(0.5 * (low + high));
}

/// Follows the oscillator, and keeps the largest displacement that it has met.
class Oscillator {
 public:
  Oscillator(double period, double damping)
      : omega_(2.0 * std::numbers::pi / period),
        damping_(damping),
        longest_(period / kPiecesPerPeriod) {}

  void follow(double duration, double acceleration, double slope) {
    const int pieces = static_cast<int>(std::ceil(duration / longest_));
    const double time = duration / pieces;
    for (int i = 0; i < pieces; ++i) {
      const StraightPiece piece(omega_, damping_, motion_, acceleration + slope * time * i,
                                slope);
      const double before = motion_.velocity;
      motion_ = {piece.displacement(time), piece.velocity(time)};
      meet(motion_.displacement);
      if (before * motion_.velocity < 0.0) meet(extreme_within(piece, time, before > 0.0));
    }
  }
  double peak() const noexcept { return peak_; }

 private:
  void meet(double displacement) noexcept {
    peak_ = std::max(peak_, std::abs(displacement));
  }

  double omega_;
  double damping_;
  double longest_;
  Motion motion_;
  double peak_ = 0.0;
};

}  // namespace

double ResponseSpectrum::pseudo_velocity(std::size_t i) const noexcept {
  return 2.0 * std::numbers::pi / period[i] * displacement[i];
}

double ResponseSpectrum::pseudo_acceleration(std::size_t i) const noexcept {
  return 2.0 * std::numbers::pi / period[i] * pseudo_velocity(i);
}

double peak_displacement(const excitation::GroundMotion& motion, double period,
                         double damping) {
  Oscillator oscillator(period, damping);
  for (std::size_t i = 0; i + 1 < motion.time.size(); ++i) {
    const double duration = motion.time[i + 1] - motion.time[i];
    oscillator.follow(duration, motion.acceleration[i],
                      (motion.acceleration[i + 1] - motion.acceleration[i]) / duration);
  }
  oscillator.follow(period, 0.0, 0.0);  // the extreme that is under way
  return oscillator.peak();
}

ResponseSpectrum response_spectrum(const excitation::GroundMotion& motion,
                                   std::span<const double> periods, double damping) {
  ResponseSpectrum spectrum;
  spectrum.damping = damping;
  for (const double period : periods) {
    spectrum.period.push_back(period);
    spectrum.displacement.push_back(peak_displacement(motion, period, damping));
  }
  return spectrum;
}

std::vector<double> logarithmic_periods(double first, double last, int count) {
  std::vector<double> periods;
  for (int i = 0; i < count; ++i)
    periods.push_back(first * std::pow(last / first, static_cast<double>(i) / (count - 1)));
  periods.back() = last;
  return periods;
}

}  // namespace trestle::spectrum
