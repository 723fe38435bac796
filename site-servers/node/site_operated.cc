// What a person may ask of a site, and tell it, while it runs.
#include <limits>
#include <string_view>

#include "core/session/audit_actions.h"
#include "core/types/session_id_text.h"
#include "site-servers/node/site_node.h"
#include "site-servers/node/told_drive.h"

namespace trestle {
namespace {

// A rig that is held keeps its force, and a cleared fault is there again while it does.
constexpr const char* kTakeLoadOff =
    "the force to be below its limit (where the safe action leaves it above, take the load "
    "off by the equipment's own means: servo controller, valve)";

std::string still_in_fault(const std::string& why, const std::string& remedy) {
  return "the rig is still in fault: " + why +
         ". Remove the cause at the equipment, then " +
         "clear again; what it needs: " + remedy;
}

}  // namespace

NodeStatus SiteNode::status() const {
  NodeStatus now;
  now.node = settings_.name;
  now.test = agreed_.configure.test;
  if (agreed_.configure.session != SessionId{})
    now.session = to_hex(agreed_.configure.session);
  now.state = trestle::name(session_.state());
  now.reason = reason_;
  now.step = last_step_;
  now.steps = agreed_.configure.steps_planned;
  now.time_step = agreed_.configure.time_step;
  PeerStatus integrator{
      .name = "integrator", .where = {}, .state = "OFFLINE", .step = -1, .heard = -1.0};
  if (live_) {
    integrator.state = silent() ? "SILENT" : "CONNECTED";
    integrator.heard = seconds(peer_.silence());
  }
  now.peers.push_back(integrator);
  now.waits.push_back(wait());
  if (told_to_rest()) now.rig = rig();
  return now;
}

/// The one thing that happens next, or is waited for.
PendingWait SiteNode::wait() const {
  const std::string held = std::string_view(rig()) == "asked to hold"
                               ? "the rig was asked to hold, and nothing confirms it yet"
                               : "the rig holds";
  const double forever = std::numeric_limits<double>::infinity();
  const double silence = seconds(peer_.silence());
  const double since = waits_since();
  if (session_.in(SessionState::kFault))
    return {"a person at the site", remedy(), since, forever, "nothing moves before"};
  if (preparation_ != nullptr)
    return {"its rig", "it to get ready for test " + agreed_.configure.test, since, forever,
            "nothing moves before"};
  if (left_held_ && session_.in(SessionState::kHolding))
    return {"a person at the site",
            "the word to bring the rig to its safe position (trestle stop)", since, forever,
            held};
  if (!conversing())
    return {
        "the integrator", "a word from it", live_ ? silence : since, forever,
        live_ ? held + ", and trestle stop ends the test here" : "nothing moves before"};
  if (session_.in(SessionState::kHolding))
    return {"the integrator", "its word to go on or to stop", since, forever, held};
  const double left = agreed_.configure.watchdog - silence;
  if (!session_.in(SessionState::kRunning))
    return {"the integrator", "the next word of the session", since, left,
            "the test is given up here"};
  const std::string step = "step " + std::to_string(last_step_ + 1);
  if (taken_step_ > last_step_)
    return {"its rig", step + ", which is under way", since, left,
            "the site holds by itself where the integrator says nothing"};
  return {"the integrator", step, since, left, "the site holds by itself"};
}

/// What it heard last of its peer tells nothing of how long it waits.
void SiteNode::note_wait() noexcept {
  if (session_.in(waits_in_) && last_step_ == waits_behind_) return;
  waits_in_ = session_.state();
  waits_behind_ = last_step_;
  waits_since_ = now_;
}

double SiteNode::waits_since() const noexcept {
  // After a word of an operator's nobody has looked yet.
  const bool noted = session_.in(waits_in_) && last_step_ == waits_behind_;
  return noted ? seconds(now_ - waits_since_) : 0.0;
}

std::optional<AskedDrive> SiteNode::asks_for_drive() const {
  if (!asks_for_drive_) return std::nullopt;
  return AskedDrive{agreed_.actuators, asks_for_drive_->measured,
                    agreed_.configured.limits};
}

std::string SiteNode::arm(const std::string& /*by*/) {
  return "a test is armed where it is conducted: trestle arm RUN-FOLDER at the integrator";
}

void SiteNode::leave(const std::string& by, const std::string& from,
                     const std::string& reason) {
  if (leaving_) return;
  give_up_checks();
  opening_ = false;
  give_up_preparation(reason);
  if (live_) {
    record_.audit(audit_held(by, from, reason));
    if (session_.in(SessionState::kArmed)) adapter_.hold();
    if (session_.in(SessionState::kRunning) && session_.move(SessionState::kHolding))
      hold_because(reason);
    say(Halt{agreed_.configure.session,
             settings_.name,
             {FaultKind::kPeerSilent, -1, 0.0, 0.0},
             last_step_ + 1,
             reason,
             by});
  }
  leaving_ = true;
}

std::string SiteNode::hold(const std::string& by, const std::string& reason) {
  return hold(by, "operator channel", reason);
}

std::string SiteNode::hold(const std::string& by, const std::string& from,
                           const std::string& reason) {
  if (checks()) {
    record_.audit(audit_held(by, from, reason));
    end_checks("held by " + by + (reason.empty() ? "" : ": " + reason));
    return {};
  }
  if (give_up_preparation("held by " + by + (reason.empty() ? "" : ": " + reason)))
    return {};
  if (!live_ || !session_.in(SessionState::kRunning))
    return "the site is " + std::string(trestle::name(session_.state())) +
           "; only a running test can be held";
  record_.audit(audit_held(by, from, reason));
  halt({}, "held by " + by + (reason.empty() ? "" : ": " + reason), by);
  return {};
}

std::string SiteNode::resume(const std::string& /*by*/) {
  return "a test is gone on with where it is conducted: trestle resume RUN-FOLDER at the "
         "integrator";
}

std::string SiteNode::stop(const std::string& by, const std::string& reason) {
  if (give_up_preparation("stopped by " + by + (reason.empty() ? "" : ": " + reason)))
    return {};
  if (!live_) return "no test goes on at this site";
  record_.audit(audit_stopped(by, "operator channel", reason));
  const std::string why = "stopped by " + by + (reason.empty() ? "" : ": " + reason);
  give_up_checks();  // at once: the integrator's word takes its way
  if (silent() || left_held_)
    bring_to_end(why);  // nobody else would
  else
    halt({FaultKind::kStopped, -1, 0.0, 0.0}, why, by);
  return {};
}

/// A person's word: the rig is asked to hold, and the integrator is told whether the test
/// may go on.
/// @param fault  none: it may
void SiteNode::halt(const Fault& fault, const std::string& reason, const std::string& by) {
  if (session_.in(SessionState::kRunning) && session_.move(SessionState::kHolding))
    hold_because(reason);
  say(Halt{agreed_.configure.session, settings_.name, fault, last_step_ + 1, reason, by});
}

std::string SiteNode::clear(const std::string& by) {
  return clear_from(by, {});
}

std::string SiteNode::clear_from(const std::string& by, const std::string& drive) {
  if (!session_.in(SessionState::kFault))
    return "the site is " + std::string(trestle::name(session_.state())) +
           "; there is no fault to clear";
  if (!come_back())
    return "the rig's driver has not come back from a call, and nobody knows what it still "
           "does; see to the equipment, and start this program again";
  if (std::string why = take_drive(by, drive); !why.empty()) return why;
  record_.audit_after_close(audit_cleared(by, "operator channel", reason_));
  record_.event(last_step_, "state", "cleared by " + by + ": " + reason_);
  const std::string was = told_drive_.size() > 0
                              ? "the drive in force is " +
                                    drive_text(told_drive_, agreed_.actuators) +
                                    ", as they say"
                              : reason_;
  guard_->clear();
  session_.clear(live_);
  reason_ = live_ ? "fault cleared by " + by + " (" + was + ")" : std::string();
  if (!live_) return {};
  clear_loop_fault();
  if (!session_.in(SessionState::kFault)) return {};
  return asks_for_drive_ ? reason_ : still_in_fault(reason_, remedy());
}

/// What a person has to do about the latched fault.
std::string SiteNode::remedy() const {
  const std::string clear = "the fault to be cleared (trestle clear)";
  if (rig_hangs())
    return "the rig's driver to come back, or, where it does not, this program to be "
           "started again; then " +
           clear;
  if (asks_for_drive_)
    return "the drive that its equipment has in force (trestle clear --drive)";
  return halt_.fault.kind == FaultKind::kForceLimit ? kTakeLoadOff + (", then " + clear)
                                                    : clear;
}

}  // namespace trestle
