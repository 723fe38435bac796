#include "site-servers/node/site_text.h"

#include <unistd.h>

#include <cstdio>

#include "core/base/lost_record.h"
#include "core/base/process_to_end.h"
#include "core/base/refused_target.h"
#include "core/session/fault_text.h"
#include "core/types/step_range.h"
#include "site-servers/node/agreed_limits.h"

namespace trestle::site_node::site_text {
namespace {

// A rig that is held keeps its force, and a cleared fault is there again while it does.
constexpr const char* kTakeLoadOff =
    "the force to be below its limit (where the safe action leaves it above, take the load "
    "off by the equipment's own means: servo controller, valve)";
constexpr const char* kClear = "the fault to be cleared (trestle clear)";
constexpr const char* kRecordLost =
    "this process cannot use its record any further: see to that, then ";
constexpr const char* kIntegratorSilent = "the integrator is silent: ";

/// Who stood still while nothing was heard: where it was this process, nothing is said of
/// the integrator.
std::string silence_of(Duration away) {
  if (away == Duration::zero()) return kIntegratorSilent;
  char text[160];
  std::snprintf(text, sizeof text,
                "the process of this site did not run for %.3g s (it was stopped, or its "
                "host gave it no time), and heard nothing meanwhile: ",
                seconds(away));
  return text;
}

std::string command_of_end() {
  return std::string(kEndProcess) + std::to_string(getpid());
}

/// Where only another process of this site helps. One that drives a rig beside its
/// integrator stays at the first signal, and resumes no rig that is in FAULT.
/// @param signal  a fault outlives its process, so it names none
std::string another_process(const SiteSettings& settings, const std::string& signal) {
  const std::string clear = "clear the fault (trestle clear " + settings.name + ")";
  if (settings.shares_clock)
    return "end the program that runs the test (SIGTERM, twice), then " + clear +
           ", then resume the run (trestle resume RUN); one that cannot be resumed is "
           "ended by trestle stop";
  return "end this program (" + signal + ") and start it again, then " + clear +
         " and resume the test";
}

/// As what a driver needs that has ended: the program that began it begins the next one,
/// too, when it starts.
std::string restart(const SiteSettings& settings, const std::string& clear) {
  return settings.shares_clock
             ? "the program that runs the test to be ended (SIGTERM, twice), " + clear +
                   ", and the run to be resumed (trestle resume RUN)"
             : "the server of site " + settings.name +
                   " to be ended (SIGTERM) and started again; behind that " + clear;
}

std::string version_text(const Version& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

std::string with_reason(const std::string& what, const std::string& reason) {
  return reason.empty() ? what : what + ": " + reason;
}

std::string state_of(const SiteSession& session) {
  return std::string(session::name(session.state()));
}

/// One sentence for each cause.
struct Sentence {
  const AgreedTest& agreed;

  std::string operator()(const SiteCause::Halted& why) const {
    return why.reason.starts_with(why.node + ": ") ? why.reason
                                                   : why.node + ": " + why.reason;
  }
  std::string operator()(const SiteCause::Silence& why) const {
    const Fault fault{FaultKind::kPeerSilent, -1, seconds(why.lasted), why.watchdog};
    return silence_of(why.away) +
           session::format_fault(fault, agreed.layout, agreed.actuators);
  }
  std::string operator()(const SiteCause::SilentBeforeEnd& /*why*/) const {
    return "the integrator was silent";
  }
  std::string operator()(const SiteCause::IntegratorRestarted& /*why*/) const {
    return "the integrator was restarted";
  }
  std::string operator()(const SiteCause::SiteRestarted& why) const {
    return "restarted; its last step is " + std::to_string(why.last_step);
  }
  std::string operator()(const SiteCause::HeldByPerson& why) const {
    return with_reason("held by " + why.by, why.reason);
  }
  std::string operator()(const SiteCause::StoppedByPerson& why) const {
    const std::string stopped = "stopped by " + why.by;
    // An integrator that passes the command on has said so.
    const bool said = why.reason.find(stopped) != std::string::npos;
    return said ? why.reason : with_reason(stopped, why.reason);
  }
  std::string operator()(const SiteCause::ServerEnded& why) const { return why.reason; }
};

}  // namespace

std::string sentence(const SiteCause& cause, const AgreedTest& agreed) {
  return std::visit(Sentence{agreed}, cause.why);
}

std::string sentence(const Fault& fault, const SiteSettings& settings,
                     const AgreedTest& agreed, Duration away) {
  // Loop and node both watch for silence; both report it in the same words.
  const std::string who =
      fault.kind == FaultKind::kPeerSilent ? silence_of(away) : std::string();
  return who + session::format_fault(fault, agreed.layout, agreed.actuators) +
         format_site_limit(settings, fault, agreed.layout);
}

std::string at_step(std::int64_t step, const AgreedTest& agreed) {
  char when[80];
  std::snprintf(when, sizeof when, " at step %lld, t = %.3f s",
                static_cast<long long>(step),
                static_cast<double>(step) * agreed.configure.time_step);
  return when;
}

std::string sentence(const StepRefusal& refusal, const AgreedTest& agreed,
                     const SiteSession& session) {
  const std::string step = "step " + std::to_string(refusal.step);
  const std::string number = std::to_string(refusal.number);
  switch (refusal.why) {
    case StepRefusal::Why::kStepUnderWay:
      return step + " came while step " + number +
             " is under way; one follows when the other is answered";
    case StepRefusal::Why::kNotRunning:
      return with_reason(step + " came while the site is " + state_of(session),
                         session.reason());
    case StepRefusal::Why::kOutOfOrder:
      return step + " came; the next one is " + number;
    case StepRefusal::Why::kAfterEnd:
      return step + " came; the test ends with step " + number;
    case StepRefusal::Why::kWrongLengths:
      return step + " has vectors of other lengths than the " + number +
             " controlled interface DOFs that were agreed";
    case StepRefusal::Why::kFrameNotLinear:
      return step +
             " brings feed-forward, which needs a linear loading frame; this site's is not";
    case StepRefusal::Why::kNoFeedforward:
      return "feed-forward came, which mode " + agreed.configure.mode + " does not know";
    case StepRefusal::Why::kNoRoom:
      return step + " came, and the control loop has many before it";
  }
  return step;
}

std::string refused_target(const Fault& fault, std::int64_t step,
                           const SiteSettings& settings, const AgreedTest& agreed) {
  return session::refused_target_sentence(fault, agreed.layout, agreed.actuators) +
         format_site_limit(settings, fault, agreed.layout) + " at step " +
         std::to_string(step) + ". " + std::string(kSameTargetAgain) +
         ", so the test cannot go on: stop it";
}

std::string executed_after_all(std::int64_t first, std::int64_t last) {
  const std::string steps = format_steps({first, last});
  if (first == last)
    return steps +
           " was due while the test did not go on, and nothing of it was executed; it is "
           "executed now";
  return steps +
         " were due while the test did not go on, and nothing of them was executed; they "
         "are executed now";
}

std::string other_protocol(const Welcome& welcome, const SiteSettings& settings) {
  return "the integrator speaks protocol " + version_text(welcome.protocol) + " (trestle " +
         welcome.software + "), this site " + version_text(kProtocolVersion) +
         " (trestle " + settings.software + "); update the older one";
}

std::string busy_in_test(const SiteSession& session, const AgreedTest& agreed) {
  return "it is " + state_of(session) + " in test " + agreed.configure.test;
}

std::string integrator_silent(const std::string& site) {
  return ", whose integrator is silent: resume it there (trestle resume RUN-FOLDER), or "
         "end "
         "it here (trestle stop " +
         site + ")";
}

std::string refused_in_fault(const std::string& reason) {
  return "it is in FAULT (" + reason + "); a person has to clear that at the site";
}

std::string cannot_resume(const SiteSession& session) {
  return with_reason("it cannot go on: it is " + state_of(session), session.reason());
}

std::string no_record(const std::string& missing) {
  return with_reason(std::string(kNoRecordOfSession),
                     missing.empty() ? "the record holds no step of it" : missing);
}

std::string left_held(const std::string& held, const std::string& why_ended,
                      const std::string& site) {
  return held + (held.empty() ? "" : "; ") + "the integrator has ended the test (" +
         why_ended + "), and a rig that is held does not move by itself: trestle stop " +
         site + " brings it to its safe position";
}

std::string rig_commanded(const std::string& doing) {
  return "a command to its rig is under way (" + doing + ")";
}

std::string nothing_to_hold(const SiteSession& session) {
  return "the site is " + state_of(session) + "; only a running test can be held";
}

std::string nothing_to_clear(const SiteSession& session) {
  return "the site is " + state_of(session) + "; there is no fault to clear";
}

std::string remedy(const Fault& fault, const SiteSettings& settings, bool silent,
                   bool asks) {
  const std::string clear = kClear;
  if (silent)
    return std::string(kDriverToReturn) + "; one that has ended does not: then " +
           restart(settings, clear);
  if (asks) return "the drive that its equipment has in force (trestle clear --drive)";
  return fault.kind == FaultKind::kForceLimit ? kTakeLoadOff + (", then " + clear) : clear;
}

std::string record_failed(const SiteSettings& settings) {
  return std::string(kRecordLost) + another_process(settings, "SIGTERM");
}

std::string not_cleared_without_record(const SiteSettings& settings,
                                       const std::string& why) {
  return "the record of this site has failed: " + why + "; " + kRecordLost +
         another_process(settings, command_of_end());
}

std::string remedy_of_record(const SiteSettings& settings) {
  if (settings.shares_clock)
    return std::string(kRecordToBeSeenTo) +
           ", as the fault says; then: " + another_process(settings, command_of_end());
  return std::string(kProcessToEnd) + command_of_end() +
         ", when its record can be written again, and to be started again; then the fault "
         "to be cleared (trestle clear)";
}

std::string moves_still(const std::string& why) {
  return "the safe action still moves the rig, after: " + why +
         ". Clear when it is at rest: trestle status says so";
}

std::string not_read_yet(const std::string& site, Duration within) {
  if (within == Duration::zero())
    return "the fault is being cleared: site " + site +
           " waits for one read of its rig; trestle status says when it has come";
  char waited[40];
  std::snprintf(waited, sizeof waited, "%.3g s", seconds(within));
  return "the fault is not cleared yet: the rig of site " + site +
         " was asked for one read, and has not answered for " + waited +
         ". The site stays in FAULT until that read comes (trestle status); if it does "
         "not, see to the equipment, and start this program again";
}

std::string still_in_fault(const std::string& why, const std::string& remedy) {
  const bool alone = remedy.starts_with(kClear);
  return "the rig is still in fault: " + why +
         (alone ? ". Remove the cause at the equipment, then clear again (trestle clear)"
                : ". See to the equipment; what it needs: " + remedy);
}

}  // namespace trestle::site_node::site_text
