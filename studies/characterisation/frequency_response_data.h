#pragma once

#include <complex>
#include <span>
#include <vector>

namespace trestle::characterisation {

/// One motion from rest to rest, seen at the lines of its spectrum in a band: what was
/// driven, what was measured, and how much of that is noise.
///
/// Both signals begin and end at rest, so that measured = H·drive + noise holds at every
/// line without any window and its leakage; the constant part of either does not matter.
struct FrequencyResponseData {
  double tick = 0.0;                        ///< [s]
  std::vector<double> frequency;            ///< [Hz], ascending, evenly spaced
  std::vector<std::complex<double>> drive;  ///< Σ u·exp(−2πi·k·n/N)
  std::vector<std::complex<double>> measured;
  std::vector<double> deviation;  ///< of the noise, of real and imaginary part each
  double late = 0.0;              ///< [s], roughly: by which delay the two are most alike
};

/// Lengths for which the spectrum is fast: no factor above 5, a multiple of 4.
std::size_t fast_samples(std::size_t at_least);

/// @param drive     in force during the tick that ends at the reading
/// @param measured  readings; as many, fast_samples() of them
/// @pre the band holds at least 32 lines, k/(N·tick)
FrequencyResponseData response_lines(std::span<const double> drive,
                                     std::span<const double> measured, double tick,
                                     double lowest, double highest);

/// A stretch of the band.
struct FrequencyBand {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// At most `count` stretches of about equal length, of at least `fewest` lines each; one
/// where there are fewer.
std::vector<FrequencyBand> split_bands(std::size_t lines, std::size_t count,
                                       std::size_t fewest);

/// Returns the part of the motion in a band that is not noise: the coherence γ².
double coherence(const FrequencyResponseData& lines, FrequencyBand band);

/// Root mean square of |H| over the band, noise taken off; 0 if nothing stands out.
double rms_gain(const FrequencyResponseData& lines);

}  // namespace trestle::characterisation
