// The part of IntegratorNode that keeps a pace: schedule, misses, clocks, ledger.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "numerical/node/integrator_node.h"

namespace trestle {
namespace {

std::string microseconds(Duration duration) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g us", seconds(duration) * 1e6);
  return digits;
}

}  // namespace

/// Whose answers close the open step; below zero: those of the opening read.
std::int64_t IntegratorNode::awaited_step() const noexcept {
  return step_ - settings_.pace.latency_steps;
}

/// The open step may be closed.
bool IntegratorNode::step_ready() const noexcept {
  if (awaited_step() >= 0) return barrier_.complete();
  return now_ >= answer_deadline();
}

/// Real time: the answers that are not in by now are missed, and made up for.
/// @returns whether the open step may be closed
bool IntegratorNode::judge_misses() {
  if (awaited_step() < 0 || now_ < answer_deadline()) return false;
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    const bool missed = !barrier_.has(site);
    if (!missed) continue;
    if (miss_limit_met(site, misses_.missed(site))) return false;
    barrier_.extrapolate(site, settings_.misses.order);
    record_.missed(site, awaited_step());
  }
  return barrier_.complete();
}

bool IntegratorNode::miss_limit_met(std::size_t site, MissPolicy::Verdict verdict) {
  const MissMonitor& monitor = misses_.of(site);
  std::string why;
  if (verdict == MissPolicy::Verdict::kStop)
    why = "on_miss: stop";
  else if (verdict == MissPolicy::Verdict::kInARow)
    why = std::to_string(monitor.in_a_row()) + " in a row, with " +
          std::to_string(settings_.misses.most_in_a_row) + " allowed";
  else if (verdict == MissPolicy::Verdict::kInWindow)
    why = std::to_string(monitor.in_window()) + " within the window, with " +
          std::to_string(settings_.misses.most_in_window) + " allowed";
  if (why.empty()) return false;
  const std::string& name = peers_[site].name();
  fail(RunResult::kStopped,
       "the answer of site " + name + " to step " + std::to_string(awaited_step()) +
           " missed its deadline (" + why +
           "); see the ledger for where the time goes, raise real_time.latency_steps or "
           "give the step more time",
       "integrator", Fault{FaultKind::kStopped, -1, 0.0, 0.0});
  return true;
}

/// Session time at which the open step's target holds.
TimePoint IntegratorNode::due_of_open_step() noexcept {
  return schedule_->due(step_, TimePoint{now_ - session_zero_}, peers_.longest_way(now_));
}

/// When the open step is closed whatever is in, on our clock; max: it waits.
TimePoint IntegratorNode::answer_deadline() const noexcept {
  return schedule_->closes(step_, session_zero_);
}

TimePoint IntegratorNode::silent_from() const noexcept {
  return schedule_->silent_from(step_, session_zero_, opened_);
}

/// What the clocks are known to, where that is too little; or empty.
std::string IntegratorNode::clock_sentence() const {
  std::string sentence;
  for (std::size_t site = 0; site < peers_.size(); ++site) {
    const SitePeer& peer = peers_[site];
    if (peers_.clock_known(site, now_)) continue;
    if (settings_.pace.system_clock && !peer.clock.known()) {
      sentence += "; site " + peer.name() +
                  " says nothing of a system clock that can be trusted; keep it by chrony "
                  "or PTP there, or take clock_source: bus";
      continue;
    }
    if (!peer.clock.known()) continue;
    sentence += "; the clock of " + peer.name() + " is known to " +
                microseconds(peer.clock.bound(now_)) + ", mode " + name(settings_.mode) +
                " needs " + microseconds(settings_.clock_bound) +
                " (clock_bound); use a faster link, or clock_source: system";
  }
  return sentence;
}

/// An unstable loop may be rehearsed, but not with real equipment.
std::string IntegratorNode::refusal_to_arm() const {
  for (const SitePeer& peer : peers_)
    if (peer.real_equipment() && !peer.agreement.description.hardware_watchdog &&
        !settings_.without_hardware_watchdog)
      return "site " + peer.name() +
             " is real equipment that nothing stops when its site server dies (no hardware "
             "watchdog); wire one, or set arming.without_hardware_watchdog";
  if (settings_.unstable.empty() || settings_.allow_unstable) return {};
  for (const SitePeer& peer : peers_)
    if (peer.real_equipment())
      return "site " + peer.name() + " is real equipment, and " + settings_.unstable +
             "; change compensator, time step or latency (see trestle check), or set "
             "arming.allow_unstable";
  return {};
}

std::vector<SiteReport> IntegratorNode::tracking_now() const {
  if (!record_.ready() || steps_done_ == 0) return {};
  return record_.tracking_now(peers_);
}

}  // namespace trestle
