#include "site-servers/node/site_loop.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "site-servers/node/lockstep_executor.h"
#include "site-servers/node/make_timed_steps.h"
#include "site-servers/node/specimen_mass.h"
#include "site-servers/node/timed_executor.h"

namespace trestle::site_node {
namespace {

// The loop receives the comparison of the clocks once in this time.
constexpr Duration kClocksEvery = std::chrono::milliseconds(100);

}  // namespace

void SiteLoop::end() noexcept {
  if (std::exchange(ended_, true)) return;
  finish();
  const bool watching = !parts_.rig.guard().end();
  if (!hung_ && !parts_.rig.guard().hangs() && !watching) return;
  // A thread is in there still, and may return: what it uses is never destroyed.
  static auto* const kept = new std::vector<const void*>;
  for (const void* each :
       {static_cast<const void*>(parts_.rig.release().release()),
        static_cast<const void*>(executor_.release()),
        static_cast<const void*>(checks_.release()),
        static_cast<const void*>(loop_.release()),
        static_cast<const void*>(parts_.settings.loop_executor.release()),
        static_cast<const void*>(parts_.settings.loading_frame.release())})
    kept->push_back(each);
}

bool SiteLoop::recover() {
  if (hung_ && executor_->finish(Duration::zero())) {
    hung_ = false;
    drop();
    checks_.reset();
  }
  return !hangs();
}

TimedLoopSettings SiteLoop::timed_loop_settings() noexcept {
  const SiteSettings& settings = parts_.settings;
  const bool real = parts_.rig.real();
  return {.tick = parts_.agreed.tick(),
          .watchdog = Duration{std::llround(parts_.agreed.configure.watchdog * 1e9)},
          .overrun = settings.watch.overrun > Duration::zero() ? settings.watch.overrun
                                                               : parts_.agreed.ticks(1),
          // Late ticks do no harm to a simulated rig: they are counted.
          .most_overruns = real ? settings.watch.most_overruns
                                : std::numeric_limits<std::int64_t>::max(),
          .leaves_on_silence = settings.safe_action.kind != safety::SafeAction::Kind::kHold,
          .idle_ticks = real,
          .keeps_state = parts_.record.keeps_state(),
          .rig = real ? nullptr : &parts_.rig.guard(),
          .guard = &parts_.rig.guard()};
}

void SiteLoop::make(std::unique_ptr<Compensator> compensator,
                    std::unique_ptr<ActuatorController> controller) {
  const SiteSettings& site = parts_.settings;
  const Configure& configure = parts_.agreed.configure;
  const bool real = parts_.rig.real();
  TimedSteps steps = make_timed_steps(parts_.agreed);
  const ControlLoopSettings settings{
      .layout = parts_.agreed.layout,
      .time_step = parts_.agreed.tick() * configure.ticks_per_step,
      .ticks_per_step = configure.ticks_per_step,
      .limits = parts_.agreed.configured.limits,
      .record_every = site.ticks.every,
      .record_coefficients = site.ticks.coefficients,
      .safe_action = site.safe_action,
      .drives = parts_.record.drives(),
      .specimen_mass = square(configure.specimen_mass),
      .inertia_measured = configure.inertia_measured};
  loop_ = std::make_unique<ControlLoop>(
      settings, *site.loading_frame,
      ControlChain::Blocks{std::move(compensator), std::move(controller),
                           std::move(steps.motion)},
      parts_.rig.guard(), parts_.record.ticks());
  if (real && stood_) loop_->stood(*stood_);
  unfinished_ = true;
  begun_ = false;
  timing_ = {};
  if (!parts_.agreed.rules->timed_loop) return use_lockstep();
  if (parts_.rig.timed()) parts_.rig.watch(!real);
  executor_ =
      std::make_unique<TimedExecutor>(timed_loop_settings(), *loop_, steps.make_sequence,
                                      site.loop_executor.get(), parts_.clock);
}

/// The node's own thread alone moves the rig.
void SiteLoop::use_lockstep() {
  const LockstepSettings settings{.tick = parts_.agreed.tick(),
                                  .ticks = parts_.position.ticks,
                                  .real = parts_.rig.real(),
                                  .keeps_state = parts_.record.keeps_state()};
  executor_ = std::make_unique<LockstepExecutor>(settings, *loop_, parts_.rig.guard(),
                                                 parts_.clock);
}

void SiteLoop::drop() noexcept {
  executor_.reset();
  loop_.reset();
  unfinished_ = false;
}

void SiteLoop::begin() {
  for (const std::string& sentence : executor_->begin())
    parts_.record.event(parts_.position.executed, "host", sentence);
  if (std::exchange(begun_, true)) return;  // by the checks before
  for (const std::string& sentence : parts_.rig.host_refusals())
    parts_.record.event(parts_.position.executed, "host", "driver of the rig: " + sentence);
}

void SiteLoop::finish() {
  if (!unfinished_) return;
  // One that is known to hang is not waited for.
  hung_ = !executor_->finish(hangs() ? Duration::zero() : LoopExecutor::kPatience);
  Stopped done;
  executor_->fill(done);
  timing_ = done.pace;
  parts_.position.ticks = done.ticks;
  if (hung_) return;  // kept until it returns
  unfinished_ = false;
  checks_.reset();
  stood_ = loop_->rig().given();
  if (parts_.agreed.rules->timed_loop) use_lockstep();
  if (timing_.overruns == 0) return;
  char longest[40];
  std::snprintf(longest, sizeof longest, "%.3g ms",
                1e3 * seconds(timing_.wakeup_latency_max));
  parts_.record.event(parts_.position.executed, "host",
                      std::to_string(timing_.overruns) +
                          " control ticks came too late, one of them by " + longest +
                          "; see what `trestle doctor` says of this host");
}

void SiteLoop::order(LoopCommand::Kind kind, TimePoint at) {
  LoopCommand command;
  command.kind = kind;
  command.at = at;
  command.first = parts_.position.executed + 1;
  order(command);
}

void SiteLoop::order(const LoopCommand& command) {
  // Room for hundreds: a loop that has not taken those takes nothing any more.
  if (!executor_->order(command))
    parts_.record.event(parts_.position.executed, "host", "the control loop is stuck");
}

void SiteLoop::enter_safe_state(const Fault& fault) {
  if (executor_ == nullptr) return parts_.rig.guard().hold();
  // The loop has begun it already if it met the fault itself.
  LoopCommand safe;
  safe.kind = LoopCommand::Kind::kSafe;
  safe.fault = fault;
  executor_->order(safe);
}

bool SiteLoop::at_rest() const noexcept {
  if (parts_.rig.guard().stalled())
    return true;  // it was asked to hold, and nothing drives it
  return executor_ == nullptr || executor_->at_rest();
}

void SiteLoop::follow_clocks() {
  const TimePoint now = parts_.peer.now();
  if (parts_.settings.shares_clock || now - clocks_followed_ < kClocksEvery) return;
  clocks_followed_ = now;
  order(LoopCommand::Kind::kClock, parts_.peer.own_zero());
}

void SiteLoop::run_checks(std::unique_ptr<ArmingChecks> checks) {
  checks_ = std::move(checks);
  LoopCommand look;
  look.kind = LoopCommand::Kind::kErrand;
  look.errand = checks_.get();
  executor_->order(look);
}

void SiteLoop::give_up_checks() {
  if (!checking()) return;
  StallGuard& guard = parts_.rig.guard();
  // A thread that does not come back cannot hold it.
  if (checks_->give_up() || guard.hangs()) guard.hold();
}

}  // namespace trestle::site_node
