#pragma once

#include <string>
#include <vector>

#include "numerical/excitation/ground_motion.h"

namespace trestle::config {
class BaseMotion;
class Excitation;
class SupportMotion;
}  // namespace trestle::config

namespace trestle::composition {

/// What is known of one motion of the ground or of supports before it is sampled.
struct ImposedMotion {
  std::string path;               ///< of its setting, `excitation.motions[0]`
  std::string record;             ///< file
  std::string direction;          ///< x, y, z, rx, ry or rz
  double angle = 0.0;             ///< by which a direction of the ground is turned [rad]
  std::vector<std::string> dofs;  ///< of supports, `west.x`; empty: the ground moves
  bool displaced = false;         ///< the file gives displacements, not accelerations
  /// Largest value of the file, scale included [m/s² | rad/s²], or [m | rad] if
  /// `displaced`.
  double peak = 0.0;

  bool turns() const { return direction.starts_with('r'); }
};

/// Reads the file of every motion in `motions` and `supports`, in this order.
/// @param path  of `excitation`, for errors
/// @throws SettingError if a file cannot be read
std::vector<ImposedMotion> imposed_motions(const config::Excitation& excitation,
                                           const std::string& path);

/// Reads the accelerations of a motion of the ground, scale included, from time 0 on.
/// @param path  of `motion`, for errors
/// @throws SettingError if the file cannot be read
excitation::GroundMotion read_base_motion(const config::BaseMotion& motion,
                                          const std::string& path);

/// Reads the accelerations of a motion of supports, as read_base_motion() does.
/// @pre its file holds accelerations
excitation::GroundMotion read_support_motion(const config::SupportMotion& motion,
                                             const std::string& path);

}  // namespace trestle::composition
