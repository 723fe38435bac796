#include "numerical/node/operator_commands.h"

#include <utility>
#include <vector>

#include "core/session/audit_actions.h"
#include "core/session/note_text.h"
#include "numerical/node/run_text.h"

namespace trestle::integrator_node {
std::string OperatorCommands::refuse(CommandRefusal refusal) const {
  const std::string& why = refusal == CommandRefusal::kNoReturn ? parts_.hold.no_return()
                                                                : parts_.end.end().reason;
  return run_text::sentence(refusal, run_.phase, why);
}

std::string OperatorCommands::arm(const std::string& by) {
  if (!parts_.startup.waits_for_operator()) return refuse(CommandRefusal::kNothingToArm);
  return parts_.startup.arm(by);
}

std::string OperatorCommands::confirm(const std::string& by, const std::string& item,
                                      const std::string& at) {
  if (parts_.hold_phase.needed() != nullptr) return parts_.hold_phase.confirm(by, item, at);
  if (!parts_.startup.waits_for_operator()) return refuse(CommandRefusal::kNothingToArm);
  return parts_.startup.confirm(by, item, at);
}

std::string OperatorCommands::waive(const std::string& by, const std::string& item,
                                    const std::string& reason, const std::string& at) {
  if (parts_.hold_phase.needed() != nullptr)
    return parts_.hold_phase.waive(by, item, reason, at);
  if (!parts_.startup.waits_for_operator()) return refuse(CommandRefusal::kNothingToArm);
  return parts_.startup.waive(by, item, reason, at);
}

std::string OperatorCommands::hold(const std::string& by, const std::string& from,
                                   const std::string& reason) {
  // Rigs may move by their start checks: held there, the test begins again.
  if (run_.phase == Phase::kInitialMeasurement)
    return depart(by, from, reason, HeldByOperator{by, reason});
  const bool holds = run_.phase == Phase::kHolding || run_.phase == Phase::kHeld;
  // A hold that would end without a person, when a site is back, becomes a person's.
  if (holds && parts_.hold.needs_operator())
    return run_text::sentence(CommandRefusal::kHeldAlready, run_.phase,
                              run_text::how_held(run_));
  if (!under_way(run_.phase)) return refuse(CommandRefusal::kNotRunning);
  run_.recording.log.audit(session::audit_held(by, from, reason));
  parts_.coordinator.apply(
      {Trigger::kHold,
       RunCause{.why = HeldByOperator{by, reason}, .by = by, .operator_decides = true}});
  return {};
}

std::string OperatorCommands::resume(const std::string& by) {
  if (run_.phase == Phase::kHalting) return refuse(CommandRefusal::kStopping);
  if (run_.phase == Phase::kLeaving) return refuse(CommandRefusal::kLeaving);
  if (run_.phase != Phase::kHeld && run_.phase != Phase::kHolding)
    return refuse(CommandRefusal::kNothingHeld);
  if (!parts_.hold.no_return().empty()) return refuse(CommandRefusal::kNoReturn);
  const bool asks = parts_.hold_phase.needed() != nullptr;
  if (std::string why = parts_.hold_phase.resume(by); !why.empty()) return why;
  // The first of two has resumed nothing; the audit has both once the second has.
  if (parts_.hold_phase.needed() != nullptr) {
    parts_.resumed.pass_over();
    return {};
  }
  for (const std::string& person : asks ? parts_.hold_phase.persons() : std::vector{by})
    run_.recording.log.audit(session::audit_resumed(person, session::kOperatorChannel,
                                                    std::to_string(run_.exchange.done()),
                                                    "of each site"));
  parts_.resumed.begin();
  return {};
}

std::string OperatorCommands::stop(const std::string& by, const std::string& from,
                                   const std::string& reason) {
  if (ends(run_.phase)) return refuse(CommandRefusal::kOver);
  if (run_.settings.resume && !run_.record.is_open())
    return refuse(CommandRefusal::kNotTakenUp);
  if (run_.record.is_open())
    run_.recording.log.audit(session::audit_stopped(by, from, reason));
  parts_.coordinator.apply(
      {Trigger::kEnd, RunCause{.why = StoppedByOperator{by, reason}, .by = by}});
  return {};
}

std::string OperatorCommands::leave(const std::string& by, const std::string& from,
                                    const std::string& reason) {
  if (ends(run_.phase)) return refuse(CommandRefusal::kOver);
  return depart(by, from, reason, AsSaid{reason});
}

/// The sites hold, and this process ends.
std::string OperatorCommands::depart(const std::string& by, const std::string& from,
                                     const std::string& reason, RunCause::Why why) {
  if (run_.record.is_open())
    run_.recording.log.audit(session::audit_held(by, from, reason));
  parts_.coordinator.apply(
      {Trigger::kLeave,
       RunCause{.why = std::move(why), .result = evaluation::RunResult::kHeld, .by = by}});
  return {};
}

std::string OperatorCommands::note(const std::string& by, Note note) {
  if (note.to_all) {
    if (ends(run_.phase)) return refuse(CommandRefusal::kOver);
    parts_.heartbeats.say(by, note.text);
    return {};
  }
  if (!run_.record.is_open())
    return "no record is open: the test has not begun, or its record is closed; the note "
           "was not recorded";
  std::vector<std::string> sites;
  for (const SitePeer& peer : run_.peers) sites.push_back(peer.name());
  if (std::string why = session::refusal_of_site(note, sites); !why.empty()) return why;
  const std::int64_t done = run_.exchange.done() - 1;
  if (note.step == Note::kNow) note.step = done;
  if (std::string why = session::refusal_of_note(note, done); !why.empty()) return why;
  note.time = static_cast<double>(note.step) * run_.settings.time_step;
  run_.recording.log.audit(
      session::audit_noted(by, session::kOperatorChannel, session::note_text(note)));
  run_.recording.log.event(note.step, "note", note.text);
  return {};
}

std::string OperatorCommands::clear() const {
  return refuse(CommandRefusal::kOnlyAtTheSite);
}

}  // namespace trestle::integrator_node
