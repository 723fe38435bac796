#pragma once

#include <string>
#include <vector>

#include "core/ports/clock.h"
#include "core/session/event_tally.h"
#include "numerical/node/phase_handler.h"
#include "numerical/node/site_admission.h"

namespace trestle::integrator_node {

/// Sends to a site that received no message for a while: repeats the unanswered message, or
/// sends a heartbeat.
class Heartbeats {
 public:
  /// @param admission, clock  outlive this
  Heartbeats(const RunParts& run, SiteAdmission& admission, const Clock& clock);

  /// To all sites to which nothing was sent for so long.
  void send(PhaseHandler& phase);
  /// To one site, now.
  void resend_pending_request(PhaseHandler& phase, std::size_t site);
  /// A person's message to all sites that are there, now and in each later heartbeat; the
  /// record keeps it. @param by  user@host
  void say(const std::string& by, const std::string& text);
  /// What a site's heartbeat carries; a new message goes to all others. Of a site that says
  /// thousands only the first of each period do (session::EventTally); the rest are
  /// counted.
  void hear(std::size_t site, const Announcement& said);
  /// Number 0: none yet.
  const Announcement& said() const noexcept { return said_; }
  /// When the next one is to be sent.
  TimePoint due() const noexcept;

 private:
  Duration interval(std::size_t site) const noexcept;
  Heartbeat message(const SitePeer& peer) const;
  void compare_system_clocks(std::size_t site);
  void record_untold(std::size_t site);

  RunParts run_;
  SiteAdmission& admission_;
  const Clock& clock_;
  std::vector<TimePoint> compared_;           // per site: when system clocks were
  Announcement said_;                         // last
  std::vector<Announcement> heard_;           // per site, last
  std::vector<session::EventTally> tallies_;  // per site, of its messages
};

}  // namespace trestle::integrator_node
