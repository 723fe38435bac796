#pragma once

#include <complex>
#include <vector>

namespace trestle::characterisation {

/// A delay and a transfer function of order n = denominator.size():
///
///   H(s) = exp(−s·delay)·gain·(1 + n₁·σ + n₂·σ² + ...)/(1 + d₁·σ + d₂·σ² + ...),
///   σ = s/scale
///
/// Without a denominator it is the delay and the gain alone.
struct DelayedTransfer {
  double scale = 1.0;                 ///< [rad/s], > 0
  double delay = 0.0;                 ///< [s], >= 0
  double gain = 0.0;                  ///< at frequency zero
  std::vector<double> denominator{};  ///< d₁, d₂, ...
  std::vector<double> numerator{};    ///< n₁, n₂, ...; fewer than the denominator

  int order() const noexcept { return static_cast<int>(denominator.size()); }
};

/// Frequencies on the unit circle of ticks, z = exp(iθ), with what every evaluation needs.
struct TickCircle {
  TickCircle(const std::vector<double>& frequency, double tick);

  double tick;                ///< [s]
  std::vector<double> theta;  ///< 2π·f·tick
  std::vector<std::complex<double>> z;
  std::vector<std::complex<double>> z_less_1;  ///< without the cancellation
};

/// From the drive in force during a tick to the reading at its end: exactly what
/// `identified` actuators do between two reads. The delay takes the straight line through
/// the drives (PureDelay), what is behind it holds them for a tick (zero-order hold, by the
/// exponential of its matrix): an actuator without delay and order answers 1.
std::vector<std::complex<double>> tick_response(const DelayedTransfer& transfer,
                                                const TickCircle& circle);

/// All poles left of the imaginary axis (Routh and Hurwitz, orders 0 to 4).
bool is_stable(const DelayedTransfer& transfer) noexcept;

}  // namespace trestle::characterisation
