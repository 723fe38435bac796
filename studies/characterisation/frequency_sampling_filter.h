#pragma once

#include <complex>
#include <vector>

#include "studies/characterisation/transfer_parameters.h"

namespace trestle::characterisation {

struct FrequencySamplingSettings {
  double tick = 1e-3;     ///< control tick δt [s], > 0
  double settling = 0.3;  ///< after which a step response no longer moves [s]: N ticks
  int frequencies = 0;    ///< pairs beside ω = 0; 0: as PRESS chooses
  int noise_order = 0;    ///< p of the noise model; 0: white
};

/// A response without a form: its values at ω_l = 2πl/(N δt), and the step response that
/// they make. Deviations are one standard deviation.
struct FrequencySamplingModel {
  double spacing = 0.0;                         ///< 1/(N δt) [Hz]
  std::vector<std::complex<double>> response;   ///< G(e^{jω_l}), l = 0 ... frequencies
  std::vector<std::complex<double>> deviation;  ///< of real and imaginary part
  std::vector<double> step;                     ///< at the end of tick m = 0 ... N − 1
  std::vector<double> step_deviation;
  std::vector<double> noise;  ///< d₁ ... d_p of v[k] + Σ dᵢ·v[k−i] = e[k]
  double innovation = 0.0;    ///< standard deviation of e [m]
  double press = 0.0;         ///< root mean square of the errors left out one at a time [m]
  std::size_t rows = 0;       ///< equations of the fit
};

/// Identifies a transfer system by the frequency-sampling filter of Wang and Cluett (From
/// Plant Data to Process Control, Taylor and Francis 2000, chapters 2 to 4, from memory):
/// a finite impulse response of N ticks in the basis of its frequency samples,
///
///   y[k] = Σ_{|l| ≤ n} G(e^{jω_l})·f_l[k] + v[k],   f_l[k] = (1/N)·Σ_{i<N}
///   e^{jω_l·i}·u[k−i],
///
/// by least squares. With 2n + 1 = N it is the finite impulse response itself; fewer
/// frequencies leave out what the excitation does not show, without a model's form. n is
/// the one of least PRESS, Σ (e/(1 − h))² with h the leverage of its row (Allen 1974), and
/// at most 40. Coloured noise is an autoregression of order p, found from what is left and
/// taken out of both sides, in turn, until it stays (generalised least squares, Clarke
/// 1967). Step response, g_m = Σ_{i≤m} h_i with h_i = (1/N)·Σ G·e^{jω_l·i}.
///
/// Its deviations are those of noise alone: what happens after N ticks, or between the
/// frequencies beyond n, is a bias that they do not tell; compare two values of `settling`.
///
/// @param records  each from rest; `force` is not used: a specimen that was attached is
///                 part of what was identified
/// @pre at least one drive moves
/// @throws SettingError  at `settling`, `frequencies` or `noise_order`, where they do not
///                       go with each other or with the length of the records
FrequencySamplingModel fit_frequency_samples(const std::vector<TransferRecord>& records,
                                             const FrequencySamplingSettings& settings);

}  // namespace trestle::characterisation
