#pragma once

#include <optional>
#include <string>

#include "core/ports/operator_interface.h"
#include "site-servers/node/site_heartbeats.h"
#include "site-servers/node/site_hold.h"
#include "site-servers/node/site_parts.h"
#include "site-servers/node/step_server.h"

namespace trestle::site_node {

/// Ends a session: moves the rig to its safe position, closes the record, and informs the
/// integrator. The normal end of a test moves a running rig. A held rig stays at its
/// position until a person commands otherwise, here or at the integrator.
class SessionEnd {
 public:
  struct Parts {
    SiteHeartbeats& heartbeats;
    SiteHold& hold;
    StepServer& steps;
  };

  SessionEnd(const SiteParts& site, const Parts& parts) : site_(site), parts_(parts) {}

  /// A person has held the rig since: it does not move by that word.
  void withdraw() noexcept {
    if (asked_ && !asked_->begun) asked_.reset();
  }
  /// The integrator has ended the test.
  void stop(const Stop& stop);
  /// A person at the site ends the test. The integrator is asked to end it everywhere; if
  /// it does not live any more, this site ends it by itself at the watchdog.
  void ask(const SiteCause& cause, const std::string& by);
  /// Returns that stop in words; empty: nobody has asked, or the end has begun.
  std::string asked() const { return asked_ && !asked_->begun ? asked_->why : ""; }
  /// Asks the integrator once more: it may not have heard of that stop. Until the session
  /// has ended, nothing resumes it.
  /// @returns false: nobody has asked for a stop
  bool tell_stop_again();
  /// The rig moves to its safe position because a person at this site has ended the test:
  /// only a person's hold interrupts it.
  bool moves_rig_for_person() const noexcept;
  /// Begins: the rig first moves to its safe position.
  void begin(const std::string& reason);
  /// At once: the rig is where it shall stay.
  void finish();
  /// The rig has reached its safe position.
  void ramped();
  /// Continues the end of a session that waits for the safe action of a fault, or for the
  /// disk of its record.
  void poll();
  /// The session is over, and its integrator is told when the record is in one file.
  bool waits_for_disk() const noexcept { return closing_since_.has_value(); }
  /// The wait for the disk of the record, with its file and the time left; no value: the
  /// disk is not behind.
  std::optional<PendingWait> disk_wait() const;
  /// When to look at the disk again; max: nothing waits for it.
  TimePoint due() const noexcept;
  /// Holds, trips or gives up the test if the integrator is silent for too long.
  void check_watchdog();
  /// Sessions that have ended since the node was made.
  int count() const noexcept { return count_; }

 private:
  /// A person's stop at this site, until the session has ended.
  struct Asked {
    std::string why;
    std::string by;
    bool begun = false;  ///< the end has begun
  };

  bool ends_without_a_person(const Stop& stop) const noexcept;
  bool is_held_against(const Stop& stop);
  void stay_held(const std::string& reason);
  void give_up(const std::string& why);
  void say_stopped();

  SiteParts site_;
  Parts parts_;
  Stopped stopped_;
  std::optional<Asked> asked_;
  std::optional<TimePoint> closing_since_;  ///< the record; nothing: it is closed
  int count_ = 0;
};

}  // namespace trestle::site_node
