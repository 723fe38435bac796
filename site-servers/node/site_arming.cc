// The part of SiteNode that looks at its rig before it says that it is armed.
#include <chrono>
#include <cmath>
#include <utility>

#include "core/session/audit_actions.h"
#include "core/session/contract_checks.h"
#include "site-servers/checks/limit_self_test.h"
#include "site-servers/node/site_node.h"

namespace trestle {

void SiteNode::on_arm(const Arm& arm) {
  if (!live_ || loop_.has_checks()) return;
  const bool begun =
      session_.in(SessionState::kRunning) && position_.executed == kInitialStep;
  if (session_.in(SessionState::kArmed) || begun)
    return say(Armed{agreed_.configure.session, record_.audit_digest()});
  if (!session_.in(SessionState::kConfigured)) return;
  arm_ = arm;
  if (const std::string why = refusal_to_arm(arm); !why.empty()) return notes_.refuse(why);
  if (!checked_ && settings_.start_checks.any()) {
    auto checks =
        std::make_unique<StartupChecks>(settings_.start_checks, agreed_.configured.limits,
                                        agreed_.actuators, agreed_.tick());
    if (loop_.by_loop()) {
      if (loop_.stood()) checks->stood(*loop_.stood());
      loop_.begin();
      loop_.run_checks(std::make_unique<ArmingChecks>(std::move(*checks), adapter_,
                                                      loop_.control(), agreed_.ticks(1)));
      return;
    }
    const std::string why = checks->run(adapter_);
    // What was done here is not in the record of a simulated rig.
    loop_.prepare_rig();
    if (!why.empty()) return notes_.refuse(why);
  }
  armed();
}

/// They are over.
void SiteNode::hear_checks() {
  watch_for_stall();  // what they found where the rig came back late is not the cause
  const std::unique_ptr<ArmingChecks> done = loop_.take_checks();
  if (done == nullptr || done->given_up()) return;
  std::string why = done->refusal();
  if (const std::string words = adapter_.diagnostic_message();
      !why.empty() && !words.empty())
    why += ": " + words;
  loop_.set_stood(done->stood());
  if (!live_ || !session_.in(SessionState::kConfigured)) return;
  if (why.empty())
    armed();
  else
    notes_.refuse(why);
}

void SiteNode::armed() {
  checked_ = true;
  session_.move(SessionState::kArmed);
  loop_.begin();
  if (!arm_.audit.empty()) record_.audit(audit_peer_digest("integrator", arm_.audit));
  record_.audit(audit_armed(arm_.by.empty() ? "integrator" : arm_.by, "bus: integrator",
                            agreed_.contract_hash));
  say(Armed{agreed_.configure.session, record_.audit_digest()});
}

/// Why this rig is not armed, before anything is looked at.
std::string SiteNode::refusal_to_arm(const Arm& arm) {
  if (rig_.real_equipment && arm.by.empty())
    return "it is real equipment, which is armed by an operator's word only (trestle arm)";
  if (rig_.real_equipment || !arm.contract_hash.empty())
    if (std::string why =
            check_contract_hash("arm", agreed_.configured.contract, arm.contract_hash);
        !why.empty())
      return why;
  const auto judge = [this](const InterfaceVector& target) {
    StepCommand command;
    command.target = InterfaceMotion::zero(target.size());
    command.target.displacement = target;
    return loop_.control().refusal_of(command);
  };
  std::string why = run_limit_self_test(agreed_.layout, judge);
  if (why.empty())
    why = run_limit_self_test(*settings_.loading_frame, agreed_.configured.limits,
                              agreed_.actuators, judge);
  return why.empty() ? run_limit_self_test(loop_.control().gate(), loop_.control().energy(),
                                           agreed_.configured.limits, agreed_.actuators,
                                           agreed_.tick())
                     : why;
}

}  // namespace trestle
