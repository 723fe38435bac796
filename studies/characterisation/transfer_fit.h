#pragma once

#include <Eigen/Core>
#include <optional>

#include "studies/characterisation/delayed_transfer.h"
#include "studies/characterisation/frequency_response_data.h"

namespace trestle::characterisation {

/// A transfer function of a given shape that fits the measured lines best, and how far to
/// trust it.
struct FittedTransfer {
  DelayedTransfer transfer;
  /// Σ |Y − H·U|²/deviation²: about twice the lines where the shape is right.
  double misfit = 0.0;
  bool fixed_delay = false;
  /// Covariance of delay [tick] (unless it is fixed), gain, d₁ ..., n₁ ...: the inverse of
  /// JᵀJ, for the deviations of the lines.
  Eigen::MatrixXd covariance;

  int parameters() const noexcept { return static_cast<int>(covariance.rows()); }
};

/// Weighted least squares in the frequency domain on the response from tick to tick itself,
/// by Levenberg and Marquardt from several starts. Stable; the delay is not below zero.
/// @param order  0 to 4
/// @param zeros  below the order, or 0
/// @param delay  keeps it; nothing: fitted, too [s]
FittedTransfer fit_transfer(const FrequencyResponseData& lines, const TickCircle& circle,
                            int order, int zeros, std::optional<double> delay);

/// Standard deviations of real and imaginary part together, sqrt(tr), of the fitted
/// response at each place of `circle`.
std::vector<double> response_deviation(const FittedTransfer& fit, const TickCircle& circle);

}  // namespace trestle::characterisation
