#include "numerical/node/hold_phase.h"

#include <algorithm>
#include <utility>

#include "core/types/known_person.h"
#include "numerical/node/run_text.h"

namespace trestle::integrator_node {

PhaseChange HoldPhase::enter(const PhaseChange& change) {
  if (run().phase != Phase::kHeld) run().recovery.end_search();
  switch (run().phase) {
    case Phase::kHolding:
      begin_hold(change);
      break;
    case Phase::kHeld:
      if (change.trigger == Trigger::kReplayed) return begin_from_record();
      wait_while_held();
      break;
    default:
      begin_resume();
      break;
  }
  return {};
}

void HoldPhase::begin_hold(const PhaseChange& change) {
  const RunCause& cause = *change.cause;
  const std::string why = run_text::sentence(cause.why, run().settings.sites);
  // The numbers in this process are no longer reliable; its record is.
  if (cause.met_by == "integrator" && (cause.fault.kind == FaultKind::kNotFinite ||
                                       cause.fault.kind == FaultKind::kJournal))
    hold_.rule_out_return(why);
  hold_.hold(cause, why, change.from);
  people_ = new_list();  // what was confirmed before does not hold for this reason
  if (const auto* returned = std::get_if<SiteWasAway>(&cause.why))
    admission_.renegotiate(peer(returned->site));
}

PhaseChange HoldPhase::begin_from_record() {
  hold_.begin_from_record();
  people_ = new_list();
  // The person who began this process is the first of those who must say so.
  if (const std::string by = hold_.resumed_by(); asks_people() && !by.empty()) {
    hold_.resume_by({});
    resume(by);  // while an item is open it does not count
  }
  wait_while_held();
  const std::optional<AuditEntry>& stop = run().recovery.stop();
  const bool complete = run().record.extent().whole + 1 >= run().settings.steps;
  // A hold that was said to this process: neither a stop on record nor the command that
  // began it knows of that, and the end would move the rig.
  if (hold_.early().told())
    return complete ? PhaseChange{Trigger::kEnd,
                                  RunCause{.why = AsSaid{hold_.reason()},
                                           .result = evaluation::RunResult::kRejected}}
                    : PhaseChange{};
  if (!complete)
    return stop ? PhaseChange{Trigger::kEnd,
                              RunCause{.why = StoppedByOperator{stop->who, stop->text},
                                       .by = stop->who}}
                : PhaseChange{};
  // A resume of a test that is over requests its end.
  return {Trigger::kEnd, RunCause{.why = TestComplete{},
                                  .result = evaluation::RunResult::kComplete,
                                  .by = run().settings.by}};
}

void HoldPhase::begin_resume() {
  run().times.deadline.set(run().times.now, run().settings.answer);
  // A site that is asked again and again answers at once to an earlier word.
  const Duration round_trip = std::max(run().peers.longest_round_trip(),
                                       2 * run().peers.longest_way(run().times.now));
  run().times.zero = run().exchange.schedule().zero_at_resume(
      run().times.now, run().times.zero, run().recovery.open_step(), round_trip);
  for (SitePeer& peer : run().peers) send_resume(peer);
}

PhaseChange HoldPhase::advance() {
  switch (run().phase) {
    case Phase::kHolding:
      return {is_idle() ? Trigger::kAllHold : Trigger::kNone};
    case Phase::kHeld:
      return continue_held();
    default:
      break;
  }
  if (!run().peers.all_sites_in(session::SessionState::kRunning)) return {};
  hold_.release();
  // First those that lost steps follow them again.
  return {run().recovery.repetition().anybody_owes() ? Trigger::kStepsLost
                                                     : Trigger::kAllRun};
}

PhaseChange HoldPhase::continue_held() {
  Recovery& recovery = run().recovery;
  const bool possible = can_resume();
  if (recovery.searches()) {
    if (possible) return recover_lost_steps(recovery.search_some());
    recovery.end_search();  // another one went; it begins again
    return {};
  }
  return possible ? recover_lost_steps(recovery.search()) : PhaseChange{};
}

PhaseChange HoldPhase::recover_lost_steps(Recovery::Verdict verdict) const {
  if (verdict == Recovery::Verdict::kLost) {
    const ExecutionMode mode = run().settings.mode;
    return {Trigger::kFail,
            RunCause{.why = StepsLost{run().recovery.who_is_behind(),
                                      rules_of(mode).repeats_steps ? "" : name(mode)}}};
  }
  return {verdict == Recovery::Verdict::kDone ? Trigger::kResume : Trigger::kNone};
}

PhaseChange HoldPhase::expired() {
  if (run().phase == Phase::kHolding) {
    // A silent site is away.
    for (const SiteWait& wait : waits()) peer(wait.site).session.go_away();
    return {Trigger::kAllHold};
  }
  const bool held = run().phase == Phase::kHeld;
  if (!held && hold_.waits_for_absent_sites()) return hold_for_silent_sites({});
  const TimePoint now = run().times.now;
  if (held && hold_.operator_decides() && !run().peers.has_absent_sites() &&
      !run().peers.clocks_known(now)) {
    hold_.return_to_operator();
    people_.forget_words();
    wait_while_held();
    return {};
  }
  std::vector<SiteWait> missing = waits();
  give_up_silent_sites();
  return {Trigger::kFail,
          hold_.overdue(std::move(missing), held ? run_text::clocks(run()) : "")};
}

Awaited HoldPhase::awaited(std::size_t site) const noexcept {
  const SitePeer& from = peer(site);
  if (run().phase == Phase::kHolding) return hold_.awaited(from);
  if (run().phase == Phase::kResuming)
    return from.session.in(session::SessionState::kRunning) ? Awaited::kNothing
                                                            : Awaited::kResumed;
  // It is back, and has to agree again.
  if (from.session.away() && !from.session.lost() &&
      from.session.in(session::SessionState::kConnected))
    return Awaited::kAgreement;
  if (from.session.away() || from.session.lost()) return Awaited::kReturn;
  return hold_.needs_operator() || run().peers.clock_known(site, run().times.now)
             ? Awaited::kNothing
             : Awaited::kClock;
}

bool HoldPhase::resend(std::size_t site) {
  SitePeer& to = peer(site);
  if (run().phase == Phase::kResuming && !to.session.in(session::SessionState::kRunning)) {
    send_resume(to);
    return true;
  }
  if (run().phase != Phase::kHolding || to.session.held()) return false;
  hold_.resend(to);
  return true;
}

PhaseChange HoldPhase::hello(std::size_t site, const Hello& hello) {
  return admission_.readmit(site, hello);
}

PhaseChange HoldPhase::refused(std::size_t site, RunCause cause) {
  SitePeer& from = peer(site);
  // The others are still asked to hold; it is asked, and refuses, again when they do.
  if (from.session.in(session::SessionState::kOffline) || run().phase == Phase::kHolding)
    return {};
  if (from.session.in(session::SessionState::kConnected))
    from.session.set_lost(true);  // nothing to stop there
  return report_blocked(std::move(cause));
}

/// A site that neither a wait nor its own message can bring back.
PhaseChange HoldPhase::report_blocked(RunCause cause) const {
  cause.operator_decides = hold_.operator_decides();
  if (!cause.operator_decides) {
    if (run().recovery.from_record()) cause.result = evaluation::RunResult::kRejected;
    return {Trigger::kFail, std::move(cause)};
  }
  const bool again = run().phase == Phase::kHeld &&
                     hold_.reason() == run_text::sentence(cause.why, run().settings.sites);
  if (again) return {};
  return {Trigger::kHold, std::move(cause)};
}

PhaseChange HoldPhase::heard(std::size_t site, const Heartbeat& beat) {
  SitePeer& from = peer(site);
  if (run().phase == Phase::kHeld) {
    from.session.set_lost(false);
    hold_.forget_refusal_of(site);
    // After some silence it receives messages again, and has no reason for a hello.
    if (from.session.away() && !from.session.in(session::SessionState::kConnected))
      admission_.renegotiate(from);
  }
  if (run().phase != Phase::kResuming) hold_.heard(from, beat);
  return {};
}

PhaseChange HoldPhase::resumed(std::size_t site, const Resumed& message) {
  if (run().phase != Phase::kResuming) return {};
  SitePeer& from = peer(site);
  from.session.resume();
  from.words.tell(session::SessionState::kRunning, "moves", run().times.now);
  from.resume_point.last_step = message.last_step;
  return {};
}

std::string HoldPhase::resume(const std::string& by) {
  for (const SitePeer& site : run().peers)
    if (site.session.no_record())
      return "site " + site.name() + " was restarted and has no record of this session: " +
             run_text::record_to_bring_back(site.name());
  std::string persons = by;
  // Those who must have said so; a site is away still.
  if (asks_people() && !hold_.resumed_by().empty()) return {};
  if (needed() != nullptr) {
    // One who is not known could be the same person as the second one.
    if (is_unknown_person(by))
      return "the kernel knows no login behind this command (a container, or a service), "
             "and the audit would not know who resumed; say who you are: trestle resume "
             "... --as NAME";
    if (std::string why = people_.add_word(by); !why.empty()) return why;
    if (!people_.is_armed()) return {};
    persons = people_.persons();
    for (AuditEntry& entry : people_.take_entries(by))
      run().recording.log.audit(std::move(entry));
  }
  hold_.resume_by(persons);  // where a site is away still, when it is back
  if (run().phase == Phase::kHeld) wait_while_held();
  return {};
}

/// Nothing of it is answered yet. Without readings: a held rig bears load.
ArmingList HoldPhase::new_list() const {
  ArmingStatus people = run().settings.arming;
  std::erase_if(people.checklist,
                [](const ChecklistItem& item) { return !item.reading.site.empty(); });
  ArmingList list(std::move(people), ArmingList::Command::kResume);
  for (const SitePeer& peer : run().peers) {
    std::vector<RequiredItem> items = peer.agreement.checklist;
    std::erase_if(items, [](const RequiredItem& item) { return !item.read.empty(); });
    if (peer.real_equipment()) list.add_items(peer.name(), items);
  }
  return list;
}

/// Only where the file of the test or of a site states it: a script resumes as it did.
bool HoldPhase::asks_people() const noexcept {
  const ArmingStatus& arming = run().settings.arming;
  return run().peers.real_equipment() && (people_.status().required || arming.words > 1);
}

const ArmingStatus* HoldPhase::needed() const noexcept {
  const bool held = run().phase == Phase::kHolding || run().phase == Phase::kHeld;
  return held && hold_.resumed_by().empty() && asks_people() ? &people_.status() : nullptr;
}

bool HoldPhase::can_resume() const noexcept {
  if (hold_.needs_operator()) return false;
  for (std::size_t site = 0; site < run().peers.size(); ++site) {
    const SitePeer& from = peer(site);
    if (from.session.away() || from.session.lost() ||
        !from.session.in(session::SessionState::kHolding))
      return false;
    if (!run().peers.clock_known(site, run().times.now)) return false;
  }
  return true;
}

/// While sites are away, or clocks are unknown, the wait has a limit. A wait for the
/// operator has none, and real equipment is held until the operator decides.
void HoldPhase::wait_while_held() noexcept {
  timing::WaitDeadline& deadline = run().times.deadline;
  const Duration longest =
      run().settings.hold > Duration::zero() ? run().settings.hold : run().settings.answer;
  const bool absent = run().peers.has_absent_sites();
  if (absent && !run().stays_held())
    deadline.set(hold_.waits_since(), longest);
  else if (!absent && !hold_.needs_operator() && !run().peers.clocks_known(run().times.now))
    deadline.set(run().times.now, run().settings.answer);
  else
    deadline.clear();
}

void HoldPhase::send_resume(SitePeer& peer) {
  const std::int64_t wanted = std::max<std::int64_t>(
      run().recovery.open_step() - run().settings.pace.latency_steps, 0);
  peer.send(Resume{run().settings.session, wanted, run().times.zero,
                   peer.agreement.contract_hash, hold_.resumed_by(), peer.heard_hold},
            run().times.now);
}

}  // namespace trestle::integrator_node
