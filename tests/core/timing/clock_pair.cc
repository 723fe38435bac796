#include "tests/core/timing/clock_pair.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/random.h"

namespace trestle::testing {
namespace {

std::int64_t nanoseconds(double value) {
  return std::llround(value * 1e9);
}

TimePoint own_stamp(double at) {
  return TimePoint(Duration(nanoseconds(at)));
}

}  // namespace

double ClockPair::uniform() {
  return trestle::uniform({case_.seed, stream_id("clock pair"), 0, drawn_++});
}

double ClockPair::delay(const OneWay& way, double at) {
  const double draw = 1.0 - uniform();  // never zero
  const bool loaded = std::fmod(at, way.period) > 0.5 * way.period;
  const double exponential = -std::log(1.0 - uniform());
  const double extra =
      way.tail > 0.0 ? std::pow(draw, -1.0 / way.tail) - 1.0 : -std::log(draw);
  return way.least + way.jitter * extra + (loaded ? way.load * exponential : 0.0);
}

double ClockPair::other_less_own(double own_seconds) const {
  const double phase = 2.0 * std::numbers::pi / case_.wander_period;
  return case_.drift * own_seconds -
         case_.wander / phase * (std::cos(phase * own_seconds) - 1.0);
}

Duration ClockPair::true_offset(TimePoint own) const {
  // The large part in whole nanoseconds: a double holds no nanosecond of many hours.
  return Duration(nanoseconds(other_less_own(seconds(own.time_since_epoch()))) +
                  nanoseconds(start_) + (restarted_ ? 0 : nanoseconds(case_.offset)));
}

Duration ClockPair::best_bound() const {
  return Duration(nanoseconds(0.5 * (case_.there.least + case_.back.least)));
}

void ClockPair::restart_other(double own_seconds) {
  now_ = std::max(now_, own_seconds);
  restarted_ = true;
  start_ = 0.25 - now_;
}

std::optional<TimestampExchange> ClockPair::next() {
  const double begun = now_ + case_.interval * 2.0 * uniform();
  const double there = begun + delay(case_.there, begun);
  const double answered = there + case_.hold * uniform();
  const double back = answered + delay(case_.back, answered);
  const bool lost = uniform() < case_.loss;
  now_ = lost ? begun : back;
  if (lost) return std::nullopt;
  TimestampExchange exchange;
  exchange.t1 = own_stamp(begun);
  exchange.t2 = own_stamp(there) + true_offset(own_stamp(there));
  exchange.t3 = own_stamp(answered) + true_offset(own_stamp(answered));
  exchange.t4 = own_stamp(back);
  return exchange;
}

}  // namespace trestle::testing
