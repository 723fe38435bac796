#include "studies/rehearsal/fault_simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

namespace trestle::rehearsal {
namespace {

using namespace std::chrono_literals;

// Longer than every wait of a node: beyond it, a node waits without a limit.
constexpr Duration kLongest = 40min;
constexpr std::int64_t kMostRounds = 3'000'000;
// A node that finds no work this many times in a row waits for time to pass.
constexpr int kMostLooks = 3;
constexpr Duration kLook = 1ms;
// The bound that a host states of its wall clock, whether it is true or not.
constexpr Duration kWallBound = 10us;
// Time after the integrator's end in which nothing may move any more.
constexpr Duration kAfterwards = 1s;
// Without further operators: a hold after this time is final.
constexpr Duration kNobodyComes = 60s;

MemoryStoreSettings disk_of(ExecutionMode mode, Duration delay) {
  MemoryStoreSettings settings;
  settings.sync_delay = delay;
  if (mode == ExecutionMode::kSimulated) settings.sync_period = 1s;
  if (mode == ExecutionMode::kContinuous || mode == ExecutionMode::kRealTime)
    settings.sync_period = 100ms;
  return settings;
}

bool deadly(FaultType sort) {
  return sort == FaultType::kKill || sort == FaultType::kPowerLoss;
}

constexpr const char* kOperator = "operator@rehearsal";
constexpr Duration kOperatorLooks = std::chrono::milliseconds(250);
// An operator who is away for longer does not come back in this scenario.
constexpr Duration kLongestAway = std::chrono::seconds(15);
// In vain, before the operator gives a test up; some seconds.
constexpr int kMostWords = 20;
// How far a step of nonsense is ahead.
constexpr std::int64_t kGapOfNonsense = 7;

}  // namespace

FaultSimulator::FaultSimulator(RehearsalSetup& bench, FaultLabSettings settings)
    : bench_(bench),
      settings_(std::move(settings)),
      site_count_(static_cast<int>(bench.sites().size())),
      network_(site_count_, clock_, settings_.dice),
      slots_(bench.sites().size() + 1),
      sites_(bench.sites().size()),
      struck_(settings_.faults.size(), false) {
  // Zero is when nothing has happened yet, for nodes: begin somewhere else.
  clock_.advance_to(TimePoint(1s));
  trace_.dark_at_end.assign(sites_.size(), false);
  for (std::size_t i = 0; i < slots_.size(); ++i)
    trace_.disks.push_back(std::make_unique<SimulatedDisk>(
        disk_of(bench.integrator().mode, settings_.sync_delay), &clock_));
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const int number = static_cast<int>(i);
    const std::string& name = bench.sites()[i];
    if (const network::LinkSettings* link = bench.link(i)) network_.link(number, *link);
    std::unique_ptr<SiteAdapter> rig = bench.rig(i);
    const bool real = settings_.real_rigs || rig->description().real_equipment;
    trace_.real_rigs = trace_.real_rigs || real;
    rigs_.push_back(
        std::make_unique<MonitoredRig>(name, std::move(rig), real, clock_, disk(number)));
    rigs_.back()->watch().expect(bench.habits(i));
    rigs_.back()->watch().watchdog(bench.integrator().watchdog);
    if (!settings_.allowed.empty()) rigs_.back()->watch().allow(settings_.allowed[i]);
    trace_.books.emplace_back(name);
  }
}

ScenarioTrace FaultSimulator::run() {
  if (settings_.story)
    network_.tell([this](int site, FaultyNetwork::Direction way, const std::string& what,
                         const char* fate) {
      const std::string& name = bench_.sites()[static_cast<std::size_t>(site)];
      const bool to_site = way == FaultyNetwork::kToSite;
      tell(to_site ? -1 : site,
           "-> " + (to_site ? name : std::string("integrator")) + "  " + what + fate);
    });
  for (int node = -1; node < site_count_; ++node) start(node);
  int looks = 0;
  for (std::int64_t round = 0; round < kMostRounds; ++round) {
    const TimePoint now = clock_.now();
    strike();
    const CallCount before = calls_;
    TimePoint news = network_.next_delivery(now);
    TimePoint due = TimePoint::max();
    for (int node = -1; node < site_count_; ++node) {
      due = std::min(due, tick(node, now));
      news = std::min(news, disk(node).next_sync(now));
    }
    note_last_step();
    if (over(now)) {
      trace_.ended = true;
      break;
    }
    // A node that polls for what only time can bring must not stop time.
    looks = calls_ == before ? looks + 1 : 0;
    if (due <= now && looks < kMostLooks) continue;
    if (due <= now) due = now + kLook;
    due = std::min(due, news);
    operate(now);
    const TimePoint next = std::min(due, std::max(operator_at_, now));
    if (next == TimePoint::max()) break;
    clock_.advance_to(std::max(next, now + Duration(1)));
    if (clock_.now().time_since_epoch() > kLongest) break;
  }
  conclude();
  return std::move(trace_);
}

TimePoint FaultSimulator::tick(int node, TimePoint now) {
  Slot& at = slot(node);
  if (life(node) == nullptr) {
    if (at.back_at > now) return at.back_at;
    start(node);
    return now;
  }
  if (at.stalled_until > now) return at.stalled_until;
  TimePoint due;
  if (node < 0) {
    if (integrator_->node.finished()) return begin_again(now);
    due = integrator_->clock.on_lab(integrator_->node.tick(integrator_->clock.now()));
  } else {
    SimulatedSiteProcess& site = *sites_[static_cast<std::size_t>(node)];
    due = site.clock.on_lab(site.node.tick(site.clock.now()));
  }
  if (life(node)->alive()) return due;
  remove_process(node);
  return now;
}

// --- life and death ---

ProcessLifetime* FaultSimulator::life(int node) noexcept {
  if (node < 0) return integrator_ == nullptr ? nullptr : &integrator_->life;
  SimulatedSiteProcess* site = sites_[static_cast<std::size_t>(node)].get();
  return site == nullptr ? nullptr : &site->life;
}

/// Returns the first of a node's pending deaths.
const ScheduledFault* FaultSimulator::next_death(int node) const {
  for (std::size_t i = 0; i < settings_.faults.size(); ++i)
    if (!struck_[i] && settings_.faults[i].node == node && deadly(settings_.faults[i].sort))
      return &settings_.faults[i];
  return nullptr;
}

void FaultSimulator::start(int node) {
  disk(node).free_disk();
  if (node < 0)
    start_integrator();
  else
    start_site(static_cast<std::size_t>(node));
  slot(node).back_at = TimePoint::max();
  if (const ScheduledFault* death = next_death(node))
    life(node)->terminate_at_call(death->at);
}

void FaultSimulator::start_integrator() {
  integrator_node::IntegratorSettings settings = bench_.integrator();
  MemoryRecorder past(disk(-1));
  if (past.open_session(settings.session) != nullptr) settings.resume = true;
  settings.system_clock = wall_clock_of(-1);
  settings.resumable = settings_.resumes > 0;
  integrator_ = std::make_unique<SimulatedIntegratorProcess>(
      ProcessHost{calls_, clock_, network_, disk(-1)}, settings, bench_.substructure(),
      trace_.books);
  if (settings_.story)
    integrator_->record.tell([this](const std::string& kind, const std::string& text) {
      tell(-1, kind + ": " + text);
    });
}

void FaultSimulator::start_site(std::size_t site) {
  const int node = static_cast<int>(site);
  rigs_[site]->begin_life();
  site_node::SiteSettings settings = bench_.site(site);
  // A rehearsal cannot damage equipment.
  if (settings_.real_rigs)
    settings.without_limits = site_node::WithoutLimits{"rehearsal", "nothing here is real"};
  settings.system_clock = wall_clock_of(node);
  sites_[site] = std::make_unique<SimulatedSiteProcess>(
      ProcessHost{calls_, clock_, network_, disk(node)}, std::move(settings), node,
      *rigs_[site], trace_.books[site]);
  if (settings_.story)
    sites_[site]->record.tell(
        [this, node](const std::string& kind, const std::string& text) {
          tell(node, kind + ": " + text);
        });
}

/// For the host of a node that starts now: the wall clock and that of the process.
std::function<std::optional<SystemClockReading>()> FaultSimulator::wall_clock_of(int node) {
  return [this, node, born = clock_.now()]() -> std::optional<SystemClockReading> {
    const TimePoint now = clock_.now();
    return SystemClockReading{TimePoint{now - born}, now + slot(node).wall_step,
                              kWallBound};
  };
}

void FaultSimulator::remove_process(int node) {
  const ScheduledFault* death = next_death(node);
  if (death == nullptr) return;
  struck_[static_cast<std::size_t>(death - settings_.faults.data())] = true;
  last_fault_ = clock_.now();
  note_last_step();
  tell(node, sentence(*death, bench_.sites()));
  if (death->sort == FaultType::kPowerLoss) {
    disk(node).power_loss(death->amount);
    const ExecutionMode mode = bench_.integrator().mode;
    // There what was done last may be lost, and is done again.
    if (mode == ExecutionMode::kContinuous || mode == ExecutionMode::kRealTime)
      for (ExchangeLog& book : trace_.books) book.forget();
    const auto site = static_cast<std::size_t>(node);
    if (node >= 0 && (trace_.calls_of_steps > 0 ||
                      trace_.books[site].last() + 1 >= bench_.integrator().steps))
      trace_.dark_at_end[site] = true;
  } else {
    disk(node).kill();
  }
  take_away(node);
  if (node < 0 && came_to_its_end()) return;  // there is nothing to be resumed
  slot(node).back_at = clock_.now() + death->duration;
  ++trace_.restarts;
}

/// A process that is no more.
void FaultSimulator::take_away(int node) {
  network_.forget_to(node);
  slot(node).stalled_until = TimePoint{};
  if (node >= 0) {
    dead_sites_.push_back(std::move(sites_[static_cast<std::size_t>(node)]));
    rigs_[static_cast<std::size_t>(node)]->begin_life();
  } else {
    dead_integrators_.push_back(std::move(integrator_));
  }
}

/// The integrator's program is over. A person resumes a test that it left held.
TimePoint FaultSimulator::begin_again(TimePoint now) {
  if (settings_.resumes <= 0 || !integrator_->node.report().resumable || came_to_its_end())
    return TimePoint::max();
  --settings_.resumes;
  ++trace_.resumed;
  tell(-1, "a person resumes the test: " + integrator_->node.report().reason);
  const TimePoint back = now + kOperatorLooks;
  for (int node = -1; node < (settings_.one_process ? site_count_ : 0); ++node) {
    if (life(node) == nullptr) continue;
    disk(node).kill();
    take_away(node);
    slot(node).back_at = back;
  }
  return back;
}

/// Returns true if the integrator's record states that the test is over.
bool FaultSimulator::came_to_its_end() const {
  const MemorySession* kept = trace_.disks[0]->find(bench_.integrator().session);
  return kept != nullptr && kept->ended;
}

// --- the end ---

void FaultSimulator::note_last_step() {
  if (trace_.calls_of_steps == 0 && integrator_ != nullptr &&
      integrator_->node.steps_done() >= bench_.integrator().steps)
    trace_.calls_of_steps = calls_;
}

bool FaultSimulator::over(TimePoint now) {
  const bool gone = integrator_ == nullptr && slot(-1).back_at == TimePoint::max();
  const bool done = gone || (integrator_ != nullptr && integrator_->node.finished());
  const bool given_up =
      operator_at_ == TimePoint::max() && now - last_fault_ > kNobodyComes;
  if (!done && !given_up) {
    quiet_since_.reset();
    return false;
  }
  if (!quiet_since_) quiet_since_ = now;
  Duration watched{};
  for (int site = 0; site < site_count_; ++site) {
    const SimulatedSiteProcess* life = sites_[static_cast<std::size_t>(site)].get();
    if (life == nullptr) continue;
    const session::SessionState state = life->node.state();
    if (state == session::SessionState::kRunning ||
        state == session::SessionState::kStopping)
      watched = std::max(watched, kAfterwards + bench_.integrator().watchdog);
    else if (state == session::SessionState::kHolding)
      watched = std::max(watched, kAfterwards);
  }
  return now - *quiet_since_ >= watched;
}

void FaultSimulator::conclude() {
  trace_.faults = settings_.faults;
  trace_.calls = calls_;
  trace_.end = clock_.now();
  if (integrator_ != nullptr) {
    const evaluation::RunReport report = integrator_->node.report();
    trace_.result = report.result;
    trace_.reason = report.reason;
    if (const OperatorInterface* node = operated(-1))
      trace_.holding = node->status().state == "HOLDING";
  } else if (came_to_its_end()) {
    trace_.result = evaluation::RunResult::kComplete;
  } else {
    trace_.reason = "the integrator was killed, and nobody resumed the test";
  }
  for (const std::unique_ptr<MonitoredRig>& rig : rigs_)
    trace_.watches.push_back(rig->watch());
}

void FaultSimulator::tell(int node, const std::string& what) {
  if (!settings_.story) return;
  char when[64];
  std::snprintf(when, sizeof when, "%10.4f s  call %-6lld ",
                trestle::seconds(clock_.now().time_since_epoch()),
                static_cast<long long>(calls_));
  const std::string who =
      node < 0 ? "integrator" : bench_.sites()[static_cast<std::size_t>(node)];
  trace_.story.push_back(when + who + "  " + what);
}

/// All whose call has come. Deaths come by themselves, in the middle of a tick.
void FaultSimulator::strike() {
  for (std::size_t i = 0; i < settings_.faults.size(); ++i) {
    const ScheduledFault& fault = settings_.faults[i];
    if (struck_[i] || fault.at > calls_ || fault.sort == FaultType::kKill ||
        fault.sort == FaultType::kPowerLoss)
      continue;
    struck_[i] = true;
    last_fault_ = clock_.now();
    strike(fault);
  }
}

void FaultSimulator::strike(const ScheduledFault& fault) {
  const bool of_network = fault.sort <= FaultType::kOneWay;
  if (!of_network && life(fault.node) == nullptr) return;  // nobody whom it could befall
  tell(fault.node, sentence(fault, bench_.sites()));
  switch (fault.sort) {
    case FaultType::kStall:
      slot(fault.node).stalled_until = clock_.now() + fault.duration;
      return;
    case FaultType::kDiskFull:
      return disk(fault.node).disk_full_after(static_cast<std::size_t>(fault.amount));
    case FaultType::kGarbage:
      return rigs_[static_cast<std::size_t>(fault.node)]->spoil(
          static_cast<SensorFault>(fault.detail), static_cast<int>(fault.amount));
    case FaultType::kNonsense:
      return inject(fault);
    case FaultType::kClockStep:
      slot(fault.node).wall_step += Duration{static_cast<std::int64_t>(fault.amount * 1e9)};
      return;
    case FaultType::kOperatorStop:
      return stop(fault);
    case FaultType::kOperatorHold:
      return hold(fault);
    default:
      return network_.begin(fault);
  }
}

/// To a site, a command that it must not follow.
void FaultSimulator::inject(const ScheduledFault& fault) {
  const auto site = static_cast<std::size_t>(fault.node);
  const auto nonsense = static_cast<InvalidMessage>(fault.detail);
  ReceivedMessage message;
  if (nonsense == InvalidMessage::kBytes) {
    message.kind = ReceivedMessage::Kind::kMalformed;
    message.problem = "bytes that are no message of ours";
    return network_.inject(fault.node, FaultyNetwork::kToSite, message);
  }
  message.kind = ReceivedMessage::Kind::kStepCommand;
  StepCommand& command = message.command;
  command.session = bench_.integrator().session;
  command.step = sites_[site]->node.last_step() + 1;
  const auto dofs =
      static_cast<Eigen::Index>(controlled_dofs(bench_.integrator().sites[site].layout));
  command.target =
      InterfaceMotion::zero(nonsense == InvalidMessage::kWrongLength ? dofs + 1 : dofs);
  // Where nobody stated a limit, nothing is beyond it.
  const bool limited =
      std::isfinite(bench_.integrator().sites[site].layout[0].displacement_limit);
  if (nonsense == InvalidMessage::kTooFar && limited) command.target.displacement[0] = 1e9;
  if (nonsense == InvalidMessage::kNotANumber ||
      (nonsense == InvalidMessage::kTooFar && !limited))
    command.target.displacement[0] = std::numeric_limits<double>::quiet_NaN();
  if (nonsense == InvalidMessage::kGap) command.step += kGapOfNonsense;
  if (nonsense == InvalidMessage::kOtherSession) command.session[0] ^= 0xffU;
  network_.inject(fault.node, FaultyNetwork::kToSite, message);
}

void FaultSimulator::stop(const ScheduledFault& fault) {
  const std::string refused =
      operated(fault.node)->stop(kOperator, "the operator asks for a stop");
  if (!refused.empty()) return tell(fault.node, "does not stop: " + refused);
  if (fault.node >= 0) rigs_[static_cast<std::size_t>(fault.node)]->watch().stop_motion();
}

void FaultSimulator::hold(const ScheduledFault& fault) {
  OperatorInterface* node = operated(fault.node);
  const std::string refused = node->hold(kOperator, "the operator wants to look");
  if (!refused.empty()) return tell(fault.node, "does not hold: " + refused);
  if (fault.node >= 0) rigs_[static_cast<std::size_t>(fault.node)]->watch().stop_motion();
  operator_at_ =
      fault.duration > kLongestAway ? TimePoint::max() : clock_.now() + fault.duration;
}

/// Null where it is dead.
OperatorInterface* FaultSimulator::operated(int node) noexcept {
  if (node < 0) return integrator_ == nullptr ? nullptr : &integrator_->node;
  SimulatedSiteProcess* site = sites_[static_cast<std::size_t>(node)].get();
  return site == nullptr ? nullptr : &site->node;
}

/// The operator looks around now and then.
void FaultSimulator::operate(TimePoint now) {
  if (now < operator_at_ || operator_at_ == TimePoint::max()) return;
  operator_at_ = now + kOperatorLooks;
  for (int node = -1; node < site_count_; ++node) operate(node);
}

/// Who waits for the operator gets the word.
void FaultSimulator::operate(int node) {
  OperatorInterface* waiting = operated(node);
  if (waiting == nullptr) return;
  for (const PendingWait& wait : waiting->status().waits) {
    if (wait.whom.find("operator") == std::string::npos) continue;
    if (wait.what.find("arm") == std::string::npos) return resume(node, *waiting);
    const std::string refused = waiting->arm(kOperator);
    tell(node, "the operator says arm" + (refused.empty() ? "" : ", in vain: " + refused));
  }
}

/// An operator who has said so in vain for long enough gives the test up.
void FaultSimulator::resume(int node, OperatorInterface& waiting) {
  const std::int64_t done = waiting.status().step;
  in_vain_ = done == resumed_at_ ? in_vain_ + 1 : 0;
  resumed_at_ = done;
  if (in_vain_ > kMostWords) {
    tell(node, "the operator gives it up");
    waiting.stop(kOperator, "it does not go on");
    return;
  }
  const std::string refused = waiting.resume(kOperator);
  if (refused.empty()) ++trace_.resumed;
  tell(node, "the operator says resume" + (refused.empty() ? "" : ", in vain: " + refused));
}

}  // namespace trestle::rehearsal
