// The part of IntegratorNode that keeps a pace: schedule, misses, clocks, ledger.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

std::string microseconds(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g us", seconds(duration) * 1e6);
  return digits;
}

}  // namespace

void IntegratorNode::miss_limit_met(const StepExchange::TooManyMisses& missed) {
  fail(RunResult::kStopped,
       run_text::too_many_misses(exchange_.misses(), missed, peers_[missed.site].name(),
                                 exchange_.awaited()),
       "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0});
}

/// What the clocks are known to, where that is too little; or empty.
std::string IntegratorNode::clock_sentence() const {
  std::string sentence;
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    const SitePeer& peer = peers_[site];
    if (peers_.clock_known(site, times_.now)) continue;
    if (settings_.pace.system_clock && !peer.clock.known()) {
      sentence += "; site " + peer.name() +
                  " says nothing of a system clock that can be trusted; keep it by chrony "
                  "or PTP there, or take clock_source: bus";
      continue;
    }
    if (!peer.clock.known()) continue;
    sentence += "; the clock of " + peer.name() + " is known to " +
                microseconds(peer.clock.bound(times_.now)) + ", mode " +
                name(settings_.mode) + " needs " + microseconds(settings_.clock_bound) +
                " (clock_bound); use a faster link, or clock_source: system";
  }
  return sentence;
}

/// An unstable loop may be rehearsed, but not with real equipment.
std::string IntegratorNode::refusal_to_arm() const {
  for (const SitePeer& peer : peers_)
    if (peer.real_equipment() && !peer.agreement.description.hardware_watchdog &&
        !settings_.without_hardware_watchdog)
      return "site " + peer.name() +
             " is real equipment that nothing stops when its site server dies (no hardware "
             "watchdog); wire one, or set arming.without_hardware_watchdog";
  if (settings_.unstable.empty() || settings_.allow_unstable) return {};
  for (const SitePeer& peer : peers_)
    if (peer.real_equipment())
      return "site " + peer.name() + " is real equipment, and " + settings_.unstable +
             "; change compensator, time step or latency (see trestle check), or set "
             "arming.allow_unstable";
  return {};
}

std::vector<SiteReport> IntegratorNode::tracking_now() const {
  if (!record_.ready() || exchange_.done() == 0) return {};
  return record_.tracking_now(peers_);
}

}  // namespace trestle
