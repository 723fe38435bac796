#include "numerical/node/run_hold.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "numerical/node/run_text.h"

namespace trestle::integrator_node {
namespace {

// Number of heartbeats for which a hold waits for a site's confirmation.
constexpr int kHeartbeatsToHold = 2;

}  // namespace

void RunHold::hold(const RunCause& cause, const std::string& why, Phase from) {
  require_operator(cause.operator_decides);
  // The same hold, and the same command to continue, if a site is silent when it resumes.
  const bool continues = from == Phase::kResuming || from == Phase::kResynchronising;
  const bool silent = continues && std::holds_alternative<WaitOverdue>(cause.why);
  if (!silent) resumed_by_.clear();
  note_refusal(cause);
  reason_ = why;
  if (first_reason_.empty()) first_reason_ = why;
  run_.recording.log.event(run_.exchange.done(), "state", "HOLDING: " + why);
  if (from != Phase::kHolding && from != Phase::kHeld && !silent)
    since_ = waits_since_ = run_.times.now;
  halt_ = {run_.settings.session, cause.met_by, cause.fault,
           run_.exchange.done(),  why,          cause.by};
  run_.exchange.misses().reset_counts();
  for (SitePeer& peer : run_.peers) {
    const bool met_it = peer.name() == cause.met_by;
    if (!peer.session.away()) peer.session.hold(met_it);
    // A site at which a person holds it hears that it was heard, though it is away still.
    const bool told_it = met_it && !cause.fault && !cause.by.empty();
    if (!peer.session.away() || told_it) resend(peer);
  }
  expect_holds();
}

void RunHold::halt(const RunCause& cause, const std::string& why) {
  halt_ = {run_.settings.session, cause.met_by, cause.fault, run_.exchange.done(), why, {}};
  for (SitePeer& peer : run_.peers) resend(peer);
  expect_holds();
}

void RunHold::withdraw(const std::string& why) {
  halt_ = {run_.settings.session, "integrator", Fault{.kind = FaultKind::kStopped},
           run_.exchange.done(),  why,          {}};
  for (SitePeer& peer : run_.peers)
    if (peer.session.in(session::SessionState::kRunning)) resend(peer);
}

/// With the answer to a person's hold at this site, where it is on record.
void RunHold::resend(SitePeer& peer) {
  Halt halt = halt_;
  halt.hold = early_.owes_answer(peer) ? 0 : peer.heard_hold;
  peer.send(halt, run_.times.now);
}

void RunHold::release() {
  run_.recording.log.event(
      run_.exchange.done(), "state",
      "RUNNING" + (resumed_by_.empty() ? "" : ": resumed by " + resumed_by_));
  ++releases_;
  operator_decides_ = false;
  resumed_by_.clear();
  reason_.clear();
  first_reason_.clear();
  refused_in_fault_.reset();
  for (SitePeer& peer : run_.peers) peer.session.continue_run();
  run_.exchange.schedule().resumed(TimePoint{run_.times.now - run_.times.zero});
}

Awaited RunHold::awaited(const SitePeer& peer) const noexcept {
  return peer.session.held() || peer.session.lost() || peer.session.away() ||
                 peer.session.in(session::SessionState::kOffline)
             ? Awaited::kNothing
             : Awaited::kHolding;
}

void RunHold::heard(SitePeer& peer, const Heartbeat& beat) noexcept {
  // A report from before the site received the hold, or before its rig holds, does not
  // count.
  const bool not_yet = peer.words.says(session::SessionState::kRunning) ||
                       (peer.words.says(session::SessionState::kHolding) &&
                        peer.words.rig() == "asked to hold" && !beat.health.state.empty());
  if (!not_yet) peer.session.says_held();
}

/// Before reason_ is replaced. A second refusal keeps the reason from before the first.
void RunHold::note_refusal(const RunCause& cause) {
  const auto* const refused = std::get_if<SiteRefused>(&cause.why);
  const bool in_fault = refused != nullptr &&
                        run_.peers[refused->site].words.says(session::SessionState::kFault);
  if (!in_fault || reason_.empty()) return refused_in_fault_.reset();
  if (!refused_in_fault_) reason_before_refusal_ = reason_;
  refused_in_fault_ = refused->site;
}

void RunHold::forget_refusal_of(std::size_t site) {
  const PeerWords& words = run_.peers[site].words;
  if (refused_in_fault_ != site || words.state().empty() ||
      words.says(session::SessionState::kFault))
    return;
  refused_in_fault_.reset();
  reason_ = reason_before_refusal_;
  run_.recording.log.event(run_.exchange.done(), "state", "HOLDING: " + reason_);
}

void RunHold::record_is_back(SitePeer& peer) {
  peer.session.set_lost(false);
  reason_ = "site " + peer.name() + " has its record of this session again";
  run_.recording.log.event(run_.exchange.done(), "state", "HOLDING: " + reason_);
}

void RunHold::resume_by(const std::string& by) {
  resumed_by_ = by;
  if (!by.empty()) waits_since_ = run_.times.now;
}

bool RunHold::waits_for_absent_sites() const noexcept {
  return !run_.peers.real_equipment() && run_.times.now - waits_since_ < run_.settings.hold;
}

void RunHold::begin_from_record() {
  operator_decides_ = run_.peers.real_equipment() || early_.any();
  if (early_.any())
    halt_ = early_.last();
  else
    resumed_by_ = run_.settings.by;
  reason_ = early_.any() ? early_.last().reason
                         : run_text::sentence(IntegratorRestarted{}, run_.settings.sites);
  since_ = waits_since_ = run_.times.now;
}

void RunHold::rule_out_return(const std::string& why) {
  if (no_return_.empty()) no_return_ = run_text::no_return(run_, why);
}

void RunHold::return_to_operator() {
  reason_ = run_text::cannot_continue(resumed_by_, run_text::clocks(run_));
  resumed_by_.clear();
  run_.recording.log.event(run_.exchange.done(), "state", "HOLDING: " + reason_);
}

std::string RunHold::with_first_reason(const std::string& reason) const {
  return reason.find(first_reason_) == std::string::npos ? first_reason_ + "; " + reason
                                                         : reason;
}

RunCause RunHold::overdue(std::vector<SiteWait> waits, std::string clocks) const {
  return {.why = HoldOverdue{reason_, run_.times.now - since_, std::move(waits),
                             std::move(clocks)},
          .result = evaluation::RunResult::kSiteLost,
          .fault = {.kind = FaultKind::kPeerSilent}};
}

void RunHold::expect_holds() noexcept {
  run_.times.deadline.set(
      run_.times.now,
      std::min(run_.settings.answer, kHeartbeatsToHold * run_.settings.heartbeat));
}

}  // namespace trestle::integrator_node
