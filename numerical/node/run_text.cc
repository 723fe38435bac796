#include "numerical/node/run_text.h"

#include <cstdio>

#include "core/session/limit_field.h"

namespace trestle::run_text {
namespace {

std::string microseconds(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g us", seconds(duration) * 1e6);
  return digits;
}

}  // namespace

std::string duration(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g s", seconds(duration));
  return digits;
}

std::string test_limit_note(const SiteInTest& site, const Fault& fault) {
  if (!site.limit_place || !states_limit(fault, site.limits, site.layout)) return {};
  return " (limit of the test, " + site.limit_place(limit_field(fault)) + ")";
}

std::string bad_answer(AnswerVerdict verdict, const SitePeer& peer,
                       const StepResponse& response) {
  const std::string answered =
      "site " + peer.name() + " answered step " + std::to_string(response.step) + " with ";
  const SiteAgreement& agreed = peer.agreement;
  switch (verdict) {
    case AnswerVerdict::kWrongActuators:
      return answered + "values of other lengths than the " +
             std::to_string(agreed.actuators.size()) + " actuators that were agreed";
    case AnswerVerdict::kWrongDofs:
      return answered + std::to_string(response.measured.size()) +
             " interface DOFs, not the " + std::to_string(controlled_dofs(agreed.layout)) +
             " that were agreed";
    case AnswerVerdict::kWrongForces:
      return answered + std::to_string(response.force.size()) +
             " interface forces, not the " + std::to_string(agreed.layout.size()) +
             " that were agreed";
    default:
      return answered + "a number that is not finite";
  }
}

std::string too_many_misses(const MissPolicy& misses, const StepExchange::TooManyMisses& by,
                            const std::string& name, std::int64_t step) {
  const MissMonitor& monitor = misses.of(by.site);
  std::string why = "on_miss: stop";
  if (by.verdict == MissPolicy::Verdict::kInARow)
    why = std::to_string(monitor.in_a_row()) + " in a row, with " +
          std::to_string(misses.settings().most_in_a_row) + " allowed";
  else if (by.verdict == MissPolicy::Verdict::kInWindow)
    why = std::to_string(monitor.in_window()) + " within the window, with " +
          std::to_string(misses.settings().most_in_window) + " allowed";
  return "the answer of site " + name + " to step " + std::to_string(step) +
         " missed its deadline (" + why +
         "); see the ledger for where the time goes, raise real_time.latency_steps or "
         "give the step more time";
}

std::string clocks(const IntegratorSettings& settings, const SitePeers& peers,
                   TimePoint now) {
  std::string sentence;
  for (std::size_t site = 0; site < peers.size(); ++site) {
    const SitePeer& peer = peers[site];
    if (peers.clock_known(site, now)) continue;
    if (settings.pace.system_clock && !peer.clock.known()) {
      sentence += "; site " + peer.name() +
                  " says nothing of a system clock that can be trusted; keep it by chrony "
                  "or PTP there, or take clock_source: bus";
      continue;
    }
    if (!peer.clock.known()) continue;
    sentence += "; the clock of " + peer.name() + " is known to " +
                microseconds(peer.clock.bound(now)) + ", mode " + name(settings.mode) +
                " needs " + microseconds(settings.clock_bound) +
                " (clock_bound); use a faster link, or clock_source: system";
  }
  return sentence;
}

std::string refusal_to_arm(const IntegratorSettings& settings, const SitePeers& peers) {
  for (const SitePeer& peer : peers)
    if (peer.real_equipment() && !peer.agreement.description.hardware_watchdog &&
        !settings.without_hardware_watchdog)
      return "site " + peer.name() +
             " is real equipment that nothing stops when its site server dies (no hardware "
             "watchdog); wire one, or set arming.without_hardware_watchdog";
  if (settings.unstable.empty() || settings.allow_unstable) return {};
  for (const SitePeer& peer : peers)
    if (peer.real_equipment())
      return "site " + peer.name() + " is real equipment, and " + settings.unstable +
             "; change compensator, time step or latency (see trestle check), or set "
             "arming.allow_unstable";
  return {};
}

}  // namespace trestle::run_text
