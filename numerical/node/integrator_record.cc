// The part of IntegratorNode that keeps its record, and arms with it.
#include <exception>

#include "core/session/audit_words.h"
#include "numerical/node/integrator_node.h"

namespace trestle {

void IntegratorNode::arm() {
  if (const std::string why = run_text::refusal_to_arm(settings_, peers_); !why.empty())
    return end(RunResult::kRefused, why);
  if (settings_.resume) return take_up_record();
  try {
    record_.open(peers_);
  } catch (const std::exception& error) {
    return end(RunResult::kStopped,
               std::string("the record cannot be kept: ") + error.what());
  }
  for (const SitePeer& peer : peers_) {
    const std::string from = "bus: " + peer.name();
    recorder_.audit(audit_configured("integrator", from, peer.agreement.contract_hash));
    for (const std::string& line : peer.agreement.tightened)
      recorder_.audit(audit_limit(peer.name(), from, line));
  }
  const std::string& by = armed_by_.empty() ? settings_.by : armed_by_;
  if (settings_.insecure)
    recorder_.audit(audit_insecure(by.empty() ? "integrator" : by, "test file"));
  if (!settings_.unstable.empty()) {
    recorder_.event(0, "warning", "armed although " + settings_.unstable);
    recorder_.audit(audit_override(by.empty() ? "integrator" : by, "test file",
                                   "arming.allow_unstable", settings_.unstable));
  }
  for (const SitePeer& peer : peers_)
    if (peer.real_equipment() && !peer.agreement.description.hardware_watchdog)
      recorder_.audit(audit_override(
          by.empty() ? "integrator" : by, "test file", "arming.without_hardware_watchdog",
          "nothing stops the rig of " + peer.name() + " when its server dies"));
  for (const SitePeer& peer : peers_)
    recorder_.audit(audit_armed(by.empty() ? "integrator" : by,
                                armed_by_.empty() ? "terminal" : "operator channel",
                                peer.agreement.contract_hash));
  exchange_.begin();
  phase_ = Phase::kOpening;
  for (SitePeer& peer : peers_) peer.ordered(times_.now);
  // The operator took his time; from now on it is the sites that are waited for.
  if (!armed_by_.empty()) times_.deadline.set(times_.now, settings_.connect);
  times_.deadline.limit(times_.now, longest_wait(settings_.connect));
  for (SitePeer& peer : peers_) peer.send(arm_message(peer), times_.now);
}

void IntegratorNode::fail_record() {
  fail(RunResult::kStopped,
       recorder_.failed() ? recorder_.failure()
                          : "the record lost a row at step " +
                                std::to_string(exchange_.step()) + "; it came too fast",
       "integrator", Fault{FaultKind::kJournal, -1, 0.0, 0.0});
}

}  // namespace trestle
