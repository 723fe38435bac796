#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "studies/characterisation/delayed_transfer.h"
#include "studies/characterisation/frequency_response_data.h"

namespace trestle::characterisation {

/// A stretch of the band: what was measured there beside what was fitted.
struct ResponsePoint {
  double frequency = 0.0;  ///< [Hz]
  std::complex<double> measured;
  std::complex<double> fitted;
  double deviation = 0.0;  ///< of |measured|, from its noise
  double coherence = 0.0;
};

/// The identified path from one drive to one displacement.
struct IdentifiedTransfer {
  DelayedTransfer transfer;
  std::vector<std::complex<double>> poles;  ///< [rad/s]
  std::vector<std::complex<double>> zeros;  ///< [rad/s]
  double delay_deviation = 0.0;             ///< [s]
  double gain_deviation = 0.0;
  /// Largest standard deviation of the response in the band, with the misfit that noise
  /// does not explain, over its largest value.
  double worst_deviation = 0.0;
  double lowest_coherence = 0.0;
  /// Root of the misfit over what noise explains: 1 where the shape is right.
  double fit_error = 0.0;
  double highest = 0.0;  ///< of the band [Hz]
  /// Delay of a slow motion, if the drive aims at the end of its tick: the expected delay
  /// of a compensator [s].
  double low_frequency_delay = 0.0;
  double corner = 0.0;   ///< frequency at -3 dB [Hz]; 0: none
  bool nothing = false;  ///< no response that stands out of the noise
  std::vector<ResponsePoint> points{};
};

struct EstimateSettings {
  std::optional<int> order{};      ///< 1 to 4; nothing: the best of 0 to 4
  std::optional<double> delay{};   ///< known already [s]; nothing: fitted, too
  bool allow_no_response = false;  ///< of an actuator that another one drives
};

/// The shape, order 0 to 4 with up to order − 1 zeros, that Schwarz's criterion (BIC 1978)
/// prefers. Standard deviations are from the fit's covariance, at the residual variance
/// where that is above the noise's, with the spread between that shape and simpler ones
/// that are about as likely, by the weights exp(−ΔBIC/2) (Hoeting et al. 1999).
IdentifiedTransfer estimate_transfer(const FrequencyResponseData& lines,
                                     const EstimateSettings& settings);

}  // namespace trestle::characterisation
