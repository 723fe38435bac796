#pragma once

#include "numerical/node/phase_handler.h"
#include "numerical/node/run_hold.h"

namespace trestle::integrator_node {

/// Brings a site to agree on the test: at first, and again when it was away.
class SiteAdmission {
 public:
  SiteAdmission(const RunParts& run, RunHold& hold) : run_(run), hold_(hold) {}

  /// Sends Welcome and Configure.
  void start_negotiation(SitePeer& peer);
  /// With a site that was away, before it continues.
  void renegotiate(SitePeer& peer);
  /// Handles the hello of a site during a test. A site that still has the session may
  /// rejoin. A running test holds first; the hold phase then renegotiates.
  PhaseChange readmit(std::size_t site, const Hello& hello);

 private:
  PhaseChange end_with(SitePeer& peer, const Hello& hello);

  RunParts run_;
  RunHold& hold_;
};

}  // namespace trestle::integrator_node
