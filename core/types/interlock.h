#pragma once

#include <cstdint>

#include "core/types/fault.h"

namespace trestle {

/// What a site does in the control tick in which an interlock is active; the later one of
/// several has precedence.
enum class InterlockReaction : std::uint8_t {
  kNone,
  kRamp,     ///< the site's safe action, which is a motion
  kHold,     ///< the drive stays where it is, whatever the safe action is
  kRelease,  ///< holds, then releases the pressure (SiteAdapter::release)
};

/// The interlock that a site reacts to, as of the last read of its rig.
struct ActiveInterlock {
  InterlockReaction reaction = InterlockReaction::kNone;
  int index = -1;  ///< among those of the site's file

  explicit operator bool() const noexcept { return reaction != InterlockReaction::kNone; }
};

/// kInterlock (index: of the site's file; value: its reaction); none: none is active.
inline Fault interlock_fault(const ActiveInterlock& active) noexcept {
  if (!active) return {};
  return {FaultKind::kInterlock, active.index, static_cast<double>(active.reaction), 0.0};
}

/// Whether a rig with this fault must not move: it is an interlock whose reaction is a
/// hold, or more than that.
inline bool forbids_motion(const Fault& fault) noexcept {
  return fault.kind == FaultKind::kInterlock &&
         fault.value > static_cast<double>(InterlockReaction::kRamp);
}

/// Whether the pressure of a rig with this fault is released once the rig holds.
inline bool asks_for_release(const Fault& fault) noexcept {
  return fault.kind == FaultKind::kInterlock &&
         fault.value == static_cast<double>(InterlockReaction::kRelease);
}

/// Whether an active interlock asks for more than what was done for a latched fault: for a
/// hold, or for more than the interlock that was latched.
inline bool is_stronger(const Fault& active, const Fault& latched) noexcept {
  return forbids_motion(active) &&
         (latched.kind != FaultKind::kInterlock || active.value > latched.value);
}

/// What a site tells its equipment by digital outputs.
struct SiteSignals {
  bool ready = false;    ///< the site runs and is not in FAULT
  bool running = false;  ///< a test, or a person's command, drives the rig

  bool operator==(const SiteSignals&) const = default;
};

}  // namespace trestle
