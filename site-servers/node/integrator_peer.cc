#include "site-servers/node/integrator_peer.h"

#include <algorithm>

namespace trestle::site_node {
namespace {

/// A time from the bus, so that it can be reckoned with: within 36 years of zero.
constexpr TimePoint sane(TimePoint time) noexcept {
  constexpr TimePoint kFarthestFromZero{Duration{std::int64_t{1} << 60}};
  return std::clamp(time, TimePoint{} - kFarthestFromZero.time_since_epoch(),
                    kFarthestFromZero);
}

// A node is called at least every 100 ms (timing::NodeRunner), however idle it is.
constexpr Duration kLongestIdle = std::chrono::milliseconds(150);

}  // namespace

void IntegratorPeer::begin_tick(TimePoint now) noexcept {
  if (now_ != TimePoint{} && now - now_ > kLongestIdle) {
    away_ = now - now_;
    back_ = now;
  }
  now_ = now;
}

Duration IntegratorPeer::away(Duration watchdog) const noexcept {
  const bool is_the_cause = now_ - back_ < watchdog && 3 * away_ >= 2 * watchdog;
  return is_the_cause ? away_ : Duration::zero();
}

bool IntegratorPeer::receive(ReceivedMessage& into) {
  if (!transport_.receive(into)) return false;
  received_ = clock_.now();
  return true;
}

void IntegratorPeer::compare_clocks(const Heartbeat& beat) {
  comparison_.incoming(beat.exchange, received_);
  if (!system_ || beat.system == TimePoint{}) return;
  if (const auto here = system_())
    comparison_.update_from_system_clocks(
        *here, {beat.exchange.transmit, beat.system, beat.system_bound});
}

void IntegratorPeer::compare_clocks(const StepCommand& command) noexcept {
  comparison_.incoming(command.exchange, received_);
}

void IntegratorPeer::say(const SessionMessage& message) {
  transport_.send(0, message);
  spoke_ = true;
  sent_ = now_;
}

void IntegratorPeer::say_heartbeat(const Heartbeat& beat) {
  beat_ = now_;
  say(beat);
}

void IntegratorPeer::answer(StepResponse& response) {
  response.exchange = comparison_.outgoing(clock_.now());
  transport_.send(0, response);
  sent_ = now_;
}

TimePoint IntegratorPeer::next_word(Duration period, bool beats) const noexcept {
  return (beats ? std::min(sent_, beat_) : sent_) + period;
}

bool IntegratorPeer::is_word_due(Duration period, bool beats) const noexcept {
  return now_ - sent_ >= period || (beats && now_ - beat_ >= period);
}

Heartbeat IntegratorPeer::heartbeat(const SessionId& session, bool by_system_clock) const {
  Heartbeat beat;
  beat.session = session;
  beat.exchange = comparison_.outgoing(clock_.now());
  if (comparison_.known()) beat.clock_bound = comparison_.bound(beat.exchange.transmit);
  if (!by_system_clock || !system_) return beat;
  if (const auto here = system_()) {
    beat.system = here->system + (beat.exchange.transmit - here->own);
    beat.system_bound = here->bound;
  }
  return beat;
}

TimePoint IntegratorPeer::own_zero() const noexcept {
  return sane(session_zero_) - comparison_.offset(now_);
}

TimePoint IntegratorPeer::to_own(TimePoint session_time) const noexcept {
  return comparison_.to_own(sane(session_zero_) + sane(session_time).time_since_epoch());
}

}  // namespace trestle::site_node
