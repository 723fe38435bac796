#pragma once

#include <vector>

#include "core/ports/clock.h"
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
  /// When the next one is to be sent.
  TimePoint due() const noexcept;

 private:
  Duration interval(std::size_t site) const noexcept;
  Heartbeat message(const SitePeer& peer) const;
  void compare_system_clocks(std::size_t site);

  RunParts run_;
  SiteAdmission& admission_;
  const Clock& clock_;
  std::vector<TimePoint> compared_;  // per site: when system clocks were
};

}  // namespace trestle::integrator_node
