#pragma once

#include <cstdint>
#include <vector>

/// Motions from rest to rest, one value per tick, as offsets from an actuator's position [m
/// | rad]. All begin and end with zero and without a jump of velocity.
namespace trestle::characterisation::motion {

struct Band {
  double lowest = 0.0;   ///< [Hz]
  double highest = 0.0;  ///< [Hz]
};

/// Out and back: amplitude·(1 − cos)/2 over `duration` [s].
std::vector<double> raised_cosine(double amplitude, double duration, double tick);

/// Out by 3s² − 2s³ within `rise`, stays for `hold`, and back likewise [s].
std::vector<double> smooth_step(double amplitude, double rise, double hold, double tick);

/// A sine whose frequency grows evenly from one end of the band to the other. The first
/// and last tenth of the duration fade in and out.
std::vector<double> chirp(double amplitude, Band band, double duration, double tick);

/// Cosines at all multiples of 1/duration in the band, phases drawn from `seed`, faded in
/// and out as the chirp; `amplitude` is its peak.
std::vector<double> band_noise(double amplitude, Band band, double duration, double tick,
                               std::uint64_t seed);

/// With zeros behind it for at least `rest` [s], to a length that spectra are fast for.
std::vector<double> pad_with_rest(std::vector<double> offsets, double rest, double tick);

double largest(const std::vector<double>& offsets) noexcept;

/// Largest change from one tick to the next, per second, of a motion from and to zero.
double largest_rate(const std::vector<double>& offsets, double tick) noexcept;

}  // namespace trestle::characterisation::motion
