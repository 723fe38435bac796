#include "site-servers/node/rig_service.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "core/session/audit_actions.h"
#include "core/session/fault_text.h"
#include "site-servers/checks/limit_self_test.h"
#include "site-servers/node/agreed_limits.h"
#include "site-servers/node/control_loop_settings.h"
#include "site-servers/node/exercise_findings.h"
#include "site-servers/node/rig_channels.h"
#include "site-servers/node/rig_tare_command.h"
#include "site-servers/node/set_aside.h"
#include "site-servers/node/site_text.h"
#include "site-servers/node/spoken_quantity.h"
#include "site-servers/node/told_drive.h"

namespace trestle::site_node {
namespace {

using Action = RigRequest::Action;
using enum session::SessionState;

// Fast enough for a motion that a person watches, and slow enough for any equipment.
constexpr double kShortestTick = 1.0 / 128;
constexpr double kReadingTime = 1.0;  // [s]
constexpr double kFewestReadings = 16;
// Between two looks at a thread that prepares or drives the rig.
constexpr Duration kLookAtWork = std::chrono::milliseconds(5);
// An audit entry has room for this and the rest of its text [bytes].
constexpr std::size_t kLongestAct = 900;

const char* name_of(Action action) {
  switch (action) {
    case Action::kStatus:
      return "status";
    case Action::kZero:
      return "zero";
    case Action::kJog:
      return "jog";
    case Action::kHome:
      return "home";
    case Action::kTare:
      return "tare";
    case Action::kUndoTare:
      return "undo-tare";
    case Action::kExercise:
      return "exercise";
    case Action::kRelease:
      return "release";
    case Action::kSetAside:
    case Action::kContinue:
    case Action::kEnd:
      break;
  }
  return "";
}

bool is_tare(Action action) {
  return action == Action::kTare || action == Action::kUndoTare;
}

bool is_motion(Action action) {
  return action == Action::kJog || action == Action::kHome || action == Action::kExercise;
}

std::string words_for(Action action) {
  if (action == Action::kStatus) return "readings";
  if (action == Action::kZero) return "zero readings";
  return std::string(kReleaseAct);
}

double command_tick(const RigDescription& rig) {
  return std::max(kShortestTick, rig.shortest_tick);
}

/// A test that continues must not have other readings than those before.
std::string why_not_tared(const SiteSession& session, const std::string& site) {
  const std::optional<InterruptedSession>& past = session.interrupted();
  if (!past) return {};
  return "a test was cut off at step " + std::to_string(past->at_step()) +
         (past->stopped ? "" : " and can be resumed with the tare that it has") +
         "; before the tare changes, " + way_to_end(*past, site);
}

bool is_sound(const Measurement& seen, std::size_t actuators) {
  const auto count = static_cast<Eigen::Index>(actuators);
  return seen.displacement.size() == count && seen.force.size() == count &&
         seen.displacement.allFinite() && seen.force.allFinite() &&
         seen.force_only.allFinite();
}

/// @param channels  in the order of the readings
/// @param diary     with the zero readings; null: there is none
std::vector<RigReading> readings_of(const checks::ReadingStatistics& seen,
                                    std::vector<RigReading> channels, const RigDiary* diary,
                                    const RigTare& tare) {
  const std::optional<RigZero> zero = diary == nullptr ? std::nullopt : diary->zero();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    RigReading& reading = channels[i];
    reading.mean = seen.mean(static_cast<Eigen::Index>(i));
    reading.deviation = seen.deviation(static_cast<Eigen::Index>(i));
    if (const TareOffset* const offset = tare.find(reading.channel)) {
      reading.tare = offset->value;
      reading.tared = offset->at;
    }
    if (!zero) continue;
    for (const RigReading& before : zero->readings)
      if (before.channel == reading.channel && before.unit == reading.unit)
        reading.drift = reading.mean + reading.tare - before.mean;
  }
  return channels;
}

void ask_to_hold(RigServiceLoop& loop, StallGuard& rig) noexcept {
  // A thread that does not come back cannot hold it.
  if (loop.ask_to_hold() || rig.hangs()) rig.hold();
}

}  // namespace

std::string RigService::command(const std::string& by, const RigRequest& request) {
  if (request.action == Action::kContinue) return repeat(by, request);
  if (request.action != Action::kEnd) return begin(by, request);
  if (std::string why = why_not_this(request); !why.empty()) return why;
  if (!under_way()) return "no command to the rig is under way";
  return hold("stopped by " + by);
}

/// A program that repeats a command must not keep a later one of the same person alive.
std::string RigService::why_not_this(const RigRequest& request) const {
  if (request.token.empty() || request.token == token_) return {};
  return "that command to the rig is over" +
         (under_way() ? "; another one is under way: " + doing() : std::string());
}

std::string RigService::repeat(const std::string& by, const RigRequest& request) {
  if (std::string why = why_not_this(request); !why.empty()) return why;
  if (!under_way()) return {};  // the report says how it ended
  if (by != report_.by)
    return site_text::rig_commanded(doing()) +
           "; only the person who gave it can repeat it, and anyone can end it: trestle "
           "rig end";
  if (loop_ != nullptr) loop_->hear(site_.peer.now());
  return {};
}

CommandedRig RigService::rig() const {
  const RigDescription& rig = site_.rig.description();
  const auto& agreed = site_.agreed.actuators;
  return {site_.settings, agreed.size() == rig.actuators.size() ? agreed : rig.actuators,
          complete(site_.settings.limits, static_cast<int>(rig.actuators.size())),
          command_tick(rig)};
}

std::string RigService::begin(const std::string& by, const RigRequest& request) {
  if (std::string why = why_not_now(); !why.empty()) return why;
  if (released_ && !request.acts())
    return "the rig was released for somebody to approach it, and a reading takes it up "
           "again; a person does that by name: trestle rig zero";
  if (released_ && is_tare(request.action))
    return "the rig was released for somebody to approach it, and its tare does not change "
           "before a person takes it up again by name: trestle rig zero";
  RigDiary* const diary = site_.settings.earlier.diary.get();
  if (request.acts() && diary == nullptr)
    return "this process keeps no diary of its rig, and would not know later who did what; "
           "only the readings can be had here (trestle rig status)";
  if (request.action == Action::kSetAside)
    return set_test_aside(site_, *diary, by, report_);
  std::string words = words_for(request.action);
  if (is_motion(request.action)) {
    const CommandedRig rig = this->rig();
    std::variant<RigCommand, std::string> read = read_rig_command(request, rig);
    if (const auto* why = std::get_if<std::string>(&read)) return *why;
    if (std::string why = why_not_moved(rig); !why.empty()) return why;
    motion_ = std::move(std::get<RigCommand>(read));
    words = motion_.words;
  }
  if (is_tare(request.action)) {
    if (std::string why = why_not_tared(site_.session, site_.settings.name); !why.empty())
      return why;
    std::variant<RigTareCommand, std::string> read =
        read_tare_command(request, site_.rig.description(), site_.rig.tare());
    if (const auto* why = std::get_if<std::string>(&read)) return *why;
    tare_ = std::move(std::get<RigTareCommand>(read));
    words = tare_.words;
  }
  try {
    // Before the rig moves.
    if (request.acts() && request.action != Action::kZero) {
      diary->keep(session::audit_rig(by, session::kOperatorChannel, words + ": commanded"));
      if (!is_tare(request.action)) diary->begin_motion();
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  action_ = request.action;
  words_ = words;
  token_ = request.token;
  report_ = {.action = name_of(action_), .by = by, .state = "gets ready"};
  hold_why_.clear();
  fault_latched_ = false;
  outcome_.reset();
  awaited_ = true;
  if (action_ == Action::kUndoTare)
    keep_tare();
  else
    prepare();
  return {};
}

std::string RigService::why_not_now() const {
  const SiteSession& session = site_.session;
  if (under_way())
    return site_text::rig_commanded(doing()) + "; ask again when that is over";
  if (session.in(kFault))
    return "the site is in FAULT (" + session.reason() +
           "); see to the cause, then clear it (trestle clear)";
  if (session.live() || session.active())
    return "test " + site_.agreed.configure.test + " is " +
           std::string(session::name(session.state())) +
           " at this site; its rig is commanded between two tests only";
  if (readiness_.under_way())
    return "the rig gets ready for test " + readiness_.test() +
           "; its rig is commanded between two tests only";
  if (session.flags().leaving) return "this program ends";
  if (site_.loop.hangs() || site_.loop.unfinished())
    return "the rig's driver has not come back from a call; see to the equipment, and "
           "start this program again";
  return {};
}

/// What a test needs before it is armed.
std::string RigService::why_not_moved(const CommandedRig& rig) const {
  const std::optional<InterruptedSession>& past = site_.session.interrupted();
  if (site_.rig.real() && past)
    return "a test was cut off at step " + std::to_string(past->at_step()) +
           (past->stopped ? "" : " and can be resumed from where the rig stands") +
           "; before the rig is moved, " + way_to_end(*past, site_.settings.name);
  if (site_.rig.real() && !site_.record.closing().empty())
    return "the disk has not yet taken the end of the last record, " +
           site_.record.closing() + "; ask again when it has";
  if (site_.rig.real() && !site_.rig.description().hardware_watchdog &&
      !site_.settings.watch.without_hardware_watchdog)
    return "nothing stops this real equipment when the program dies (no hardware "
           "watchdog); wire one and set hardware_watchdog: true in the site's file, or "
           "set arming.without_hardware_watchdog there";
  if (site_.rig.real())
    if (std::string why = refusal_without_limits(rig.limits, rig.actuators,
                                                 site_.settings.without_limits);
        !why.empty())
      return why;
  const safety::SafetyGate gate(rig.limits, rig.tick);
  RigLimits watched = rig.limits;
  // Of a motion without a target of a test there is no such error.
  for (ActuatorLimits& limit : watched) limit.energy_error = ActuatorLimits::kNone;
  return checks::run_limit_self_test(gate, safety::EnergyErrorMonitor(watched, rig.tick),
                                     watched, rig.actuators, rig.tick);
}

LoopExecutor& RigService::executor() noexcept {
  LoopExecutor* const other = site_.settings.loop_executor.get();
  return other == nullptr ? own_ : *other;
}

void RigService::prepare() {
  phase_ = Phase::kPrepares;
  released_ = false;
  const bool timed = site_.settings.loop_executor != nullptr;
  const double tick = command_tick(site_.rig.description());
  const RigRun run{tick, 0, timed};
  // A release is no call of a control loop: no guard watches it.
  SiteAdapter& adapter =
      action_ == Action::kRelease ? site_.rig.equipment() : site_.rig.guard();
  if (timed) site_.rig.watch_command(tick);
  const AfterPreparation then = action_ == Action::kRelease ? AfterPreparation::kRelease
                                : is_motion(action_)        ? AfterPreparation::kLook
                                                            : AfterPreparation::kNothing;
  if (timed && site_.rig.real()) {
    preparation_ = std::make_unique<RigPreparation>(adapter, run, then);
    return;
  }
  std::optional<RigFound> found;
  try {
    adapter.prepare(run);
    if (then == AfterPreparation::kLook) found = find_rig(adapter);
    if (then == AfterPreparation::kRelease) release_rig(adapter);
  } catch (const std::exception& error) {
    return prepared(error.what(), std::nullopt);
  }
  prepared({}, found);
}

void RigService::prepared(const std::string& problem,
                          const std::optional<RigFound>& found) {
  if (action_ == Action::kRelease && problem.empty()) {
    site_.loop.set_stood(std::nullopt);
    if (auto& past = site_.session.interrupted()) past->doubt_place();
    released_ = true;
    return finish(true, "released, as far as the rig's driver can");
  }
  if (site_.session.in(kFault))
    return finish(false, "ended in FAULT: " + site_.session.reason());
  if (!hold_why_.empty()) return finish(false, hold_why_);
  if (!problem.empty()) return finish(false, problem);
  std::string why;
  try {
    why = run(found);
  } catch (const std::exception& error) {  // of limits or a safe action that do not fit
    why = error.what();
    loop_.reset();  // no thread has it
  }
  if (!why.empty()) finish(false, why);
}

/// @returns why not, or empty
std::string RigService::run(const std::optional<RigFound>& found) {
  const CommandedRig rig = this->rig();
  const RigServiceSettings settings{
      .tick = rig.tick,
      .limits = rig.limits,
      .safe_action = site_.settings.safe_action,
      // Late ticks do no harm to a simulated rig.
      .most_overruns = site_.rig.real() ? site_.settings.watch.most_overruns
                                        : std::numeric_limits<std::int64_t>::max(),
      .overrun = site_.settings.watch.overrun};
  StallGuard& guard = site_.rig.guard();
  if (!is_motion(action_)) {
    const auto count = static_cast<std::int64_t>(
        std::max(std::ceil(kReadingTime / rig.tick), kFewestReadings));
    start(std::make_unique<RigServiceLoop>(settings, guard, clock_, count));
    return {};
  }
  if (!found || found->status != AdapterStatus::kOk ||
      !is_sound(found->seen, rig.actuators.size())) {
    const std::string words = guard.diagnostic_message();
    return "the rig cannot be read" + (words.empty() ? words : ": " + words);
  }
  if (guard.active_interlock()) return "the rig must stay: " + guard.diagnostic_message();
  const auto count = static_cast<Eigen::Index>(rig.actuators.size());
  const RigBefore before{found->seen, site_.rig.real(),
                         checks::reported_drive(guard.drive_in_force(), count),
                         site_.loop.stood()};
  const std::variant<RigMotionTask, std::string> plan = plan_motion(motion_, rig, before);
  if (const auto* why = std::get_if<std::string>(&plan)) return *why;
  start(std::make_unique<RigServiceLoop>(settings, guard, clock_,
                                         std::get<RigMotionTask>(plan), site_.peer.now()));
  outcome_ = std::string();  // it has begun
  return {};
}

void RigService::start(std::unique_ptr<RigServiceLoop> loop) {
  loop_ = std::move(loop);
  if (site_.settings.loop_executor != nullptr) loop_->set_guard(&site_.rig.guard());
  phase_ = Phase::kActs;
  report_.state = is_motion(action_) ? "moves" : "reads";
  next_tick_ = site_.peer.now();
  executor().begin(*loop_);
}

std::string RigService::hold(const std::string& why) {
  if (!under_way()) return {};
  if (acts_safely())
    return "the safe action after a fault moves the rig and ends by itself in a hold (" +
           site_.session.reason() + "); the equipment's emergency stop ends it at once";
  if (hold_why_.empty()) hold_why_ = why;
  if (preparation_ != nullptr) preparation_->give_up();
  if (loop_ == nullptr) return {};
  ask_to_hold(*loop_, site_.rig.guard());
  return {};
}

void RigService::poll() {
  if (phase_ == Phase::kPrepares) {
    if (preparation_ == nullptr)
      return finish(false, "this host gives the rig no thread to get ready");
    if (!preparation_->done()) {
      // Again: the adapter may only begin now.
      if (!hold_why_.empty()) preparation_->give_up();
      // Its look at the rig hangs: nobody knows when the outcome comes.
      if (site_.session.in(kFault) && !outcome_)
        outcome_ = "ended in FAULT: " + site_.session.reason();
      return;
    }
    const std::string problem = preparation_->problem();
    const std::optional<RigFound> found = preparation_->found();
    preparation_.reset();
    prepared(problem, found);
  }
  if (phase_ != Phase::kActs) return;
  next_tick_ = executor().tick(site_.peer.now());
  // Asked first: one that ends in a fault meanwhile is not over before that is latched.
  const bool over = loop_->over();
  look_at_fault();
  if (over) finish_loop();
}

TimePoint RigService::due() const noexcept {
  if (phase_ == Phase::kIdle) return TimePoint::max();
  return std::min(next_tick_, site_.peer.now() + kLookAtWork);
}

/// FAULT, latched as in a test: a person at the site clears it.
void RigService::look_at_fault() {
  const StallGuard& guard = site_.rig.guard();
  const bool stalled = guard.stalled();
  if (fault_latched_ ||
      (!stalled && !loop_->acts_safely() && loop_->end() != RigTaskEnd::kFault))
    return;
  fault_latched_ = true;
  const Fault fault = stalled ? Fault{FaultKind::kStalled, -1, seconds(guard.lasted()),
                                      seconds(guard.patience())}
                              : loop_->fault();
  const std::string found = session::format_fault(fault, {}, rig().actuators) +
                            format_own_limit(site_.settings, fault);
  const std::string words = guard.diagnostic_message();
  const std::string sentence =
      session::with_words_of_rig(fault, found, words) + " during the " + doing();
  report_.outcome = "ended in FAULT: " + sentence;
  if (!outcome_) outcome_ = report_.outcome;  // of a driver that hangs none may follow
  site_.session.move(kFault);
  site_.session.set_reason(sentence);
  site_.session.latch({SessionId{}, site_.settings.name, fault, site_.position.executed + 1,
                       sentence, report_.by});
}

void RigService::finish_loop() {
  if (!executor().end(LoopExecutor::kPatience)) return;  // again in the next tick
  if (loop_->drives() > 0) site_.loop.set_stood(loop_->given());
  const RigTaskEnd end = loop_->end();
  // Of a rig in FAULT, or where somebody was told that the reading ends, nothing is kept.
  const bool read = end == RigTaskEnd::kRead && hold_why_.empty();
  const bool done = !fault_latched_ && (read || end == RigTaskEnd::kThere);
  std::string outcome = outcome_of(end);
  report_ = report();
  if (done && action_ == Action::kExercise) {
    const CommandedRig rig = this->rig();
    report_.exercise = exercise_findings(*loop_, motion_.exercise, rig.actuators, rig.tick);
    outcome += ": " + exercise_text(report_.exercise);
  }
  if (end == RigTaskEnd::kRead)
    report_.readings = readings_of(loop_->readings(),
                                   rig_channels(rig().actuators, site_.rig.description()),
                                   site_.settings.earlier.diary.get(), site_.rig.tare());
  loop_.reset();
  if (done && action_ == Action::kTare) return keep_tare();
  if (done && action_ == Action::kZero) {
    std::vector<RigReading> raw = report_.readings;
    for (RigReading& each : raw) each.mean += each.tare;
    try {
      site_.settings.earlier.diary->keep_zero(report_.by, raw);
    } catch (const std::exception& error) {
      return finish(false, error.what());
    }
    return finish(true, readings_text(report_.readings, kLongestAct / 2));
  }
  finish(done, outcome);
}

/// No thread reads the rig. First what the next process finds, then the readings of this
/// one.
void RigService::keep_tare() {
  RigDiary& diary = *site_.settings.earlier.diary;
  const RigDescription& rig = site_.rig.description();
  // In the rig's own units: a later process does not know the kinds that a test has agreed.
  const std::vector<RigReading> own = rig_channels(rig.actuators, rig);
  std::vector<RigReading> readings = report_.readings;
  for (std::size_t i = 0; i < readings.size(); ++i) readings[i].unit = own[i].unit;
  std::variant<std::vector<TareOffset>, std::string> offsets =
      tare_offsets(tare_, readings, this->rig().limits, site_.rig.tare());
  if (const auto* why = std::get_if<std::string>(&offsets)) return finish(false, *why);
  try {
    diary.keep_tare(report_.by, std::get<std::vector<TareOffset>>(offsets));
  } catch (const std::exception& error) {
    return finish(false, error.what());
  }
  if (const std::string why = site_.rig.set_tare(diary.tare()); !why.empty())
    return finish(false, why);
  for (RigReading& each : report_.readings) show_tare(each, site_.rig.tare());
  finish(true, tare_text(tare_, site_.rig.tare()));
}

std::string RigService::outcome_of(RigTaskEnd end) {
  const auto& actuators = rig().actuators;
  std::string at;
  if (const auto given = loop_->given())
    at = "; the rig holds at the drive " + drive_text(given->drive, actuators);
  if (fault_latched_) return "ended in FAULT: " + site_.session.reason() + at;
  switch (end) {
    case RigTaskEnd::kRead:
      return hold_why_.empty() ? "read" : "ended: " + hold_why_;
    case RigTaskEnd::kThere:
      return "moved as commanded" + at;
    case RigTaskEnd::kSilent:
      return "ended: the command was not repeated for 1 s" + at;
    case RigTaskEnd::kAsked:
      return "ended: " + hold_why_ + at;
    case RigTaskEnd::kForce: {
      const auto i = static_cast<std::size_t>(loop_->stopped_by());
      return "ended: the force of actuator " + actuators[i].name + " is " +
             spoken_text(loop_->axis(loop_->stopped_by()).force, SpokenKind::kForce,
                         actuators[i].kind) +
             ", beyond the stated " +
             spoken_text(motion_.force[loop_->stopped_by()], SpokenKind::kForce,
                         actuators[i].kind) +
             at;
    }
    case RigTaskEnd::kMoved:
      return "not begun: other means moved the rig before its first drive";
    case RigTaskEnd::kUnreadable: {
      const std::string words = site_.rig.guard().diagnostic_message();
      return "the rig cannot be read" + (words.empty() ? words : ": " + words);
    }
    case RigTaskEnd::kFault:  // latched above
    case RigTaskEnd::kNotYet:
      break;
  }
  return {};
}

void RigService::finish(bool done, const std::string& outcome) {
  phase_ = Phase::kIdle;
  next_tick_ = TimePoint::max();
  report_.state = "over";
  report_.done = done;
  report_.outcome = outcome;
  if (action_ != Action::kStatus) {
    try {
      site_.settings.earlier.diary->keep(
          session::audit_rig(report_.by, session::kOperatorChannel,
                             (words_ + ": " + outcome).substr(0, kLongestAct)));
    } catch (const std::exception& error) {
      report_.outcome += "; " + std::string(error.what());
    }
  }
  if (!outcome_) outcome_ = done ? std::string() : report_.outcome;
}

std::optional<std::string> RigService::take_outcome() {
  if (!awaited_ || !outcome_) return std::nullopt;
  awaited_ = false;
  return outcome_;
}

RigReport RigService::report() const {
  RigReport report = report_;
  if (site_.settings.earlier.diary != nullptr)
    if (const std::optional<RigZero> zero = site_.settings.earlier.diary->zero())
      report.zero = zero->at;
  if (loop_ == nullptr || !is_motion(action_)) return report;
  if (loop_->acts_safely()) report.state = "acts safely";
  if (fault_latched_ && !loop_->acts_safely() && !loop_->over()) report.state = "hangs";
  const auto& actuators = rig().actuators;
  report.axes.clear();
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    const RigServiceLoop::Axis axis = loop_->axis(static_cast<int>(i));
    report.axes.push_back({actuators[i].name,
                           actuators[i].kind == DofKind::kRotation ? "rad" : "m",
                           axis.drive, axis.measured, axis.force});
  }
  return report;
}

void RigService::hand_over() {
  released_ = false;
  RigDiary* const diary = site_.settings.earlier.diary.get();
  if (diary == nullptr) return;
  try {
    for (const AuditEntry& act : diary->acts()) site_.record.audit(act);
    diary->hand_over();
  } catch (const std::exception& error) {
    site_.note("host", error.what());
  }
}

void RigService::end() noexcept {
  preparation_.reset();
  if (loop_ == nullptr) return;
  ask_to_hold(*loop_, site_.rig.guard());
  if (executor().end(LoopExecutor::kPatience)) {
    // The thread may have ended before the tick in which it would have held.
    if (!loop_->over()) site_.rig.guard().hold();
    return loop_.reset();
  }
  // A thread is in there still, and may return.
  site_.rig.guard().watch_by_hand(Duration::zero(), false);  // what it uses is kept, too
  static auto* const kept = new std::vector<const void*>;
  kept->push_back(loop_.release());
}

}  // namespace trestle::site_node
