#include "numerical/node/startup_phase.h"

#include <algorithm>
#include <exception>

#include "core/base/twin_notice.h"
#include "core/session/audit_actions.h"
#include "core/session/busy_sentence.h"
#include "numerical/node/longest_wait.h"
#include "numerical/node/run_text.h"
#include "numerical/node/site_readings.h"

namespace trestle::integrator_node {
namespace {

/// Why the readings of a simulated rig are not asked for.
std::string not_applicable(const SiteSpecification& site) {
  return "NOT APPLICABLE: " +
         (site.twin ? twin_notice(site.name)
                    : "site " + site.name +
                          " is SIMULATED; a simulated rig is not read before the arming");
}

}  // namespace

PhaseChange StartupPhase::enter(const PhaseChange& /*change*/) {
  if (run().phase == Phase::kInitialMeasurement) {
    begin_arming();
    return {};
  }
  const TimePoint now = run().times.now;
  run().times.deadline.set(now, run().settings.connect);
  run().times.deadline.limit(now, longest_wait(run().settings.connect));
  for (SitePeer& peer : run().peers) peer.begin(now);
  if (run().settings.retell) return {Trigger::kRecordLoaded};
  return {};
}

PhaseChange StartupPhase::advance() {
  if (run().phase == Phase::kConnecting) return begin_when_agreed();
  request_initial_measurements();
  const bool measured = run().peers.all_sites_in(session::SessionState::kRunning) &&
                        run().exchange.barrier().complete();
  return {measured ? Trigger::kMeasured : Trigger::kNone};
}

/// Simulated rigs arm themselves; real equipment waits for a person.
PhaseChange StartupPhase::begin_when_agreed() {
  const TimePoint now = run().times.now;
  if (!run().peers.all_sites_in(session::SessionState::kConfigured) ||
      !run().peers.clocks_known(now))
    return {};
  const bool told =
      run().settings.resume || !run().peers.real_equipment() || !armed_by_.empty();
  if (!told && asked_operator_at_) return {};
  if (told && asked_operator_at_) {
    run().times.deadline.set(now, run().settings.connect);
    asked_operator_at_.reset();
  }
  const auto end = [](std::string why, evaluation::RunResult result) {
    return PhaseChange{Trigger::kEnd,
                       RunCause{.why = AsSaid{std::move(why)}, .result = result}};
  };
  if (std::string why = run_text::refusal_to_arm(run()); !why.empty())
    return end(std::move(why), evaluation::RunResult::kRejected);
  if (!told) {
    asked_operator_at_ = now;
    run().times.deadline.clear();
    return {};
  }
  if (run().settings.resume) {
    std::string why = run().recovery.resume_record();
    if (!why.empty()) return end(std::move(why), evaluation::RunResult::kRejected);
    return {Trigger::kRecordLoaded};
  }
  try {
    run().record.open(run().peers);
  } catch (const std::exception& error) {
    return {Trigger::kEnd, RunCause{.why = RecordNotKept{error.what()}}};
  }
  return {Trigger::kArmed};
}

void StartupPhase::begin_arming() {
  audit_arming();
  run().exchange.begin();
  const TimePoint now = run().times.now;
  for (SitePeer& peer : run().peers) peer.ordered(now);
  // The operator took his time; from now on the test waits for the sites.
  if (!armed_by_.empty()) run().times.deadline.set(now, run().settings.connect);
  run().times.deadline.limit(now, longest_wait(run().settings.connect));
  for (SitePeer& peer : run().peers) peer.send(arm_message(peer), now);
}

void StartupPhase::audit_arming() {
  const Recording& recording = run().recording;
  const auto& settings = run().settings;
  for (const SitePeer& peer : run().peers) {
    const std::string from = "bus: " + peer.name();
    recording.log.audit(
        session::audit_configured("integrator", from, peer.agreement.contract_hash));
    for (const std::string& line : peer.agreement.tightened_limits)
      recording.log.audit(session::audit_limit(peer.name(), from, line));
  }
  std::string by = armed_by_.empty() ? settings.by : armed_by_;
  if (by.empty()) by = "integrator";
  for (const SiteSpecification& site : settings.sites)
    if (site.twin) recording.log.event(0, "twin", twin_notice(site.name));
  if (settings.insecure) recording.log.audit(session::audit_insecure(by, "test file"));
  if (!settings.unstable.empty()) {
    recording.log.event(0, "warning", "armed although " + settings.unstable);
    recording.log.audit(session::audit_override(by, "test file", "arming.allow_unstable",
                                                settings.unstable));
  }
  for (const SitePeer& peer : run().peers)
    if (peer.real_equipment() && !peer.agreement.description.hardware_watchdog)
      recording.log.audit(session::audit_override(
          by, "test file", "arming.without_hardware_watchdog",
          "nothing stops the rig of " + peer.name() + " when its server dies"));
  for (AuditEntry& entry : arming_.take_entries(by)) recording.log.audit(std::move(entry));
  for (const SitePeer& peer : run().peers) {
    audit_readings(peer);
    audit_words(peer, by);
  }
}

/// What the person who armed has read of real equipment at rest.
void StartupPhase::audit_readings(const SitePeer& peer) {
  if (!peer.real_equipment()) return;
  const std::string readings =
      readings_at_rest(bounded_readings(peer.agreement, peer.words.health()));
  if (!readings.empty())
    run().recording.log.audit(session::audit_readings(peer.name(), readings));
}

/// An entry for each person who armed.
/// @param otherwise  who began the test, if no person armed it
void StartupPhase::audit_words(const SitePeer& peer, const std::string& otherwise) {
  const std::string& contract = peer.agreement.contract_hash;
  if (armed_by_.empty())
    run().recording.log.audit(session::audit_armed(otherwise, "terminal", contract));
  else
    for (const std::string& by : arming_.status().armed_by)
      run().recording.log.audit(
          session::audit_armed(by, session::kOperatorChannel, contract));
}

/// Requests them from all sites when all are armed; later from a site that restarted.
void StartupPhase::request_initial_measurements() {
  const TimePoint now = run().times.now;
  if (!asked_for_reads_) {
    if (!run().peers.all_sites_in(session::SessionState::kArmed)) return;
    asked_for_reads_ = true;
    run().times.zero =
        run().exchange.schedule().zero_at_start(now, run().peers.longest_round_trip());
  }
  for (SitePeer& peer : run().peers) {
    if (!peer.session.start()) continue;
    peer.send(Start{run().settings.session, run().times.zero}, now);
    peer.ordered(now);
    run().times.deadline.set(now, run().settings.answer);
  }
}

PhaseChange StartupPhase::expired() {
  if (run().phase == Phase::kInitialMeasurement && asked_operator_at_ && is_idle()) {
    run().times.deadline.clear();
    return {};
  }
  return overdue({}, run().peers.all_sites_in(session::SessionState::kRunning)
                         ? run().settings.answer
                         : run().settings.connect);
}

Awaited StartupPhase::awaited(std::size_t site) const noexcept {
  const SitePeer& from = peer(site);
  if (run().phase == Phase::kConnecting) {
    if (from.session.in(session::SessionState::kOffline)) return Awaited::kHello;
    if (from.session.in(session::SessionState::kConnected)) return Awaited::kAgreement;
    return run().peers.clock_known(site, run().times.now) ? Awaited::kNothing
                                                          : Awaited::kClock;
  }
  if (from.session.in(session::SessionState::kConnected)) return Awaited::kAgreement;
  if (from.session.in(session::SessionState::kConfigured))
    return awaits_operator(from) ? Awaited::kNothing : Awaited::kArmed;
  // Until all sites are armed, none was requested to read.
  if (!from.session.in(session::SessionState::kRunning)) return Awaited::kNothing;
  return run().exchange.has(site) ? Awaited::kNothing : Awaited::kOpeningRead;
}

bool StartupPhase::resend(std::size_t site) {
  if (run().phase != Phase::kInitialMeasurement) return false;
  SitePeer& to = peer(site);
  if (to.session.in(session::SessionState::kConfigured) && !awaits_operator(to)) {
    to.send(arm_message(to), run().times.now);
    return true;
  }
  if (!to.session.in(session::SessionState::kRunning) || run().exchange.has(site))
    return false;
  to.send(Start{run().settings.session, run().times.zero}, run().times.now);
  return true;
}

/// Before the first step no rig has moved: a restarted site starts again alone. In real
/// time the other sites may have started already.
PhaseChange StartupPhase::hello(std::size_t site, const Hello& hello) {
  const bool stranger = hello.last_session != run().settings.session;
  if (run().phase == Phase::kConnecting) return begin_site(site, hello, stranger, false);
  if (!stranger) return {};
  const bool late = rules_of(run().settings.mode).skips_steps && asked_for_reads_;
  return late ? admission_.readmit(site, hello) : begin_site(site, hello, true, true);
}

PhaseChange StartupPhase::begin_site(std::size_t site, const Hello& hello, bool stranger,
                                     bool first) {
  SitePeer& from = peer(site);
  // A site that had agreed already was restarted and begins again. In a test that continues
  // it is no longer a stranger.
  if ((stranger && from.session.active()) ||
      from.session.in(session::SessionState::kConfigured)) {
    from.session.restart();
    arming_.forget_readings(from.name());
    if (first)
      run().recording.log.event(
          0, "warning",
          "site " + from.name() +
              " begins again: it was restarted, or heard nothing for as long as its "
              "watchdog allows" +
              (from.real_equipment() ? "; it waits to be armed again" : ""));
  }
  if (!from.session.in(session::SessionState::kOffline)) return {};
  const auto end = [](const std::string& why) {
    return PhaseChange{Trigger::kEnd, RunCause{.why = AsSaid{why},
                                               .result = evaluation::RunResult::kRejected}};
  };
  const std::string why = refusal_of(hello, run().settings, from.expected());
  if (!why.empty()) {
    from.say(Rejection{why});
    return end(why);
  }
  from.agreement.description = hello.site;
  if (run().settings.resume && stranger) {  // it may have our session, too
    from.resume_point.asked_for_past = true;
    admission_.start_negotiation(from);
    return {};
  }
  from.resume_point.can_resume = !stranger && hello.can_resume;
  from.resume_point.last_step = stranger ? kInitialStep : hello.last_step;
  if (const std::string no = refusal_to_resume(from, stranger, hello); !no.empty()) {
    PhaseChange refused = end(no);
    refused.cause->over = !stranger;
    return refused;
  }
  if (from.session.stopped()) return {};  // it has brought the session to its end
  from.clock.restart();
  from.session.begin();
  if (first) run().times.deadline.set(run().times.now, run().settings.connect);
  admission_.start_negotiation(from);
  return {};
}

/// A test that continues needs every site's record, but for one whose last step was done:
/// there a site may have brought the session to its end already.
std::string StartupPhase::refusal_to_resume(SitePeer& peer, bool stranger,
                                            const Hello& hello) {
  if (!run().settings.resume || peer.resume_point.can_resume) return {};
  const std::string what = run().recovery.actuators_where_complete(peer.name());
  if (what.empty())
    return stranger ? run_text::without_record(peer.expected())
                    : run_text::over_at_site(peer.name(), hello.last_step,
                                             run().peers.no_other_server(peer.name()));
  peer.agreement.layout = peer.expected().layout;
  peer.agreement.actuators = parse_actuators(what);
  peer.session.end_before();
  return {};
}

PhaseChange StartupPhase::configured(std::size_t site, const Configured& message) {
  SitePeer& from = peer(site);
  if (!from.session.in(session::SessionState::kConnected)) return {};
  const bool first = run().phase == Phase::kInitialMeasurement;
  const Configure asked = configure_message(run().settings, from.expected(), false);
  if (std::string why = take_over(message, asked, from.expected(), first, from.agreement);
      !why.empty())
    return {Trigger::kEnd, RunCause{.why = AsSaid{std::move(why)},
                                    .result = evaluation::RunResult::kRejected}};
  from.agreed(run().times.now);
  from.session.agree();
  if (from.real_equipment())
    arming_.add_items(from.name(), from.agreement.checklist);
  else
    arming_.mark_not_applicable(from.name(), not_applicable(from.expected()));
  if (!first) return {};
  // The site checks its rig again before it reports that it is armed, and the rig may move.
  if (from.real_equipment()) {
    anew_.insert(from.name());
    if (!asked_operator_at_) {
      asked_operator_at_ = run().times.now;
      arming_.forget_words();
    }
    return {};
  }
  from.ordered(run().times.now);
  from.send(arm_message(from), run().times.now);
  return {};
}

PhaseChange StartupPhase::armed(std::size_t site, const Armed& message) {
  SitePeer& from = peer(site);
  if (run().phase != Phase::kInitialMeasurement ||
      !from.session.in(session::SessionState::kConfigured))
    return {};
  from.session.arm();
  from.words.tell(session::SessionState::kArmed, "", run().times.now);
  from.armed(run().times.now);
  audit_digest(site, message.audit);
  return {};
}

PhaseChange StartupPhase::refused(std::size_t site, RunCause cause) {
  SitePeer& from = peer(site);
  cause.result = evaluation::RunResult::kRejected;
  if (from.session.in(session::SessionState::kOffline)) {
    // Before its hello it got no request: a late message to another integrator.
    if (!from.resume_point.asked_for_past || run().phase != Phase::kConnecting) return {};
    from.resume_point.asked_for_past = false;
    if (refusal_to_resume(from, true, Hello{}).empty()) return {};
  } else if (from.session.in(session::SessionState::kConnected)) {
    from.session.set_lost(true);  // nothing to stop there
  }
  return {Trigger::kEnd, std::move(cause)};
}

/// Only who has not agreed with the site on anything is meant. A session of our own is one
/// whose integrator before us died: the site becomes free when it has missed it for long
/// enough.
PhaseChange StartupPhase::busy_elsewhere(std::size_t site, const Busy& busy) {
  const SitePeer& from = peer(site);
  if (run().phase != Phase::kConnecting ||
      !from.session.in(session::SessionState::kOffline) ||
      from.resume_point.asked_for_past || busy.session == run().settings.session)
    return {};
  return {Trigger::kEnd, RunCause{.why = AsSaid{run_text::busy_site(from.expected(), busy)},
                                  .result = evaluation::RunResult::kSiteLost}};
}

PhaseChange StartupPhase::heard(std::size_t site, const Heartbeat& beat) {
  const SitePeer& from = peer(site);
  // From its arming to the first read of the run a site reports none: those stand that it
  // was armed with, also where another one is to be armed again.
  const std::vector<RigReading> readings = site_readings(from.agreement, beat.health);
  if (run().phase == Phase::kConnecting || !readings.empty() || anew_.contains(from.name()))
    arming_.take_readings(from.name(), readings);
  if (!from.real_equipment()) return {};
  const bool connecting = run().phase == Phase::kConnecting;
  // The preparation of a rig takes time: the site reports the reason if it fails.
  if (connecting && from.session.in(session::SessionState::kConnected))
    run().times.deadline.extend_within_limit(run().times.now, run().settings.connect);
  // Its start-up checks take their time.
  if (!connecting && from.session.in(session::SessionState::kConfigured))
    run().times.deadline.prolong(run().times.now, run().settings.connect);
  return {};
}

PhaseChange StartupPhase::answered(std::size_t site, const StepResponse& response) {
  return run().phase == Phase::kConnecting ? PhaseChange{} : accept(site, response);
}

std::string StartupPhase::arm(const std::string& by) {
  if (arming_.is_armed()) arming_.forget_words();  // of a test that is armed again
  for (const SitePeer& peer : run().peers) {
    if (!peer.real_equipment() || !peer.session.in(session::SessionState::kConfigured))
      continue;
    const std::string outside =
        outside_at_rest(bounded_readings(peer.agreement, peer.words.health()));
    if (!outside.empty())
      return "not armed: site " + peer.name() + ": " + outside +
             "; see to the rig (to move it, stop the test first: trestle stop, then "
             "trestle "
             "rig home " +
             peer.name() +
             " --rate ... --force ...), or zero the transducer, "
             "and arm again";
  }
  if (std::string why = arming_.add_word(by); !why.empty()) return why;
  if (!arming_.is_armed()) return {};
  armed_by_ = arming_.persons();
  if (run().phase == Phase::kInitialMeasurement) arm_again();
  return {};
}

/// Real equipment that was restarted before the first step needs another arm command.
bool StartupPhase::awaits_operator(const SitePeer& peer) const noexcept {
  return asked_operator_at_ && peer.real_equipment();
}

void StartupPhase::arm_again() {
  for (AuditEntry& entry : arming_.take_entries(armed_by_))
    run().recording.log.audit(std::move(entry));
  for (SitePeer& peer : run().peers) {
    if (!peer.real_equipment() || !peer.session.in(session::SessionState::kConfigured))
      continue;
    audit_readings(peer);
    audit_words(peer, armed_by_);
    peer.ordered(run().times.now);
    peer.send(arm_message(peer), run().times.now);
  }
  anew_.clear();
  asked_operator_at_.reset();
  run().times.deadline.set(run().times.now, run().settings.connect);
}

Arm StartupPhase::arm_message(const SitePeer& peer) const {
  return {run().settings.session, peer.agreement.contract_hash,
          armed_by_.empty() ? run().settings.by : armed_by_,
          run().record.is_open() ? run().recording.log.audit_digest() : std::string()};
}

}  // namespace trestle::integrator_node
