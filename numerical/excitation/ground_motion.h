#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trestle::excitation {

/// An accelerogram: samples at increasing times, straight lines between them.
struct GroundMotion {
  std::vector<double> time;          ///< [s]; increasing, at least two
  std::vector<double> acceleration;  ///< [m/s²]

  /// Time of the last sample [s].
  double duration() const noexcept { return time.back(); }
  /// Acceleration at k·Δt, k = 0 ... count − 1; zero outside the record. A sample that
  /// falls on a step (to 1e-9 of its interval) is kept bit for bit.
  std::vector<double> resample(double time_step, std::int64_t count) const;
};

/// The largest acceleration of a ground motion, scale included [m/s²]. The strongest record
/// has about 40 m/s²; a shock table reaches some 1000.
constexpr double kLargestAcceleration = 1e4;

/// Reads a record: PEER .AT2 (by its extension), or two columns, time [s] and acceleration,
/// separated by comma, semicolon, tab or blanks, under a header (FileHeader) that may state
/// the unit: `time_s,accel_g`, `t [s]; a [cm/s2]`. An evenly sampled record must not have
/// gaps.
/// @param unit   of the file's accelerations [m/s²]; 0: its own (g for .AT2, else the
///               header's, else m/s²)
/// @param scale  factor on the accelerations
/// @param path   dotted path of the setting, for errors
/// @throws SettingError with file and line where the file cannot be read as a record
GroundMotion read_ground_motion(const std::string& file, double unit, double scale,
                                const std::string& path);

/// Reads two columns, time [s] and values, as a record is read; `acceleration` holds the
/// values as they are.
/// @param unit  that a header may state, in small letters; empty: none
/// @throws SettingError with file and line, also if the header states another unit
GroundMotion read_plain_columns(const std::string& file, std::string_view unit,
                                const std::string& path);

}  // namespace trestle::excitation
