#pragma once

#include <optional>
#include <string>

#include "core/types/actuator_vector.h"
#include "site-servers/node/agreed_test.h"
#include "site-servers/node/site_loop.h"
#include "site-servers/node/site_recorder.h"
#include "site-servers/node/site_rig.h"
#include "site-servers/node/site_session.h"
#include "site-servers/node/told_drive.h"

namespace trestle::site_node {

/// Determines the drive that the equipment has in force, if neither the equipment nor the
/// record states it. A guess would reach the rig as a step. The site is in FAULT until a
/// person states it.
class DriveQuestion {
 public:
  struct Parts {
    const SiteSettings& settings;
    const AgreedTest& agreed;
    SiteRecorder& record;
    SiteRig& rig;
    SiteLoop& loop;
    SiteSession& session;
  };

  /// All outlive this.
  explicit DriveQuestion(const Parts& parts) : parts_(parts) {}

  /// Returns true if the question is open.
  bool open() const noexcept { return asked_.has_value(); }
  /// Returns the values against which an answer is checked; empty: no question is open.
  std::optional<AskedDrive> asked() const;
  void withdraw() noexcept { asked_.reset(); }
  /// By a running loop that cannot continue. @param last  given last, or empty
  void ask(const ActuatorVector& measured, const ActuatorVector& last);
  /// After a restart: checks whether the drive on record is in force, and opens the
  /// question if that cannot be seen. @param measured  position of the rig. @returns
  /// whether the drive is known
  bool find(InterruptedSession& past, const ActuatorVector& measured);
  /// The question to a person. @param alone  as of unknown_drive_text(). @pre open()
  std::string sentence(bool alone) const;

  /// Takes a person's answer. If the rig has not moved since the question, the first drive
  /// is this one.
  /// @param drive  "14.94 mm" or "measured"; empty: none was given
  /// @returns why not, or empty
  std::string answer(const std::string& by, const std::string& drive);
  /// Returns the drive that a person stated; empty: not stated.
  const ActuatorVector& told() const noexcept { return told_; }

 private:
  bool told_before(InterruptedSession& past, const ActuatorVector& measured) const;
  bool may_trust(std::optional<DriveInForce>& given, const ActuatorVector& measured) const;
  void keep(const ActuatorVector& drive);

  Parts parts_;
  std::optional<UnknownDrive> asked_;
  ActuatorVector told_;
};

}  // namespace trestle::site_node
