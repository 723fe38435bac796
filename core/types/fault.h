#pragma once

#include <cstdint>

namespace trestle {

/// Why a site no longer follows its targets. Latched at the site.
enum class FaultKind : std::uint8_t {
  kNone,
  kNotFinite,          ///< a NaN or an infinity in drive or measurement
  kDisplacementLimit,  ///< of an actuator's drive [m | rad]
  kRateLimit,          ///< of an actuator's drive against the one before [m/s | rad/s]
  kForceLimit,         ///< measured [N | N·m]
  kTrackingError,      ///< drive against measured displacement [m | rad]
  kTargetLimit,        ///< of an interface DOF [m | rad]
  kAdapter,            ///< the rig's own protection acted, or no fresh measurement came
  kPeerSilent,         ///< no valid message for the watchdog's time [s]
  kJournal,            ///< the record can no longer be kept
  kStopped,            ///< by an operator, or because another node asked
  kOverrun,            ///< control ticks came too late, one after the other [s]
  kEnergyError,        ///< energy fed in by delayed motion, over the exchanged energy
  kAccelerationLimit,  ///< of an actuator's drive [m/s² | rad/s²]
  kStalled,            ///< a control cycle was due and is not completed [s]
  kSuspended,          ///< the host slept while the rig was driven [s]
  kUnknownDrive,       ///< the drive in force is unknown
  kInterlock,          ///< an input of the rig: `index`; value: its InterlockReaction
};

/// One fault, complete enough to make its sentence from: which axis, what number, what
/// limit.
struct Fault {
  FaultKind kind = FaultKind::kNone;
  int index = -1;      ///< actuator, or interface DOF for kTargetLimit; -1: the whole site
  double value = 0.0;  ///< found value, in the unit of the kind
  double limit = 0.0;  ///< limit, in the same unit

  explicit operator bool() const noexcept { return kind != FaultKind::kNone; }
};

}  // namespace trestle
