#include "core/timing/clock_offset_estimator.h"

#include <algorithm>
#include <cmath>

namespace trestle::timing {
namespace {

// Stamps beyond are nonsense (63 years); within, no sum of three overflows.
constexpr std::int64_t kFarthest = 2'000'000'000'000'000'000;
// A stamp is cut to whole nanoseconds.
constexpr double kResolution = 1.0;
// Every turn of the search changes a corner; if it is interrupted, the bound is wider.
constexpr int kMostTurns = 64;
// Less of the shortest round trip is left by no path, but by a drift that was not what it
// was taken for.
constexpr double kPlausible = 0.25;
constexpr double kLeastRaise = 1e-6;

bool in_reach(TimePoint stamp) noexcept {
  const std::int64_t ns = stamp.time_since_epoch().count();
  return ns != 0 && ns > -kFarthest && ns < kFarthest;
}

std::int64_t clamped(TimePoint stamp) noexcept {
  return std::clamp(stamp.time_since_epoch().count(), -kFarthest, kFarthest);
}

std::int64_t highest_offset(const TimestampExchange& exchange) noexcept {
  return clamped(exchange.t2) - clamped(exchange.t1);
}

std::int64_t lowest_offset(const TimestampExchange& exchange) noexcept {
  return clamped(exchange.t3) - clamped(exchange.t4);
}

Duration round_trip(const TimestampExchange& exchange) noexcept {
  return Duration(highest_offset(exchange) - lowest_offset(exchange));
}

}  // namespace

void ClockOffsetEstimator::Generation::clear() noexcept {
  above.clear();
  below.clear();
  shortest = Duration::max();
}

bool ClockOffsetEstimator::is_plausible(const TimestampExchange& exchange) const noexcept {
  if (!in_reach(exchange.t1) || !in_reach(exchange.t2) || !in_reach(exchange.t3) ||
      !in_reach(exchange.t4))
    return false;
  const Duration out = exchange.t4 - exchange.t1;
  const Duration held = exchange.t3 - exchange.t2;
  if (out < Duration::zero() || held < Duration::zero()) return false;
  return static_cast<double>((held - out).count()) <=
         settings_.largest_drift * static_cast<double>(out.count()) + 2.0 * kResolution;
}

void ClockOffsetEstimator::add(const TimestampExchange& exchange) noexcept {
  if (!is_plausible(exchange)) return;
  if (!ready_) return begin(exchange);
  // Sent before this estimate began, or overtaken.
  if (exchange.t1 < life_ || exchange.t4 < reference_) return;
  discard_old(exchange.t4);
  reference_ = exchange.t4;
  for (Generation* generation : {&older_, &younger_}) {
    if (generation->below.empty()) generation->begun = exchange.t1;
    generation->above.add(exchange.t1, highest_offset(exchange));
    generation->below.add(exchange.t4, -lowest_offset(exchange));
    generation->shortest = std::min(generation->shortest, round_trip(exchange));
  }
  if (!settle()) begin(exchange);
}

void ClockOffsetEstimator::begin(const TimestampExchange& exchange) noexcept {
  restart();
  life_ = exchange.t1;
  reference_ = exchange.t4;
  base_ = lowest_offset(exchange);
  for (Generation* generation : {&older_, &younger_}) {
    generation->begun = exchange.t1;
    generation->above.add(exchange.t1, highest_offset(exchange));
    generation->below.add(exchange.t4, -lowest_offset(exchange));
    generation->shortest = round_trip(exchange);
  }
  ready_ = solve();
}

void ClockOffsetEstimator::discard_old(TimePoint now) noexcept {
  if (now - younger_.begun <= settings_.window / 2) return;
  older_ = younger_;
  younger_.clear();
  wander_ = std::max(0.5 * wander_, settings_.max_frequency_wander);
  if (now - older_.begun > settings_.window) older_.clear();
}

ClockOffsetEstimator::OffsetInterval ClockOffsetEstimator::cut(
    double drift) const noexcept {
  // At no time since the exchange was the drift further than wander_ from this one.
  const LowerConvexHull::Vertex& above = older_.above.lowest(drift + wander_, reference_);
  const LowerConvexHull::Vertex& below = older_.below.lowest(wander_ - drift, reference_);
  const auto age_above = static_cast<double>((reference_ - above.at).count());
  const auto age_below = static_cast<double>((reference_ - below.at).count());
  return {static_cast<double>(above.value - base_) + (drift + wander_) * age_above +
              kResolution,
          -static_cast<double>(below.value + base_) - (wander_ - drift) * age_below -
              kResolution,
          age_above - age_below};
}

bool ClockOffsetEstimator::extreme_drift(double start, double& drift,
                                         OffsetInterval& cut) const noexcept {
  // most − least is concave over the drift: Newton's steps from outside reach the first
  // drift at which it is not negative, and never pass it.
  drift = start;
  cut = this->cut(drift);
  for (int turn = 0; turn < kMostTurns && cut.most < cut.least; ++turn) {
    if (cut.slope * start >= 0.0) return false;
    const double next = drift + (cut.least - cut.most) / cut.slope;
    if (std::abs(next) > settings_.largest_drift) return false;
    if (next == drift) break;
    drift = next;
    cut = this->cut(drift);
  }
  return true;
}

bool ClockOffsetEstimator::settle() noexcept {
  const auto least = kPlausible * static_cast<double>(older_.shortest.count());
  for (;;) {
    const bool possible = solve();
    if (possible && most_ - least_ >= least) return true;
    if (wander_ >= 2.0 * settings_.largest_drift) return possible;
    wander_ = std::max(2.0 * wander_, kLeastRaise);
  }
}

bool ClockOffsetEstimator::solve() noexcept {
  OffsetInterval least;
  OffsetInterval most;
  if (!extreme_drift(-settings_.largest_drift, least_drift_, least)) return false;
  if (!extreme_drift(settings_.largest_drift, most_drift_, most)) return false;
  // No exchange is later than reference_: the larger the drift, the larger both limits.
  least_ = std::min(least.least, least.most);
  most_ = std::max(most.most, most.least);
  return true;
}

Duration ClockOffsetEstimator::offset(TimePoint own) const noexcept {
  if (!ready_) return Duration::zero();
  const auto age = static_cast<double>(clamped(own) - clamped(reference_));
  return Duration(base_ + std::llround(0.5 * (least_ + most_) + drift() * age));
}

Duration ClockOffsetEstimator::bound(TimePoint own) const noexcept {
  if (!ready_) return Duration::max();
  const double largest = settings_.largest_drift;
  const auto age = std::abs(static_cast<double>(clamped(own) - clamped(reference_)));
  const double in_window =
      std::min(age, static_cast<double>(Duration(settings_.window / 2).count()));
  const auto shortest = static_cast<double>(older_.shortest.count());
  const double in_doubt =
      std::min(0.5 * (most_drift_ - least_drift_) + wander_, largest + std::abs(drift()));
  const double width = 0.5 * std::max(most_ - least_, shortest) + in_doubt * in_window +
                       (largest + std::abs(drift())) * (age - in_window);
  return Duration(static_cast<std::int64_t>(std::ceil(width)) + 1);
}

TimePoint ClockOffsetEstimator::to_other(TimePoint own) const noexcept {
  return TimePoint(Duration(clamped(own))) + offset(own);
}

TimePoint ClockOffsetEstimator::to_own(TimePoint other) const noexcept {
  if (!ready_) return other;
  const std::int64_t passed = clamped(other) - clamped(reference_) - base_;
  const double own =
      (static_cast<double>(passed) - 0.5 * (least_ + most_)) / (1.0 + drift());
  // In two parts: a double holds no nanosecond of a year.
  const double slipped = 0.5 * (least_ + most_) + drift() * own;
  return reference_ + Duration(passed - std::llround(slipped));
}

void ClockOffsetEstimator::restart() noexcept {
  older_.clear();
  younger_.clear();
  wander_ = settings_.max_frequency_wander;
  ready_ = false;
  life_ = {};
  reference_ = {};
  base_ = 0;
  least_ = most_ = least_drift_ = most_drift_ = 0.0;
}

}  // namespace trestle::timing
