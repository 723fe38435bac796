#include "numerical/node/run_text.h"

#include <unistd.h>

#include <cstdio>

#include "core/base/lost_record.h"
#include "core/base/process_to_end.h"
#include "core/session/busy_sentence.h"
#include "core/session/limit_path.h"

namespace trestle::integrator_node::run_text {
namespace {

constexpr const char* kStopOthers =
    "; a site that still holds its rig for it is stopped there: trestle stop SITE, or, if "
    "it was started again, trestle rig set-aside SITE and trestle rig home SITE --rate ... "
    "--force ...";

std::string microseconds(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g us", seconds(duration) * 1e6);
  return digits;
}

/// "2.5 s".
std::string in_seconds(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g s", seconds(duration));
  return digits;
}

std::string with_reason(const std::string& what, const std::string& reason) {
  return reason.empty() ? what : what + ": " + reason;
}

/// ` (limit of the test, test.yaml:41:44)` if the violated limit is the test's.
std::string format_test_limit(const SiteSpecification& site, const Fault& fault) {
  if (!site.limit_place || !session::defines_limit(fault, site.limits, site.layout))
    return {};
  return " (limit of the test, " + site.limit_place(session::limit_path(fault)) + ")";
}

std::string site_at(const SiteSpecification& site) {
  return "site " + site.name + " (" + site.where + ")";
}

std::string excessive_residual(const ResponseDiverged& why) {
  char numbers[64];
  std::snprintf(numbers, sizeof numbers, "%.4g, stop_above %.4g", why.excess.residual,
                why.excess.limit);
  return "the residual of the integrator exceeds its limit at step " +
         std::to_string(why.step) + " (" + numbers +
         "; N or N.m); take more iterations or a shorter time_step, or raise "
         "integrator.stop_above";
}

/// One sentence for each cause.
struct Sentence {
  const std::vector<SiteSpecification>& sites;

  std::string operator()(const TestComplete& /*why*/) const { return {}; }
  std::string operator()(const AsSaid& why) const { return why.text; }
  std::string operator()(const HeldByOperator& why) const {
    return with_reason("held by " + why.by, why.reason);
  }
  std::string operator()(const StoppedByOperator& why) const {
    return with_reason("stopped by " + why.by, why.reason);
  }
  std::string operator()(const IntegratorRestarted& /*why*/) const {
    return "the integrator was restarted";
  }
  std::string operator()(const SiteHalted& why) const {
    return sites[why.site].name + ": " + why.reason +
           format_test_limit(sites[why.site], why.fault);
  }
  std::string operator()(const SiteRefused& why) const {
    return "site " + sites[why.site].name + " refuses: " + why.reason +
           format_test_limit(sites[why.site], why.fault);
  }
  std::string operator()(const SiteRestarted& why) const {
    return site_at(sites[why.site]) + " was restarted at step " + std::to_string(why.step) +
           " and has no record of this session that could be resumed";
  }
  std::string operator()(const SiteWasAway& why) const {
    return site_at(sites[why.site]) + " was away; its last step is " +
           std::to_string(why.last_step);
  }
  std::string operator()(const WaitOverdue& why) const {
    return "no " + waits(why.waits, sites) +
           (why.step ? " to step " + std::to_string(*why.step) : std::string()) +
           " within " + in_seconds(why.within) + why.clocks;
  }
  std::string operator()(const HoldOverdue& why) const {
    const std::string who = waits(why.waits, sites);
    return why.reason + "; the test held for " + in_seconds(why.held) +
           (who.empty() ? std::string() : ", and there was no " + who) + why.clocks;
  }
  std::string operator()(const RigsHeldAtEnd& why) const {
    std::string who;
    for (const RigsHeldAtEnd::Rig& rig : why.rigs) {
      who += (who.empty() ? "the rig of site " : " and of site ") + sites[rig.site].name;
      if (rig.silent)
        who += " (nothing was heard of it for " + in_seconds(*rig.silent) + ")";
    }
    return "all steps are over, and " + who +
           " holds: it moves to its safe position by a person's word only";
  }
  std::string operator()(const BadAnswer& why) const;
  std::string operator()(const AnswersMissed& why) const;
  std::string operator()(const ResponseDiverged& why) const {
    if (why.step == kInitialStep)
      return "the computed response is not finite before the first step";
    if (why.excess.limit > 0.0) return excessive_residual(why);
    return "the computed response is no longer finite at step " + std::to_string(why.step) +
           "; the loop has diverged";
  }
  std::string operator()(const RowLost& why) const {
    return "the record lost a row at step " + std::to_string(why.step) +
           "; it came too fast";
  }
  std::string operator()(const RecordNotKept& why) const {
    return "the record cannot be kept: " + why.error;
  }
  std::string operator()(const TargetsNotRecorded& why) const {
    return "the disk of the integrator's record has not taken the targets of step " +
           std::to_string(why.step) + " within " + in_seconds(why.within) +
           ", and nothing was sent: see to that disk";
  }
  std::string operator()(const OtherTarget& why) const {
    return "the replay asks for another target at step " + std::to_string(why.step) +
           " than the record; it was made by another program or on another processor";
  }
  std::string operator()(const AnswersNotRecorded& why) const {
    return "the record has later steps, but not the answers to step " +
           std::to_string(why.step) +
           ": it is damaged, and the test cannot go on from it; keep its folder, and run "
           "the test again into another one";
  }
  std::string operator()(const StepsLost& why) const {
    if (why.mode.empty())
      return why.who +
             "; the integrator's record has not all that lies between, so it cannot be "
             "given again";
    return why.who +
           "; the steps between are in the integrator's record and not in the site's, "
           "which lost them with its power. The specimen has seen them, and in " +
           why.mode +
           " mode no step is driven twice: the test cannot go on. End it (trestle stop)";
  }
  std::string operator()(const OtherAnswer& why) const {
    return "site " + sites[why.site].name + " does not repeat its answer to step " +
           std::to_string(why.step) +
           "; its record had lost that step, and the rig is not where it was";
  }
  std::string operator()(const SourceSilent& why) const {
    return why.source + " was silent for longer than `patience` allows";
  }
};

std::string Sentence::operator()(const BadAnswer& why) const {
  const std::string answered = "site " + sites[why.site].name + " answered step " +
                               std::to_string(why.step) + " with ";
  const std::string agreed = std::to_string(why.agreed);
  switch (why.verdict) {
    case AnswerVerdict::kWrongActuators:
      return answered + "values of other lengths than the " + agreed +
             " actuators that were agreed";
    case AnswerVerdict::kWrongDofs:
      return answered + std::to_string(why.given) + " interface DOFs, not the " + agreed +
             " that were agreed";
    case AnswerVerdict::kWrongForces:
      return answered + std::to_string(why.given) + " interface forces, not the " + agreed +
             " that were agreed";
    default:
      return answered + "a number that is not finite";
  }
}

std::string Sentence::operator()(const AnswersMissed& missed) const {
  if (missed.passed)
    return "site " + sites[missed.site].name + " did not execute step " +
           std::to_string(missed.step) +
           " and has executed a later one, so it never will: with on_miss: stop each "
           "resume ends here; stop this test, and run it again";
  std::string why = "on_miss: stop";
  if (missed.verdict == MissPolicy::Verdict::kInARow)
    why = std::to_string(missed.in_a_row) + " in a row, with " +
          std::to_string(missed.max_consecutive) + " allowed";
  else if (missed.verdict == MissPolicy::Verdict::kInWindow)
    why = std::to_string(missed.in_window) + " within the window, with " +
          std::to_string(missed.max_in_window) + " allowed";
  return "the answer of site " + sites[missed.site].name + " to step " +
         std::to_string(missed.step) + " missed its deadline (" + why +
         "); see the ledger for where the time goes, raise real_time.latency_steps or "
         "give the step more time";
}

/// One that drives a rig stays at the first signal.
std::string end_of_process(const RunParts& run) {
  bool rigs_here = false;
  for (const SitePeer& peer : run.peers)
    rigs_here = rigs_here || (peer.expected().shares_clock && run.peers.real_equipment());
  return std::string(kEndProcess) + std::to_string(getpid()) +
         (rigs_here
              ? ", twice: then only the equipment itself holds the rig of this process"
              : ", which leaves the rigs held");
}

}  // namespace

const char* name(Phase phase) noexcept {
  switch (phase) {
    case Phase::kConnecting:
      return "CONNECTING";
    case Phase::kReplaying:
      return "REPLAYING";
    case Phase::kInitialMeasurement:
      return "ARMED";
    case Phase::kRunning:
      return "RUNNING";
    case Phase::kHolding:
    case Phase::kHeld:
    case Phase::kHalting:
    case Phase::kLeaving:
      return "HOLDING";
    case Phase::kResuming:
    case Phase::kResynchronising:
      return "RESUMING";
    case Phase::kStopping:
      return "STOPPING";
    case Phase::kEnded:
      break;
  }
  return "ENDED";
}

const char* consequence(const RunParts& run) noexcept {
  const auto& settings = run.settings;
  switch (run.phase) {
    case Phase::kConnecting:
    case Phase::kInitialMeasurement:
      return "the test does not begin";
    case Phase::kRunning:
      return settings.hold > Duration::zero() || settings.resumable ? "the test holds"
                                                                    : "the test is stopped";
    case Phase::kHolding:
    case Phase::kLeaving:
      return "the test holds without it";
    case Phase::kHeld:
    case Phase::kResuming:
    case Phase::kResynchronising:
      if (!settings.resumable) return "the test is stopped";
      return run.peers.real_equipment()
                 ? "the test holds until the operator decides"
                 : "the integrator ends; the test stays held, to be resumed";
    case Phase::kStopping:
      return "the test ends without that word";
    default:
      return "the test is stopped";
  }
}

std::string sentence(const RunCause::Why& why,
                     const std::vector<SiteSpecification>& sites) {
  return std::visit(Sentence{sites}, why);
}

std::string sentence(CommandRefusal refusal, Phase phase, const std::string& why) {
  const std::string now = std::string("the test is ") + name(phase);
  switch (refusal) {
    case CommandRefusal::kNothingToArm:
      return now + "; nobody has to arm it now (simulated rigs arm themselves)";
    case CommandRefusal::kNotRunning:
      return now + "; only a running one can be held";
    case CommandRefusal::kHeldAlready:
      return now + " already" + (why.empty() ? "" : ": ") + why;
    case CommandRefusal::kNothingHeld:
      return now + "; there is nothing to resume";
    case CommandRefusal::kStopping:
      return "the test is being stopped: " + why;
    case CommandRefusal::kLeaving:
      return "the integrator leaves the test, which stays held: " + why;
    case CommandRefusal::kNoReturn:
      return why;
    case CommandRefusal::kOver:
      return now + " already";
    case CommandRefusal::kNotTakenUp:
      return "the test was held and is not resumed yet: its record is taken up, and can be "
             "ended, when its sites are there. To leave it held, press Ctrl-C where it "
             "waits (or " +
             std::string(kEndProcess) + std::to_string(getpid()) + ")";
    case CommandRefusal::kOnlyAtTheSite:
      break;
  }
  return "a fault is cleared at its site only, by a person there: trestle clear "
         "SITE-FOLDER";
}

std::string rigs(const RunParts& run) {
  if (run.phase != Phase::kHolding && run.phase != Phase::kHeld &&
      run.phase != Phase::kHalting && run.phase != Phase::kLeaving)
    return {};
  std::string all = "holds";
  for (const SitePeer& peer : run.peers) {
    if (peer.session.away() || peer.words.rig() == "asked to hold" ||
        peer.words.rig() == "moves")
      return "asked to hold";
    if (peer.words.rig().empty()) all.clear();
  }
  return all;
}

std::string how_held(const RunParts& run) {
  const std::string all = rigs(run);
  if (all == "holds") return "the rigs hold";
  return all.empty() ? all : "the rigs were asked to hold, and nothing confirms it yet";
}

std::string waits(const std::vector<SiteWait>& waits,
                  const std::vector<SiteSpecification>& sites) {
  std::string who;
  for (const SiteWait& wait : waits) {
    if (!who.empty()) who += ", ";
    who += std::string(words(wait.what)) + " of " + site_at(sites[wait.site]);
  }
  return who;
}

std::string word_to_continue(const SitePeers& peers, const std::string& persons) {
  std::string first;
  for (const SitePeer& peer : peers)
    if (peer.words.says(session::SessionState::kFault))
      first += (first.empty() ? std::string(kWhenAPersonAt) : " and ") + peer.name();
  if (!first.empty()) first += " has cleared the fault there (trestle clear)";
  return "the word to go on (trestle resume)" + persons + first +
         ", or to stop (trestle stop)";
}

std::string word_to_end() {
  return "the word to stop (trestle stop); a resume meets the same target";
}

std::string record_to_bring_back(const std::string& site) {
  return "bring the record of site " + site +
         " back to its place there and start its server again; or stop the test (trestle "
         "stop)";
}

std::string resume_waits(const std::string& by) {
  return "the rigs move when it is there, as " + by +
         " said; to withdraw that: " + std::string(kWithdraw);
}

std::string word_to_end_process(const RunParts& run) {
  constexpr const char* kStop = "the word to stop (trestle stop)";
  if (!run.settings.resumable) return kStop;
  return std::string(kProcessToEnd) + end_of_process(run) +
         "; then see to the cause, and resume the run's folder (trestle resume); or " +
         kStop;
}

std::string rigs_kept_held(const SitePeers& peers) {
  std::string kept;
  for (const SitePeer& peer : peers)
    if (peer.session.kept())
      kept += (kept.empty() ? "" : "; ") + ("the rig of site " + peer.name()) +
              " holds, and moves by a person's word only: trestle stop " + peer.name() +
              ", there";
  return kept;
}

std::string sites_started_again(const SitePeers& peers, bool can_resume) {
  std::string sentence;
  for (const SitePeer& peer : peers) {
    if (!peer.session.started_again()) continue;
    sentence += (sentence.empty() ? "site " : "; site ") + peer.name() +
                " was started again before it said that its rig is at its safe position; "
                "see to its rig (trestle status " +
                peer.name() + ")";
    // Until then the site keeps the rig for a test that nobody can resume.
    if (!can_resume)
      sentence += ". If it is not there: trestle rig set-aside " + peer.name() +
                  ", then trestle rig home " + peer.name() + " --rate ... --force ...";
  }
  return sentence;
}

std::string fault_to_clear(const std::string& site) {
  return "site " + site +
         " is in FAULT; see to its rig and to the cause, then clear the fault there: "
         "trestle clear " +
         site;
}

std::string over_in_fault(const std::string& site, bool alone) {
  return "the test was ended at site " + site +
         ", and is over; its rig is where the fault left it: see to the cause, clear the "
         "fault there (trestle clear " +
         site + "), and then move the rig (trestle rig home " + site +
         " --rate ... --force ...)" + (alone ? "" : kStopOthers);
}

std::vector<std::string> sites_in_fault(const SitePeers& peers) {
  std::vector<std::string> sentences;
  for (const SitePeer& peer : peers)
    if (peer.words.says(session::SessionState::kFault))
      sentences.push_back(fault_to_clear(peer.name()));
  return sentences;
}

std::string clocks(const RunParts& run) {
  const auto& settings = run.settings;
  const SitePeers& peers = run.peers;
  const TimePoint now = run.times.now;
  std::string sentence;
  for (std::size_t site = 0; site < peers.size(); ++site) {
    const SitePeer& peer = peers[site];
    // Its own word comes first: it may be the cause.
    if (peer.words.says(session::SessionState::kFault))
      sentence += "; site " + peer.name() +
                  " says that it is in FAULT, which a person clears there: trestle why " +
                  peer.name();
    if (peers.clock_known(site, now)) continue;
    if (settings.pace.system_clock && !peer.clock.known()) {
      sentence += "; site " + peer.name() +
                  " says nothing of a system clock that can be trusted; keep it by chrony "
                  "or PTP there, or take clock_source: bus";
      continue;
    }
    if (!peer.clock.known()) continue;
    sentence += "; the clock of " + peer.name() + " is known to " +
                microseconds(peer.clock.bound(now)) + ", mode " +
                trestle::name(settings.mode) + " needs " +
                microseconds(settings.clock_bound) +
                " (clock_bound); use a faster link, or clock_source: system";
  }
  return sentence;
}

std::string refusal_to_arm(const RunParts& run) {
  const auto& settings = run.settings;
  const SitePeers& peers = run.peers;
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

std::string without_record(const SiteSpecification& site) {
  return site_at(site) + " cannot go on: " + std::string(kNoRecordOfSession);
}

std::string over_at_site(const std::string& site, std::int64_t last_step, bool alone) {
  return "the test was stopped at site " + site + ", at step " + std::to_string(last_step) +
         ", and is over" + (alone ? "" : kStopOthers);
}

std::string sites_to_stop(const SitePeers& peers) {
  const bool all_heard = std::none_of(peers.begin(), peers.end(), [](const SitePeer& peer) {
    return peer.session.in(session::SessionState::kOffline) &&
           !peer.expected().shares_clock;
  });
  return all_heard ? "" : kStopOthers;
}

std::string busy_site(const SiteSpecification& site, const Busy& busy) {
  return session::busy_sentence(site.name, site.where, busy) +
         "; wait for its end, or ask for it to be stopped";
}

std::string no_return(const RunParts& run, const std::string& why) {
  const std::string cannot = "this integrator cannot go on (" + why + "); ";
  if (!run.settings.resumable) return cannot + "stop the test (trestle stop)";
  return cannot + "end its process (" + end_of_process(run) +
         "), see to the cause, and resume the run's folder, or stop the test (trestle "
         "stop)";
}

std::string cannot_continue(const std::string& by, const std::string& clocks) {
  return "it cannot go on as " + by + " said" + clocks;
}

std::string disk_overdue(const std::string& disk, double waited) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g s", waited);
  return disk + " has not taken the end of the record within " + digits +
         "; nothing is lost, the rest is in the ring file beside it: see to the disk, then "
         "trestle resume";
}

std::string row_lost_at_end() {
  return "the record lost a row at its end; it came too fast";
}

}  // namespace trestle::integrator_node::run_text
