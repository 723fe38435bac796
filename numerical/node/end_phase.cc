#include "numerical/node/end_phase.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "core/session/audit_actions.h"
#include "core/types/pace_rules.h"
#include "core/types/record_names.h"
#include "numerical/node/longest_wait.h"
#include "numerical/node/run_text.h"

namespace trestle::integrator_node {
namespace {

// Longest wait for a site's confirmation that it holds; after it, the site's watchdog holds
// it.
constexpr Duration kLongestFarewell = std::chrono::seconds(1);

// Longest wait for the disk at the end of a record, and between two looks at it.
constexpr Duration kLongestDisk = std::chrono::seconds(60);
constexpr Duration kLookAtDisk = std::chrono::milliseconds(10);

/// Faults that are an instability by themselves.
bool is_divergence(FaultKind kind) {
  return kind == FaultKind::kNotFinite || kind == FaultKind::kEnergyError;
}

/// Faults that an instability may have led to, or a limit that is too tight.
bool is_limit(FaultKind kind) {
  switch (kind) {
    case FaultKind::kDisplacementLimit:
    case FaultKind::kRateLimit:
    case FaultKind::kForceLimit:
    case FaultKind::kTrackingError:
    case FaultKind::kTargetLimit:
    case FaultKind::kAccelerationLimit:
      return true;
    default:
      return false;
  }
}

/// Of a test that was to be resumed, and whose record was not taken up yet: the steps that
/// are in there, for none of them is lost or undone.
void count_recorded(const RunParts& run) {
  if (!run.settings.resume || run.record.is_open()) return;
  if (const std::unique_ptr<RecordedSession> record =
          run.recording.store.open_session(run.settings.session))
    run.exchange.count_done(
        std::max<std::int64_t>(record->last(stream_name::kAnswer) + 1, 0));
}

}  // namespace

PhaseChange EndPhase::enter(const PhaseChange& change) {
  run().recovery.end_search();
  if (change.from == Phase::kConnecting && !run().settings.resume) end_.moved = false;
  switch (run().phase) {
    case Phase::kHalting:
      halt(*change.cause);
      break;
    case Phase::kLeaving:
      leave(change);
      break;
    case Phase::kStopping:
      if (change.trigger == Trigger::kStop) {
        conclude(*change.cause);
        count_recorded(run());
      }
      stop_sites();
      break;
    default:
      enter_end(change);
      break;
  }
  return {};
}

/// Brings all rigs to rest and ends the test.
void EndPhase::halt(const RunCause& cause) {
  conclude(cause);
  // Its record was not taken up again: it ends as it is.
  end_.over = cause.over;
  if (end_.over) end_.reason += run_text::sites_to_stop(run().peers);
  count_recorded(run());
  end_.diverged = is_divergence(cause.fault.kind);
  end_.limit_met = is_limit(cause.fault.kind) || is_limit(cause.limit);
  hold_.halt(cause, run_text::sentence(cause.why, run().settings.sites));
}

/// The rigs hold, the record stays unfinished, and `trestle resume` continues with it.
void EndPhase::leave(const PhaseChange& change) {
  const RunCause& cause = *change.cause;
  const std::string why = run_text::sentence(cause.why, run().settings.sites);
  end_.leaving = true;
  end_.diverged = is_divergence(cause.fault.kind);
  end_.limit_met = is_limit(cause.fault.kind) || is_limit(cause.limit);
  hold_.hold(cause, why, change.from);
  end_.result = cause.result;
  end_.reason = hold_.with_first_reason(why);
  run().times.deadline.shorten(run().times.now, kLongestFarewell);
}

void EndPhase::conclude(const RunCause& cause) {
  const std::string why = run_text::sentence(cause.why, run().settings.sites);
  const bool complete = cause.result == evaluation::RunResult::kComplete;
  end_.leaving = cause.leaving;
  end_.stopped_by = cause.by.empty() && cause.leaving ? "integrator" : cause.by;
  end_.result = cause.result;
  end_.reason = complete ? why : hold_.with_first_reason(why);
  if (run().record.is_open())
    run().recording.log.event(run().exchange.done(), complete ? "state" : "fault",
                              why.empty() ? "STOPPING" : why);
}

void EndPhase::stop_sites() {
  RunRecorder& record = run().record;
  // Before a site ends its session: rows that are lost now cannot be sent again, nor can
  // answers that are still missing be asked for.
  const bool whole = !record.is_open() || record.flush();
  if (!whole && end_.result == evaluation::RunResult::kComplete) {
    end_.result = evaluation::RunResult::kStopped;
    end_.reason = run_text::row_lost_at_end();
  }
  if (record.is_open() && end_.stopped_by.empty())
    run().recording.log.audit(session::audit_stopped(
        "integrator", "by itself", end_.reason.empty() ? "complete" : end_.reason));
  const TimePoint now = run().times.now;
  for (SitePeer& to : run().peers) to.send(stop_message(to), now);
  const Duration wait = end_.leaving ? kLongestFarewell : run().settings.answer;
  run().times.deadline.set(now, wait);
  run().times.deadline.limit(now, end_.leaving ? wait : longest_wait(wait));
}

void EndPhase::enter_end(const PhaseChange& change) {
  if (change.trigger == Trigger::kWithdraw) withdraw(*change.cause);
  if (change.trigger == Trigger::kLeft) {
    if (change.cause) {  // no site was told to hold: they do
      end_.leaving = true;
      end_.result = change.cause->result;
      end_.reason = hold_.with_first_reason(
          run_text::sentence(change.cause->why, run().settings.sites));
      end_.withdrawn = run().settings.resume && !run().record.is_open();
      count_recorded(run());
    }
    leave_record();
  }
  if (change.trigger == Trigger::kRetold) {
    end_.result = change.cause->result;
    end_.reason = run_text::sentence(change.cause->why, run().settings.sites);
    run().record.let_go();
  }
}

/// Sites hold, and keep their sessions and records as this node does: it may be tried
/// again.
void EndPhase::withdraw(const RunCause& cause) {
  conclude(cause);
  end_.withdrawn = true;
  end_.over = cause.over;
  hold_.withdraw(run_text::sentence(cause.why, run().settings.sites));
  run().record.let_go();  // not closed: the session stays unfinished
  count_recorded(run());
}

/// Not closed: the session stays unfinished. Rows that still wait for answers are written
/// as they are, so that an export shows every step; a resume completes them.
void EndPhase::leave_record() {
  if (run().record.is_open() && rules_of(run().settings.mode).late_rows > 0)
    run().record.flush();
  run().record.let_go();
}

PhaseChange EndPhase::advance() {
  if (run().phase == Phase::kEnded) return {};
  if (closing_) return waits_for_disk().empty() ? conclude_record() : PhaseChange{};
  return is_idle() ? expired() : PhaseChange{};
}

PhaseChange EndPhase::expired() {
  switch (run().phase) {
    case Phase::kHalting:
      return {Trigger::kAllHold};
    case Phase::kLeaving:
      return {Trigger::kLeft};
    case Phase::kStopping:
      if (closing_) return conclude_record();
      finish();
      closing_ = true;
      closing_since_ = run().times.now;
      run().times.deadline.set(closing_since_, kLongestDisk);
      run().times.deadline.limit(closing_since_, kLongestDisk);
      return waits_for_disk().empty() ? conclude_record() : PhaseChange{};
    default:
      return {};
  }
}

TimePoint EndPhase::due() const noexcept {
  return closing_ ? run().times.now + kLookAtDisk : TimePoint::max();
}

std::string EndPhase::waits_for_disk() const {
  return closing_ && run().phase == Phase::kStopping ? run().recording.store.closing()
                                                     : std::string();
}

Awaited EndPhase::awaited(std::size_t site) const noexcept {
  const SitePeer& from = peer(site);
  if (run().phase == Phase::kEnded) return Awaited::kNothing;
  if (closing_) return Awaited::kNothing;
  if (run().phase != Phase::kStopping) return hold_.awaited(from);
  return from.session.stopped() || from.session.lost() ||
                 from.session.in(session::SessionState::kOffline)
             ? Awaited::kNothing
             : Awaited::kStopped;
}

bool EndPhase::resend(std::size_t site) {
  SitePeer& to = peer(site);
  if (run().phase == Phase::kStopping) {
    if (to.session.stopped()) return false;
    to.send(stop_message(to), run().times.now);
    return true;
  }
  if (to.session.held()) return false;
  hold_.resend(to);
  return true;
}

PhaseChange EndPhase::refused(std::size_t site, RunCause /*cause*/) {
  SitePeer& from = peer(site);
  if (run().phase != Phase::kLeaving && from.session.in(session::SessionState::kConnected))
    from.session.set_lost(true);  // nothing to stop there
  return {};
}

PhaseChange EndPhase::heard(std::size_t site, const Heartbeat& beat) {
  SitePeer& from = peer(site);
  if (run().phase == Phase::kHalting || run().phase == Phase::kLeaving)
    hold_.heard(from, beat);
  if (run().phase != Phase::kStopping || closing_) return {};
  // Without an operator's command to end this test, such a rig stays at its position; so
  // it does where a person there has held it after that command.
  if (from.real_equipment() && (end_.stopped_by.empty() || from.held_at_end) &&
      beat.health.state == session::name(session::SessionState::kHolding))
    from.session.keep_held();
  if (!from.session.lost())
    run().times.deadline.prolong(run().times.now, run().settings.answer);
  return {};
}

PhaseChange EndPhase::stopped(std::size_t site, const Stopped& message) {
  if (run().phase != Phase::kStopping) return {};
  SitePeer& from = peer(site);
  // A process that has not taken the session up has moved nothing, and knows of no step. A
  // simulated rig need not come home.
  const bool moved = from.steps > 0 || (end_.over && run().exchange.done() > 0);
  if (!from.session.stopped() && message.last_step == kInitialStep && moved &&
      from.real_equipment()) {
    from.session.stop_started_again();
    return {};
  }
  if (from.session.started_again()) return {};
  if (!from.session.stopped() && run().record.is_open()) audit_digest(site, message.audit);
  from.session.stop();
  // A fault stays latched there.
  if (!from.words.says(session::SessionState::kFault))
    from.words.tell(session::SessionState::kConfigured, "holds", run().times.now);
  from.pace = message.pace;
  return {};
}

void EndPhase::finish() {
  note_silent_sites();
  note_held_rigs();
  note_sites_started_again();
  if (run().record.is_open()) close_record();
}

/// A rig that may still move is not a test that is complete.
void EndPhase::note_silent_sites() {
  std::vector<SiteWait> missing = waits();
  if (missing.empty()) return;
  std::string silent = take_sites_behind_disks(missing);
  if (!missing.empty())
    silent += (silent.empty() ? "" : "; ") +
              ("no " + run_text::waits(missing, run().settings.sites));
  if (end_.result == evaluation::RunResult::kComplete)
    leave_unfinished(missing.empty() ? evaluation::RunResult::kStopped
                                     : evaluation::RunResult::kSiteLost);
  end_.reason += (end_.reason.empty() ? "" : "; ") + silent;
  if (run().record.is_open())
    run().recording.log.event(run().exchange.done(), "fault", silent);
}

/// Removes the sites of this process from `missing` whose disk has not taken the end of
/// their record. They are not silent: they speak when the disk returns.
/// @returns a sentence about these disks, or empty
std::string EndPhase::take_sites_behind_disks(std::vector<SiteWait>& missing) const {
  std::string disks;
  if (!run().settings.disk_of_site) return disks;
  std::erase_if(missing, [&](const SiteWait& wait) {
    const std::optional<PendingWait> disk =
        run().settings.disk_of_site(run().settings.sites[wait.site].name);
    if (!disk) return false;
    disks += (disks.empty() ? "" : "; ") + run_text::disk_overdue(disk->whom, disk->since);
    return true;
  });
  return disks;
}

void EndPhase::note_held_rigs() {
  const std::string kept_held = run_text::rigs_kept_held(run().peers);
  if (kept_held.empty()) return;
  if (end_.result == evaluation::RunResult::kComplete)
    leave_unfinished(evaluation::RunResult::kStopped);
  end_.reason += (end_.reason.empty() ? "" : "; ") + kept_held;
  if (run().record.is_open())
    run().recording.log.event(run().exchange.done(), "fault", kept_held);
}

/// A rig that stands where the watchdog stopped it is not one that came home.
void EndPhase::note_sites_started_again() {
  const bool complete = end_.result == evaluation::RunResult::kComplete;
  const bool can_resume = end_.leaving || (complete && run().settings.resumable);
  const std::string again = run_text::sites_started_again(run().peers, can_resume);
  if (again.empty()) return;
  if (complete) leave_unfinished(evaluation::RunResult::kStopped);
  end_.reason += (end_.reason.empty() ? "" : "; ") + again;
  if (run().record.is_open())
    run().recording.log.event(run().exchange.done(), "fault", again);
}

/// All steps are done, and not every site has said that its rig is at rest: a person ends
/// this test by `trestle resume`.
void EndPhase::leave_unfinished(evaluation::RunResult result) {
  end_.result = result;
  end_.leaving = run().settings.resumable;
}

void EndPhase::close_record() {
  RunRecorder& record = run().record;
  const Recording& recording = run().recording;
  record_whole_ = record.flush();
  if (end_.result == evaluation::RunResult::kComplete) record.finish();
  if (malformed_.due(run().times.now, true))
    recording.log.event(run().exchange.done(), malformed_.kind(),
                        malformed_.sum(run().times.now));
  // Of a test that can be begun again in its folder, or resumed, nothing is brought to an
  // end.
  if (!end_.leaving) {
    recording.log.event(run().exchange.done(), "state", "CONFIGURED");
    recording.store.close();
  }
  record.let_go();
}

/// The disk has taken the end of the record, or the wait for it is over.
PhaseChange EndPhase::conclude_record() {
  const Recording& recording = run().recording;
  const bool failed = recording.durability.failed();
  if ((failed || !record_whole_) && end_.result == evaluation::RunResult::kComplete) {
    end_.result = evaluation::RunResult::kStopped;
    end_.reason =
        failed ? recording.durability.error_message() : run_text::row_lost_at_end();
  }
  if (const std::string file = waits_for_disk(); !file.empty()) {
    if (end_.result == evaluation::RunResult::kComplete)
      leave_unfinished(evaluation::RunResult::kStopped);
    end_.reason += (end_.reason.empty() ? "" : "; ") +
                   run_text::disk_overdue("the disk of " + file, seconds(kLongestDisk));
  }
  return {Trigger::kAllStopped};
}

Stop EndPhase::stop_message(const SitePeer& to) const {
  return {run().settings.session, end_.reason.empty() ? "complete" : end_.reason,
          end_.stopped_by,
          run().record.is_open() ? run().recording.log.audit_digest() : std::string(),
          to.heard_hold};
}

}  // namespace trestle::integrator_node
