#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace trestle::evaluation {

/// Spectra of two real signals of the same length, padded with enough zeros that nothing
/// wraps around: X_m = Σ x_k·exp(−2πi·m·k/L), m = 0 ... L/2. Each signal is transformed
/// once, and their product once. For the end of a run, not for its steps.
class SignalPairSpectrum {
 public:
  SignalPairSpectrum(std::span<const double> target, std::span<const double> measured);
  /// The same target beside another signal: the target is not transformed again.
  SignalPairSpectrum with(std::span<const double> measured) const;

  /// Samples of either signal.
  std::size_t samples() const noexcept { return samples_; }
  /// L: even, at least twice the samples less one.
  std::size_t length() const noexcept { return length_; }
  const std::vector<std::complex<double>>& target() const noexcept { return target_; }
  const std::vector<std::complex<double>>& measured() const noexcept { return measured_; }
  /// √(Σx²·Σy²): no cross-correlation is larger.
  double energy() const noexcept { return energy_; }

  /// r_l = Σ_k x_k·y_{k+l}, cyclic: lag l at l, lag −l at L − l.
  const std::vector<double>& cross_correlation() const noexcept { return correlation_; }

 private:
  void measure(std::span<const double> measured);

  std::size_t samples_;
  std::size_t length_;
  double target_squares_;  // Σx²
  double energy_ = 0.0;
  std::vector<std::complex<double>> target_;
  std::vector<std::complex<double>> measured_;
  std::vector<double> correlation_;
};

}  // namespace trestle::evaluation
