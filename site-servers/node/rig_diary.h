#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types/audit_entry.h"
#include "core/types/rig_report.h"
#include "site-servers/node/rig_tare.h"

namespace trestle::site_node {

/// In the acts of a release of the rig, be it done or not: the rig may have moved since.
inline constexpr std::string_view kReleaseAct = "release of the pressure";

/// The readings of a rig that a person took as its zero, as the equipment gave them: before
/// any tare.
struct RigZero {
  std::string at{};  ///< "2026-11-27T09:12:03Z by ada@lab"
  std::vector<RigReading> readings{};
};

/// Keeps what people do to a rig while no record is open, durably. The record of the next
/// test takes it over. Thread: the node's, between two ticks; each call may wait for the
/// disk.
class RigDiary {
 public:
  virtual ~RigDiary() = default;

  /// Keeps an act, with the time, before it takes effect.
  /// @throws std::runtime_error  it cannot be kept
  virtual void keep(const AuditEntry& act) = 0;
  /// A command is about to move the rig: the drive that a person stated before is no longer
  /// in force. @throws std::runtime_error  it cannot be set aside
  virtual void begin_motion() = 0;
  /// Returns the acts since the last test, oldest first; each text begins with its time.
  virtual std::vector<AuditEntry> acts() const = 0;
  /// The record of a test has them now.
  virtual void hand_over() = 0;

  /// Returns the last zero readings; no value: none were kept.
  virtual std::optional<RigZero> zero() const = 0;
  /// Replaces them. @param by  user@host. @throws std::runtime_error
  virtual void keep_zero(const std::string& by,
                         const std::vector<RigReading>& readings) = 0;

  /// Returns the tare that the readings of the rig have from the beginning of a process on.
  virtual RigTare tare() const = 0;
  /// Replaces it. @param offsets  of all tared channels; those without time get the present
  /// one. @param by  user@host. @throws std::runtime_error
  virtual void keep_tare(const std::string& by, const std::vector<TareOffset>& offsets) = 0;
};

}  // namespace trestle::site_node
