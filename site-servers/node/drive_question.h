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

namespace trestle {

/// Which drive has the equipment in force, if neither the equipment nor the record says it?
/// A guess would go to the rig as a step. The site is in FAULT until a person says it.
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

  /// A person is asked.
  bool open() const noexcept { return asked_.has_value(); }
  /// What the answer is judged by; nothing: nobody is asked.
  std::optional<AskedDrive> asked() const;
  void withdraw() noexcept { asked_.reset(); }
  /// By a running loop that cannot continue. @param last  given last, or empty
  void ask(const ActuatorVector& measured, const ActuatorVector& last);
  /// After a restart: finds out whether the drive on record is in force, and asks if that
  /// cannot be seen. @param measured  where the rig stands. @returns whether it is known
  bool find(InterruptedSession& past, const ActuatorVector& measured);
  /// The question to a person. @param alone  as of unknown_drive_text(). @pre open()
  std::string sentence(bool alone) const;

  /// A person's word: if the rig still stands as it did when that was asked, the first
  /// drive is this one.
  /// @param drive  "14.94 mm" or "measured"; empty: the person says none
  /// @returns why not, or empty
  std::string answer(const std::string& by, const std::string& drive);
  /// As said of a loop that lives; empty: no person has said it.
  const ActuatorVector& told() const noexcept { return told_; }

 private:
  bool told_before(InterruptedSession& past, const ActuatorVector& measured) const;
  bool may_trust(std::optional<DriveInForce>& given, const ActuatorVector& measured) const;
  void keep(const ActuatorVector& drive);

  Parts parts_;
  std::optional<UnknownDrive> asked_;
  ActuatorVector told_;
};

}  // namespace trestle
