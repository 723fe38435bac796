#include "numerical/node/run_status.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/number_text.h"
#include "core/base/refused_target.h"
#include "core/base/twin_notice.h"
#include "core/session/calibration.h"
#include "core/session/session_contract.h"
#include "core/types/record_names.h"
#include "core/types/session_id_text.h"
#include "numerical/node/run_text.h"
#include "numerical/node/site_readings.h"

namespace trestle::integrator_node {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
// Each step waits for the disk for a moment.
constexpr Duration kSlowDisk = std::chrono::seconds(1);

/// Why a person is asked to arm again: real equipment that agreed again after the first
/// word. A site in its start checks looks the same; both get the next word.
std::string reason_to_arm_again(const RunParts& run) {
  std::string sites;
  if (run.phase == Phase::kInitialMeasurement)
    for (const SitePeer& peer : run.peers)
      if (peer.real_equipment() && peer.session.in(session::SessionState::kConfigured))
        sites += (sites.empty() ? "site " : " or site ") + peer.name();
  if (sites.empty()) return {};
  return ", again: " + sites +
         " was restarted, or heard nothing for as long as its watchdog allows";
}

/// Who must still arm or resume, if two persons must.
/// @param did  "armed", "resumed"
std::string second_word(const ArmingStatus& arming, const char* did) {
  if (arming.words < 2) return {};
  if (arming.armed_by.size() != 1) return ", of two persons";
  return ", of a second person; " + arming.armed_by.front() + " " + did;
}

/// The delay of an actuator at which the loop was computed to turn unstable [s].
/// @param number  of the actuator, from 1
double delay_limit(const IntegratorSettings& settings, const std::string& site,
                   std::size_t number) {
  const std::string key = meta_key::kDelayLimitOf + site + "." + std::to_string(number);
  for (const auto& [name, value] : settings.delay_limits)
    if (name == key) return parse_number(value).value_or(kUnknown);
  return kUnknown;
}

ArmingSite arming_site(const SitePeer& peer, const RunParts& run) {
  ArmingSite site{.name = peer.name(),
                  .real_equipment = peer.real_equipment(),
                  .twin = peer.expected().twin,
                  .expired = session::expired_today(
                      peer.name(), session::parse_site_entries(peer.agreement.contract))};
  if (peer.clock.known()) site.clock_bound = seconds(peer.clock.bound(run.times.now));
  if (!peer.session.away())
    site.readings = bounded_readings(peer.agreement, peer.words.health());
  const std::vector<ActuatorDescription>& actuators = peer.agreement.actuators;
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    ArmingActuator& one = site.actuators.emplace_back();
    one.name = actuators[i].name;
    if (actuators[i].kind == DofKind::kRotation) one.unit = "rad";
    one.delay = delay_limit(run.settings, peer.name(), i + 1);
    if (i >= peer.agreement.limits.size()) continue;
    const ActuatorLimits& limits = peer.agreement.limits[i];
    one.displacement = limits.displacement;
    one.rate = limits.rate;
    one.force = limits.force;
  }
  return site;
}

/// How the site left its rig at the end of the run.
evaluation::SiteEnd end_of(const SitePeer& peer, const IntegratorSettings& settings) {
  using enum evaluation::SiteEnd;
  if (settings.retell) return kUnknown;
  if (peer.session.started_again()) return kStartedAgain;
  if (peer.words.says(session::SessionState::kFault)) return kFault;
  if (peer.session.stopped()) return kAtRest;
  const bool never_there =
      peer.session.in(session::SessionState::kOffline) && peer.steps == 0;
  return never_there ? kUnknown : kSilent;
}

}  // namespace

NodeStatus RunStatus::status(const PhaseHandler& phase) const {
  NodeStatus now;
  now.node = "integrator";
  now.test = run_.settings.test;
  now.session = to_hex(run_.settings.session);
  now.state = run_text::name(run_.phase);
  now.reason =
      parts_.hold.reason().empty() ? parts_.end.end().reason : parts_.hold.reason();
  now.step = run_.exchange.done() - 1;
  now.steps = steps_planned();
  now.time_step = run_.settings.time_step;
  for (const SitePeer& peer : run_.peers) {
    const bool heard = peer.words.heard_at() != TimePoint{};
    now.peers.push_back(
        {peer.name(), peer.where(),
         peer.session.away() || peer.session.no_record() ? "AWAY"
         : !peer.words.state().empty()                   ? peer.words.state()
                                       : std::string(session::name(peer.session.state())),
         peer.steps - 1, heard ? seconds(run_.times.now - peer.words.heard_at()) : -1.0,
         peer.words.says(session::SessionState::kRunning) ? "" : peer.words.rig(),
         // Of a site that is away nobody knows whether a contact is still closed.
         peer.session.away() ? std::vector<RigReading>{}
                             : site_readings(peer.agreement, peer.words.health())});
  }
  now.rig = run_text::rigs(run_);
  now.participants = run_.settings.participants;
  for (const SiteSpecification& site : run_.settings.sites)
    if (site.twin) now.twins.push_back(site.name);
  now.said = parts_.heartbeats.said();
  add_waits_for_sites(phase, now);
  add_wait_for_disk(now);
  add_waits_for_people(now);
  return now;
}

void RunStatus::add_waits_for_sites(const PhaseHandler& phase, NodeStatus& now) const {
  const std::int64_t answered = run_.exchange.awaited();
  const std::string& resumed_by = parts_.hold.resumed_by();
  const std::string then =
      run_.phase == Phase::kHeld && !resumed_by.empty() && !std::isfinite(time_left())
          ? run_text::resume_waits(resumed_by)
          : run_text::consequence(run_);
  for (const SiteWait& wait : phase.waits()) {
    const SitePeer& peer = run_.peers[wait.site];
    // Not yet updated since an operator's command.
    const bool noted = wait.what == peer.wait().what && answered == peer.wait().step;
    const bool answer = wait.what == Awaited::kAnswer;
    now.waits.push_back({"site " + peer.name() + " (" + peer.where() + ")",
                         words(wait.what) + (answer ? " to step " + std::to_string(answered)
                                                    : std::string()),
                         noted ? seconds(run_.times.now - peer.wait().since) : 0.0,
                         time_left(), then});
  }
  if (waits_for_target())
    now.waits.push_back({run_.settings.targets->who(),
                         "target of step " + std::to_string(parts_.running.next_step()),
                         seconds(run_.times.now - parts_.running.waits_for_target_since()),
                         time_left(), "the rigs hold, and the test is stopped"});
}

/// First that of a site in this process: the integrator waits for this site.
void RunStatus::add_wait_for_disk(NodeStatus& now) const {
  std::vector<PendingWait> disks = disks_of_sites();
  now.waits.insert(now.waits.begin(), std::make_move_iterator(disks.begin()),
                   std::make_move_iterator(disks.end()));
  if (slow_disk())
    now.waits.insert(now.waits.begin(),
                     {"the disk of the integrator's record",
                      "the targets of step " + std::to_string(run_.exchange.step()),
                      seconds(run_.times.now - *parts_.running.waits_for_disk_since()),
                      time_left(), run_text::consequence(run_)});
  const EndPhase& end = parts_.end;
  if (const std::string file = end.waits_for_disk(); !file.empty())
    now.waits.push_back({"the disk of " + file, "the end of the record",
                         seconds(run_.times.now - end.waits_for_disk_since()), time_left(),
                         "this process ends, and trestle resume completes the record"});
}

std::vector<PendingWait> RunStatus::disks_of_sites() const {
  std::vector<PendingWait> disks;
  if (!run_.settings.disk_of_site) return disks;
  for (const SitePeer& peer : run_.peers)
    if (std::optional<PendingWait> disk = run_.settings.disk_of_site(peer.name()))
      disks.push_back(*std::move(disk));
  return disks;
}

void RunStatus::add_waits_for_people(NodeStatus& now) const {
  if (parts_.startup.waits_for_operator()) {
    now.arming = parts_.startup.arming();
    for (const SitePeer& peer : run_.peers)
      now.arming->sites.push_back(arming_site(peer, run_));
    now.waits.push_back({"the operator",
                         "the word to arm (trestle arm)" +
                             second_word(*now.arming, "armed") + reason_to_arm_again(run_),
                         seconds(run_.times.now - parts_.startup.asked_operator_at()),
                         kForever, "nothing moves before"});
  }
  std::string persons;
  if (const ArmingStatus* const needed = parts_.holding.needed()) {
    now.arming = *needed;
    persons = second_word(*needed, "resumed");
  }
  const auto lost =
      std::find_if(run_.peers.begin(), run_.peers.end(),
                   [](const SitePeer& peer) { return peer.session.no_record(); });
  if (run_.phase == Phase::kHeld && parts_.hold.needs_operator())
    now.waits.push_back(
        {"the operator",
         lost != run_.peers.end()           ? run_text::record_to_bring_back(lost->name())
         : !parts_.hold.no_return().empty() ? run_text::word_to_end_process(run_)
         : is_refused_target(parts_.hold.reason())
             ? run_text::word_to_end()
             : run_text::word_to_continue(run_.peers, persons),
         seconds(run_.times.now - parts_.hold.since()), kForever,
         now.rig == "holds" ? "the rigs hold" : "the rigs were asked to hold"});
}

double RunStatus::time_left() const noexcept {
  return run_.times.deadline.at() == TimePoint::max()
             ? kForever
             : seconds(run_.times.deadline.at() - run_.times.now);
}

std::string RunStatus::waiting_for(const PhaseHandler& phase) const {
  std::string who = run_text::waits(phase.waits(), run_.settings.sites);
  if (who.empty() && waits_for_target())
    who = "next target of " + run_.settings.targets->who();
  if (slow_disk())
    who = "the disk of the integrator's record, for the targets of step " +
          std::to_string(run_.exchange.step());
  if (const std::string file = parts_.end.waits_for_disk(); who.empty() && !file.empty())
    who = "the disk of " + file + ", for the end of the record";
  for (const PendingWait& disk : disks_of_sites())
    who = disk.whom + ", for " + disk.what + "; " + who;
  return who;
}

bool RunStatus::waits_for_operator() const noexcept {
  return parts_.startup.waits_for_operator() ||
         (run_.phase == Phase::kHeld && parts_.hold.needs_operator());
}

/// Whether a step waits for the local disk, longer than each does.
bool RunStatus::slow_disk() const noexcept {
  const std::optional<TimePoint> since = parts_.running.waits_for_disk_since();
  return run_.phase == Phase::kRunning && since && run_.times.now - *since >= kSlowDisk;
}

bool RunStatus::waits_for_target() const noexcept {
  return run_.phase == Phase::kRunning && parts_.running.waits_for_target();
}

std::int64_t RunStatus::steps_planned() const noexcept {
  return run_.settings.targets == nullptr ? run_.settings.steps : run_.exchange.done();
}

evaluation::RunReport RunStatus::report() const {
  const RunEnd& end = parts_.end.end();
  evaluation::RunReport report;
  report.result = end.result;
  report.reason = end.reason;
  report.resumable = end.leaving;
  report.moved = end.moved;
  report.withdrawn = end.withdrawn;
  report.over = end.over;
  report.steps_planned = steps_planned();
  report.steps_done = run_.exchange.done();
  for (const SiteSpecification& site : run_.settings.sites)
    if (site.twin) report.warnings.push_back(twin_notice(site.name));
  if (!run_.settings.unstable.empty()) report.warnings.push_back(run_.settings.unstable);
  if (const ModelNotices* const notices = run_.exchange.model().notices())
    for (std::string& sentence : notices->sentences())
      report.warnings.push_back(std::move(sentence));
  // Of a test that is not complete, the reason says what to do.
  if (end.result == evaluation::RunResult::kComplete)
    for (std::string& sentence : run_text::sites_in_fault(run_.peers))
      report.warnings.push_back(std::move(sentence));
  for (const SitePeer& peer : run_.peers) {
    evaluation::SiteReport site;
    site.name = peer.name();
    site.end = end_of(peer, run_.settings);
    site.steps = peer.steps;
    site.tightened_limits = peer.agreement.tightened_limits;
    for (const ActuatorDescription& actuator : peer.agreement.actuators)
      site.tracking.push_back({actuator.name});
    report.sites.push_back(std::move(site));
  }
  run_.record.fill(report, run_.peers);
  for (std::size_t site = 0; site < run_.peers.size(); ++site)
    report.sites[site].misses = run_.exchange.misses().of(site).all();
  report.limit_met = end.limit_met;
  const bool unstable = end.diverged || (end.limit_met && limit_shows_instability());
  report.criteria.stable = report.criteria.stable && !unstable;
  if (end.result == evaluation::RunResult::kComplete || run_.exchange.done() == 0)
    report.criteria.until_step.reset();
  return report;
}

/// Returns true if an instability caused the limit that ended the run.
bool RunStatus::limit_shows_instability() const {
  if (!run_.settings.unstable.empty()) return true;
  const Halt& halt = parts_.hold.order();
  std::size_t site = 0;
  while (site < run_.peers.size() && run_.peers[site].name() != halt.node) ++site;
  return run_.record.shows_instability(site, halt.fault);
}

}  // namespace trestle::integrator_node
