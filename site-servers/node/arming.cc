#include "site-servers/node/arming.h"

#include <memory>
#include <utility>

#include "core/session/audit_actions.h"
#include "core/session/contract_checks.h"
#include "site-servers/checks/limit_self_test.h"
#include "site-servers/node/site_text.h"

namespace trestle::site_node {

void Arming::begin_readings() {
  const SiteSession& session = site_.session;
  if (!site_.rig.by_loop() || readings_ != nullptr || site_.loop.checks() != nullptr ||
      !session.live() || !session.in(session::SessionState::kConfigured))
    return;
  const AgreedTest& agreed = site_.agreed;
  LoopHealth* const health = site_.loop.control().rig().health();
  if (health == nullptr) return;
  site_.loop.begin();
  readings_ = std::make_unique<RestReadings>(
      site_.rig.guard(), static_cast<int>(agreed.actuators.size()),
      site_.rig.description().reactions, *health, agreed.ticks(1));
  LoopCommand look;
  look.kind = LoopCommand::Kind::kErrand;
  look.errand = readings_.get();
  site_.loop.order(look);
}

/// What a thread that does not return from the rig uses is never destroyed.
void Arming::drop_readings() noexcept {
  if (readings_ == nullptr) return;
  if (site_.loop.hung())
    static_cast<void>(readings_.release());
  else
    readings_.reset();
}

void Arming::arm(const Arm& arm) {
  const SiteSession& session = site_.session;
  if (!session.live()) return;
  if (tell_held()) return;  // the integrator repeats its Arm until it has heard of it
  if (site_.loop.checks() != nullptr) return;
  const bool begun = session.in(session::SessionState::kRunning) &&
                     site_.position.executed == kInitialStep;
  if (session.in(session::SessionState::kArmed) || begun)
    return site_.peer.say(
        Armed{site_.agreed.configure.session, site_.record.audit_digest()});
  if (!session.in(session::SessionState::kConfigured)) return;
  request_ = arm;
  if (const std::string why = refusal_to(arm); !why.empty()) return site_.notes.refuse(why);
  // The loop does what it is told in this order; the readings are kept until it says so.
  if (readings_ != nullptr) site_.loop.order(LoopCommand::Kind::kEndErrand);
  if (checked_ || !site_.settings.start_checks.any() || check_rig()) armed();
}

/// @returns false: the rig is not to be armed, or the loop checks it now
bool Arming::check_rig() {
  const AgreedTest& agreed = site_.agreed;
  checks::StartupChecks checks(site_.settings.start_checks, agreed.configured.limits,
                               agreed.actuators, agreed.tick());
  SiteLoop& loop = site_.loop;
  if (site_.rig.by_loop()) {
    if (loop.stood()) checks.stood(*loop.stood());
    loop.begin();
    loop.run_checks(std::make_unique<ArmingChecks>(std::move(checks), site_.rig.guard(),
                                                   loop.control(), agreed.ticks(1)));
    return false;
  }
  const std::string why = checks.run(site_.rig.guard());
  // The record of a simulated rig does not contain these motions.
  site_.rig.prepare();
  if (!why.empty()) site_.notes.refuse(why);
  return why.empty();
}

void Arming::errand_over() {
  // Those of the checks come after those of the readings.
  if (readings_ != nullptr)
    readings_.reset();
  else
    checks_over();
}

void Arming::checks_over() {
  hold_.check_stall();  // what they found of a rig that returned late is not the cause
  const std::unique_ptr<ArmingChecks> done = site_.loop.take_checks();
  if (done == nullptr || done->given_up()) return;
  std::string why = done->refusal();
  if (const std::string words = site_.rig.guard().diagnostic_message();
      !why.empty() && !words.empty())
    why += ": " + words;
  site_.loop.set_stood(done->stood());
  if (!site_.session.live() || !site_.session.in(session::SessionState::kConfigured))
    return;
  if (why.empty())
    armed();
  else
    site_.notes.refuse(why);
}

void Arming::hold(const SiteCause& cause, const std::string& by) {
  SiteSession& session = site_.session;
  const std::string why = site_text::sentence(cause, site_.agreed);
  held_ = Held{cause, by};
  if (session.in(session::SessionState::kArmed)) {
    session.flags().opening = false;
    site_.loop.order(LoopCommand::Kind::kHold);
    session.set_reason(why);
    site_.note("state", "ARMED, and held: " + why);
  } else {
    site_.loop.give_up_checks();
    site_.note("checks", "ended in a hold: " + why);
  }
  hold_.halt({}, cause, by);
}

bool Arming::tell_held() {
  if (held_) hold_.halt({}, held_->cause, held_->by);
  return held_.has_value();
}

void Arming::armed() {
  checked_ = true;
  site_.session.move(session::SessionState::kArmed);
  site_.loop.begin();
  // From here on an interlock acts, also before the first tick is due.
  site_.loop.order(LoopCommand::Kind::kWatch);
  SiteRecorder& record = site_.record;
  if (!request_.audit.empty())
    record.audit(session::audit_peer_digest("integrator", request_.audit));
  record.audit(session::audit_armed(request_.by.empty() ? "integrator" : request_.by,
                                    "bus: integrator", site_.agreed.contract_hash));
  site_.peer.say(Armed{site_.agreed.configure.session, record.audit_digest()});
}

/// Why this rig is not armed, before anything is checked.
std::string Arming::refusal_to(const Arm& arm) const {
  const AgreedTest& agreed = site_.agreed;
  if (site_.rig.real() && arm.by.empty())
    return "it is real equipment, which is armed by an operator's word only (trestle arm)";
  if (site_.rig.real() || !arm.contract_hash.empty())
    if (std::string why = session::check_contract_hash("arm", agreed.configured.contract,
                                                       arm.contract_hash);
        !why.empty())
      return why;
  // As of the last of the readings at rest.
  if (site_.rig.guard().active_interlock())
    return "the rig must stay: " + site_.rig.guard().diagnostic_message();
  const ControlLoop& loop = site_.loop.control();
  const auto judge = [&loop](const InterfaceVector& target) {
    StepCommand command;
    command.target = InterfaceMotion::zero(target.size());
    command.target.displacement = target;
    return loop.refusal_of(command);
  };
  const RigLimits& limits = agreed.configured.limits;
  std::string why = checks::run_limit_self_test(agreed.layout, judge);
  if (why.empty())
    why = checks::run_limit_self_test(*site_.settings.loading_frame, limits,
                                      agreed.actuators, judge);
  return why.empty()
             ? checks::run_limit_self_test(loop.chain().gate(), loop.chain().energy(),
                                           limits, agreed.actuators, agreed.tick())
             : why;
}

}  // namespace trestle::site_node
