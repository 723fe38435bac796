#pragma once

#include <cstdint>
#include <string>

#include "site-servers/node/drive_question.h"
#include "site-servers/node/site_cause.h"
#include "site-servers/node/site_parts.h"

namespace trestle::site_node {

/// Stops the rig, and reports it to the record and the integrator: holds it, or latches a
/// fault, which starts the laboratory's safe action. The only part that sends Halt.
class SiteHold {
 public:
  SiteHold(const SiteParts& site, DriveQuestion& question)
      : site_(site), question_(question) {}

  /// The rig holds. @pre the session's state is set already
  void hold(const SiteCause& cause);
  /// Executes a person's command: requests the rig to hold, and informs the integrator
  /// whether the test may continue.
  /// @param fault  none: it may continue
  /// @param number  Halt::hold
  void halt(const Fault& fault, const SiteCause& cause, const std::string& by,
            std::int64_t number = 0);
  /// Says to the integrator that the site holds, or ends.
  void tell(const Fault& fault, const std::string& reason, const std::string& by,
            std::int64_t number = 0);
  /// Tells a person's hold again that the integrator has not answered. @returns false if
  /// none exists
  bool tell_unheard();

  /// FAULT, latched: only a person at the site clears it.
  void trip(const Fault& fault);
  /// The same, with a sentence that was made elsewhere.
  void trip(const Fault& fault, const std::string& sentence);
  /// In FAULT: a stronger interlock is active, too. The latched fault becomes this one; the
  /// reason names both.
  void add(const Fault& interlock);
  /// A row of the record was lost.
  void trip_for_record() { trip({FaultKind::kJournal, -1, 0.0, 0.0}); }
  /// Latches the fault of a record that has failed. @pre it has failed
  void trip_for_failed_record() {
    trip({FaultKind::kJournal, -1, 0.0, 0.0}, site_.record.error_message());
  }
  /// Says the latched fault again.
  void repeat() { site_.peer.say(site_.session.halt()); }

  /// Checks for a stalled cycle: another thread has already requested the rig to hold, and
  /// this call latches and reports the fault.
  void check_stall();

 private:
  std::string sentence_of(const Fault& fault) const;

  SiteParts site_;
  DriveQuestion& question_;
};

}  // namespace trestle::site_node
