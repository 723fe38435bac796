#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "core/types/actuator_vector.h"
#include "core/types/drive_in_force.h"
#include "core/types/limits.h"

namespace trestle::checks {

/// Largest change that does not count as motion [m | rad]: a fraction of the displacement
/// limit, or some ticks at the rate limit.
inline double slack(const ActuatorLimits& limits, double tick) noexcept {
  constexpr double kOfDisplacement = 0.002;
  constexpr double kTicks = 2.0;
  double most = 1e-6;
  if (std::isfinite(limits.displacement)) most = kOfDisplacement * limits.displacement;
  if (std::isfinite(limits.rate)) most = std::max(most, kTicks * limits.rate * tick);
  return most;
}

/// @pre one limit per actuator
inline bool are_near(const ActuatorVector& a, const ActuatorVector& b,
                     const RigLimits& limits, double tick) noexcept {
  if (a.size() != b.size()) return false;
  for (Eigen::Index i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= slack(limits[static_cast<std::size_t>(i)], tick)))
      return false;
  return true;
}

/// Returns true if the rig is where the last written drive left it: no other means moved
/// it.
/// @pre one limit per actuator
inline bool still_stands(const DriveInForce& before, const ActuatorVector& measured,
                         const RigLimits& limits, double tick) noexcept {
  // So much further off its drive than it was when that was written.
  constexpr double kFurtherOff = 1.25;
  if (before.drive.size() != measured.size()) return false;
  for (Eigen::Index i = 0; i < measured.size(); ++i) {
    const double was = std::abs(before.drive[i] - before.measured[i]);
    const double is = std::abs(before.drive[i] - measured[i]);
    if (!(is <= kFurtherOff * was + slack(limits[static_cast<std::size_t>(i)], tick)))
      return false;
  }
  return true;
}

/// Returns true if the equipment may have another drive in force: it stopped by itself
/// after this drive, or reads and writes before it were lost.
inline bool is_doubtful(const DriveInForce& before) noexcept {
  return !before.measured.allFinite();
}

/// A doubtful drive counts as in force if the rig stands on it: the step between it and the
/// drive in force is then within the noise of a transducer.
/// @pre one limit per actuator
inline bool stands_on(const DriveInForce& before, const ActuatorVector& measured,
                      const RigLimits& limits, double tick) noexcept {
  constexpr double kOfDisplacement = 0.002;
  constexpr double kTicks = 0.25;
  if (before.drive.size() != measured.size()) return false;
  for (Eigen::Index i = 0; i < measured.size(); ++i) {
    const ActuatorLimits& limit = limits[static_cast<std::size_t>(i)];
    double most = 1e-6;
    if (std::isfinite(limit.displacement)) most = kOfDisplacement * limit.displacement;
    if (std::isfinite(limit.rate)) most = std::min(most, kTicks * limit.rate * tick);
    if (!(std::abs(before.drive[i] - measured[i]) <= most)) return false;
  }
  return true;
}

/// Returns the drive that the equipment's own controller reports
/// (SiteAdapter::drive_in_force), if it reports a finite number for each actuator.
inline std::optional<ActuatorVector> reported_drive(std::span<const double> said,
                                                    Eigen::Index actuators) noexcept {
  if (said.empty() || said.size() != static_cast<std::size_t>(actuators))
    return std::nullopt;
  ActuatorVector drive(actuators);
  std::copy(said.begin(), said.end(), drive.data());
  return drive.allFinite() ? std::optional(drive) : std::nullopt;
}

}  // namespace trestle::checks
