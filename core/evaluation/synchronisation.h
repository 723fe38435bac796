#pragma once

#include <span>
#include <vector>

namespace trestle::evaluation {

/// Achieved over wanted at one frequency.
struct HarmonicRatio {
  double frequency = 0.0;  ///< [Hz]
  double gain = 0.0;
  double phase = 0.0;  ///< [rad]; negative: late
  /// Half width of the ellipse where nothing is wanted, over the wanted amplitude:
  /// gain·|sin phase|.
  double ellipse_half_width = 0.0;
};

/// How an achieved motion x follows a wanted one z, as the plot of x against z shows it
/// (the synchronisation subspace plot of Gawthrop, Wallace and Wagg 2005): a straight line
/// at 45° where they are one. Means are taken off first. NaN if z does not move.
struct Synchronisation {
  double rms_relative = 0.0;  ///< rms(x − z)/rms(z)
  double amplitude = 0.0;     ///< rms(x)/rms(z)
  double axes = 0.0;          ///< minor over major axis: sqrt(λ_min/λ_max) of cov(z, x)
  double angle = 0.0;         ///< of the major axis from that of z [rad]
  /// By least squares x ≈ a·z + b·z', −b/a [s]; positive: late. For small delays.
  double delay = 0.0;
  std::vector<HarmonicRatio> harmonics{};  ///< of the frequencies that were asked for
};

/// @param period       between samples [s]
/// @param frequencies  [Hz]; each by projection over as many whole periods as there are,
/// the
///                     last ones; without one whole period NaN
Synchronisation synchronisation(std::span<const double> wanted,
                                std::span<const double> achieved, double period,
                                const std::vector<double>& frequencies = {});

}  // namespace trestle::evaluation
