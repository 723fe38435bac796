#pragma once

#include <string>
#include <vector>

#include "numerical/excitation/ground_motion.h"

namespace trestle::excitation {

/// Displacement [m | rad] of a support and its derivatives.
struct SupportState {
  double displacement = 0.0;
  double velocity = 0.0;
  double acceleration = 0.0;
};

/// The motion of a support over time: a polynomial between its points, at rest before the
/// first.
class SupportHistory {
 public:
  /// Integrates straight lines of acceleration exactly, from rest; behind the last sample
  /// the velocity stays.
  static SupportHistory of_acceleration(const GroundMotion& motion);
  /// A smooth curve through points: the cubic spline that is at rest at both ends; behind
  /// the last point it stays there.
  /// @pre at least two points, times rise
  static SupportHistory of_displacement(const std::vector<double>& times,
                                        const std::vector<double>& displacements);
  /// Points with their velocities and accelerations: polynomials of fifth degree.
  /// @pre at least two points, times rise
  static SupportHistory of_states(std::vector<double> times,
                                  std::vector<SupportState> states);

  SupportState at(double time) const;
  double end() const noexcept { return times_.back(); }
  /// The largest displacement of a point [m | rad].
  double peak_displacement() const;
  /// A step between two points that stands out: it is more than five times the median step,
  /// and more than five times those beside it. In an earthquake the median is that of the
  /// quiet parts, and the steps of its strong ones rise from point to point.
  struct Jump {
    double step = 0.0;    ///< the largest one [m | rad]; zero: none
    double median = 0.0;  ///< of the steps that move
  };
  Jump jump() const;

 private:
  // Displacement by powers of the time since point i [s], up to the fifth.
  struct Polynomial {
    double c[6];
    SupportState at(double t) const noexcept;
  };

  std::vector<double> times_;
  std::vector<Polynomial> parts_;  // one behind each point, the last one open
};

/// Reads displacements: two columns, time and displacement, or four, with velocity and
/// acceleration; SI, separated by comma, semicolon or blanks, under at most one header
/// line.
/// @param scale  factor on the displacements and their derivatives
/// @param path   dotted path of the setting, for errors
/// @throws SettingError with file and line if it cannot be read, or if displacements
///         without velocities jump: SupportHistory::jump()
SupportHistory read_support_displacements(const std::string& file, double scale,
                                          const std::string& path);

}  // namespace trestle::excitation
