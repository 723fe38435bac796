#pragma once

#include <vector>

namespace trestle::report {

/// a − b, over the rows of both.
std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b);

/// The work of a force over a motion since the first row, by the trapezoidal rule: of a
/// whole loop the energy that the specimen dissipated [J].
std::vector<double> work_done(const std::vector<double>& displacement,
                              const std::vector<double>& force);

/// The delay of `measured` behind `target` over the last `memory` seconds, in each row [s];
/// NaN until enough has moved to tell it.
std::vector<double> delay_over_time(const std::vector<double>& target,
                                    const std::vector<double>& measured, double period,
                                    double memory);

/// Fourier amplitudes |X(f)| = Δt·|Σ x·exp(−2πi·f·k·Δt)| of two signals.
struct FourierAmplitudes {
  std::vector<double> frequency;  ///< [Hz]
  std::vector<double> first;      ///< unit of the signal times seconds
  std::vector<double> second;
  /// Below it lie 99.9 % of the first signal's energy [Hz].
  double significant = 0.0;
};
FourierAmplitudes fourier_amplitudes(const std::vector<double>& first,
                                     const std::vector<double>& second, double period);

}  // namespace trestle::report
