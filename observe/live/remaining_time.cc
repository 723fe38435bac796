#include "observe/live/remaining_time.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace trestle::live {
namespace {

constexpr double kWindow = 60.0;           // of running [s]
constexpr double kPiece = 10.0;            // [s]
constexpr double kEarliest = 10.0;         // no estimate before [s]
constexpr double kEarliestOfStated = 1.0;  // where the mode states the pace [s]
constexpr double kOfStatedPace = 0.1;      // as far from it
// A pace over less is chance: the steps of one look are there together [s].
constexpr double kShortestPace = 1.0 - 1e-9;
constexpr double kLow = 0.1;
constexpr double kHigh = 0.9;
// Looks closer together say no more [s].
constexpr double kBetweenLooks = 0.1;
// A step without news for longer is a stand-still, not a slow step, if it is also that many
// times longer than a step was before.
constexpr double kStandsAfter = 3.0;  // [s]
constexpr double kStandsSteps = 20.0;
constexpr std::int64_t kStepsBetweenWaits = 20;

double quantile(std::vector<double> sorted, double part) {
  std::sort(sorted.begin(), sorted.end());
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

void RemainingTime::add(double now, std::int64_t steps, bool running) {
  if (!started_) {
    started_ = true;
    now_ = moved_ = now;
    steps_ = steps;
    looks_.push_back({0.0, steps});
  }
  const double ran_before = ran_;
  const bool counted = running && running_;
  if (counted) ran_ += std::max(now - now_, 0.0);
  now_ = std::max(now, now_);
  running_ = running;
  // The last step before a hold may be seen first while it holds: it is no look, but a
  // step.
  const bool moves = steps > steps_;
  const bool back = steps < steps_;  // another test, or an earlier step
  const std::int64_t more = steps - steps_;
  steps_ = steps;
  if (back) {
    looks_ = {{ran_, steps}};
    moved_ = now_;
    ran_at_step_ = ran_;
    pace_at_step_ = 0.0;
    after_wait_ = 0;
    return;
  }
  if (moves) {
    if (counted)
      leave_out_wait(steps, more, ran_before);
    else
      for (Look& look : looks_) look.steps += more;  // steps without their time are no pace
    moved_ = now_;
    ran_at_step_ = ran_;
  }
  if (!running) return;
  if (looks_.size() >= 2 && ran_ - looks_[looks_.size() - 2].ran < kBetweenLooks)
    looks_.back() = {ran_, steps};
  else
    looks_.push_back({ran_, steps});
  forget_old();
  if (moves) pace_at_step_ = rate();
}

void RemainingTime::leave_out_wait(std::int64_t steps, std::int64_t more,
                                   double ran_before) {
  // Looks that are far apart, as those of a log, tell a wait only if one of them saw no
  // step: between two that did, the steps came one after the other.
  if (looks_.size() < 2 || ran_before <= ran_at_step_ ||
      ran_ - ran_at_step_ <= longest_step())
    return;
  // One long step after the other is no wait: the test has become slow.
  const bool again = after_wait_ > 0 && steps - after_wait_ < kStepsBetweenWaits;
  after_wait_ = steps;
  if (again) return;
  while (looks_.size() > 1 && looks_.back().ran > ran_at_step_) looks_.pop_back();
  const double last_look = ran_ - ran_before;
  const double at_pace =
      pace_at_step_ > 0.0 ? static_cast<double>(more) / pace_at_step_ : last_look;
  ran_ = std::min(ran_, ran_at_step_ + at_pace);
}

double RemainingTime::longest_step() const noexcept {
  return pace_at_step_ > 0.0 ? std::max(kStandsAfter, kStandsSteps / pace_at_step_)
                             : kStandsAfter;
}

void RemainingTime::forget_old() {
  while (looks_.size() > 2 && ran_ - looks_[1].ran >= kWindow) looks_.pop_front();
}

double RemainingTime::rate() const noexcept {
  if (looks_.size() < 2) return 0.0;
  const double time = looks_.back().ran - looks_.front().ran;
  return time >= kShortestPace
             ? static_cast<double>(looks_.back().steps - looks_.front().steps) / time
             : 0.0;
}

double RemainingTime::steps_at(double ran) const noexcept {
  const auto after = std::find_if(looks_.begin(), looks_.end(),
                                  [ran](const Look& look) { return look.ran >= ran; });
  if (after == looks_.begin()) return static_cast<double>(looks_.front().steps);
  if (after == looks_.end()) return static_cast<double>(looks_.back().steps);
  const Look& before = *std::prev(after);
  const double part = (ran - before.ran) / std::max(after->ran - before.ran, 1e-9);
  return std::lerp(static_cast<double>(before.steps), static_cast<double>(after->steps),
                   part);
}

std::optional<RemainingEstimate> RemainingTime::left(std::int64_t steps_left,
                                                     double stated) const {
  if (looks_.size() < 2 || !running_) return std::nullopt;
  const double begin = looks_.front().ran;
  const double seen = looks_.back().ran - begin;
  const double rate = this->rate();
  if (!(rate > 0.0) || stands_still() > longest_step()) return std::nullopt;
  if (seen < kEarliest) {
    const bool keeps_it = stated > 0.0 && std::abs(rate / stated - 1.0) < kOfStatedPace;
    if (!keeps_it || seen < kEarliestOfStated) return std::nullopt;
    return RemainingEstimate{static_cast<double>(steps_left) / stated, 0.0};
  }
  std::vector<double> rates;
  const auto pieces = static_cast<int>(seen / kPiece);
  for (int i = 0; i < pieces; ++i) {
    const double until = looks_.back().ran - kPiece * i;
    rates.push_back((steps_at(until) - steps_at(until - kPiece)) / kPiece);
  }
  const auto steps = static_cast<double>(steps_left);
  const double slow = std::max(quantile(rates, kLow), 0.1 * rate);
  const double fast = std::max(quantile(rates, kHigh), slow);
  return RemainingEstimate{steps / rate, 0.5 * (steps / slow - steps / fast)};
}

}  // namespace trestle::live
