#pragma once

#include <string>
#include <utility>

#include "core/types/audit_entry.h"

namespace trestle::session {

/// The values of AuditEntry::what, and the entries that nodes write
/// (docs/reference/session-contract.md lists who writes which, and when). `by` is
/// user@host, or a node's name if no person was involved; `from` is the source of the
/// command: "terminal", "operator channel", "bus: integrator".
namespace audit_what {
inline constexpr const char* kConfigured = "configured";
inline constexpr const char* kLimit = "limit";
inline constexpr const char* kOverride = "override";
inline constexpr const char* kArmed = "armed";
inline constexpr const char* kHeld = "held";
inline constexpr const char* kHeard = "heard";  ///< the integrator knows a site's hold
inline constexpr const char* kResumed = "resumed";
inline constexpr const char* kStopped = "stopped";
inline constexpr const char* kCleared = "cleared";
inline constexpr const char* kNoted = "noted";
inline constexpr const char* kRig = "rig";
inline constexpr const char* kConfirmed = "confirmed";
inline constexpr const char* kUnconfirmed = "unconfirmed";
inline constexpr const char* kWaived = "waived";
inline constexpr const char* kReadings = "readings";  ///< of a rig when it was armed
/// A peer's digest as it came with Arm, Armed, Stop or Stopped: `who` is the peer as its
/// journal calls its node, `text` the digest and nothing else.
inline constexpr const char* kPeerDigest = "witness";
}  // namespace audit_what

/// The `from` of a person's commands to a node's operator interface.
inline constexpr const char* kOperatorChannel = "operator channel";

/// The text of a test that was stopped because it was set aside.
inline constexpr const char* kSetAside =
    "set aside at the site: it cannot be resumed any longer";

/// @param from  "bus: <node>" of the other end
inline AuditEntry audit_configured(std::string by, std::string from,
                                   const std::string& contract_hash) {
  return {std::move(by), std::move(from), audit_what::kConfigured,
          "contract " + contract_hash};
}

/// @param line  of Configured::tightened
inline AuditEntry audit_limit(std::string site, std::string from, const std::string& line) {
  return {std::move(site), std::move(from), audit_what::kLimit,
          line + ", tighter than the test's"};
}

/// Entry of a node with a plain socket beyond its own machine.
inline AuditEntry audit_insecure(std::string by, std::string from) {
  return {std::move(by), std::move(from), audit_what::kOverride,
          "security.insecure: any program that reaches this end of the bus may command, "
          "unproven"};
}

/// @param setting  as it is written: "arming.allow_unstable", "security.insecure"
/// @param why      one clause: what would have been refused
inline AuditEntry audit_override(std::string by, std::string from,
                                 const std::string& setting, const std::string& why) {
  return {std::move(by), std::move(from), audit_what::kOverride, setting + ": " + why};
}

inline AuditEntry audit_armed(std::string by, std::string from,
                              const std::string& contract_hash) {
  return {std::move(by), std::move(from), audit_what::kArmed, "contract " + contract_hash};
}

inline AuditEntry audit_held(std::string by, std::string from, std::string reason) {
  return {std::move(by), std::move(from), audit_what::kHeld, std::move(reason)};
}

/// @param held  by a person at this site
inline AuditEntry audit_heard(std::string from, const AuditEntry& held) {
  return {"integrator", std::move(from), audit_what::kHeard,
          "the hold of " + held.who + (held.text.empty() ? "" : ": " + held.text)};
}

inline AuditEntry audit_resumed(std::string by, std::string from,
                                const std::string& next_step,
                                const std::string& contract_hash) {
  return {std::move(by), std::move(from), audit_what::kResumed,
          "from step " + next_step + " on, contract " + contract_hash};
}

inline AuditEntry audit_stopped(std::string by, std::string from, std::string reason) {
  return {std::move(by), std::move(from), audit_what::kStopped, std::move(reason)};
}

/// @param fault  its sentence
inline AuditEntry audit_cleared(std::string by, std::string from, std::string fault) {
  return {std::move(by), std::move(from), audit_what::kCleared, std::move(fault)};
}

/// @param text  of note_text()
inline AuditEntry audit_noted(std::string by, std::string from, std::string text) {
  return {std::move(by), std::move(from), audit_what::kNoted, std::move(text)};
}

/// A command to a rig between two tests. @param act  "jog of actuator 1 by 2 mm: ..."
inline AuditEntry audit_rig(std::string by, std::string from, std::string act) {
  return {std::move(by), std::move(from), audit_what::kRig, std::move(act)};
}

/// An item of the checklist before arming. @param at  when, UTC
inline AuditEntry audit_confirmed(std::string by, const std::string& item,
                                  const std::string& at) {
  return {std::move(by), kOperatorChannel, audit_what::kConfirmed, item + " (" + at + ")"};
}

/// An item that a person lets be left undone. @param at  when, UTC
inline AuditEntry audit_waived(std::string by, const std::string& item,
                               const std::string& at, const std::string& reason) {
  return {std::move(by), kOperatorChannel, audit_what::kWaived,
          item + " (" + at + "): " + reason};
}

/// Items that were open when it was armed.
inline AuditEntry audit_unconfirmed(std::string by, std::string items) {
  return {std::move(by), kOperatorChannel, audit_what::kUnconfirmed, std::move(items)};
}

/// What the transducers of a site read when its rig was armed.
inline AuditEntry audit_readings(const std::string& site, std::string readings) {
  return {site, "bus: " + site, audit_what::kReadings, std::move(readings)};
}

inline AuditEntry audit_peer_digest(std::string peer, std::string digest) {
  std::string from = "bus: " + peer;
  return {std::move(peer), std::move(from), audit_what::kPeerDigest, std::move(digest)};
}

}  // namespace trestle::session
