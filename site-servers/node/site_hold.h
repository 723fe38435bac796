#pragma once

#include <string>

#include "site-servers/node/drive_question.h"
#include "site-servers/node/site_cause.h"
#include "site-servers/node/site_parts.h"

namespace trestle {

/// Stops the rig, and says so in the record and to the integrator: holds it, or latches a
/// fault, with which the laboratory's safe action begins. The only one that sends Halt.
class SiteHold {
 public:
  SiteHold(const SiteParts& site, DriveQuestion& question)
      : site_(site), question_(question) {}

  /// The rig holds. @pre the session's state says already that it does
  void hold(const SiteCause& cause);
  /// A person's word: the rig is asked to hold, and the integrator is told whether the test
  /// may continue.
  /// @param fault  none: it may
  void halt(const Fault& fault, const SiteCause& cause, const std::string& by);
  /// Says to the integrator that the site holds, or ends.
  void tell(const Fault& fault, const std::string& reason, const std::string& by);

  /// FAULT, latched: only a person at the site clears it.
  void trip(const Fault& fault);
  /// The same, with a sentence that was made elsewhere.
  void trip(const Fault& fault, const std::string& sentence);
  /// A row of the record was lost.
  void trip_for_record() { trip({FaultKind::kJournal, -1, 0.0, 0.0}); }
  /// The record says itself what is wrong. @pre it has failed
  void trip_for_failed_record() {
    trip({FaultKind::kJournal, -1, 0.0, 0.0}, site_.record.error_message());
  }
  /// Says the latched fault again.
  void repeat() { site_.peer.say(site_.session.halt()); }

  /// The control loop has not completed its cycle: another thread has asked the rig to
  /// hold already, and here the fault is latched and told.
  void check_stall();

 private:
  std::string sentence_of(const Fault& fault) const;

  SiteParts site_;
  DriveQuestion& question_;
};

}  // namespace trestle
