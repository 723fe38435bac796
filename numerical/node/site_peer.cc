#include "numerical/node/site_peer.h"

#include <algorithm>

namespace trestle::integrator_node {

SitePeer::SitePeer(int number, const SiteSpecification& expected, Transport& transport,
                   bool by_system_clocks)
    : clock(expected.shares_clock),
      number_(number),
      expected_(&expected),
      transport_(&transport) {
  clock.use_system_clocks(by_system_clocks);
}

void SitePeer::send(const SessionMessage& message, TimePoint now) {
  sent_ = now;
  transport_->send(number_, message);
}

void SitePeer::say(const SessionMessage& message) {
  transport_->send(number_, message);
}

TimePoint SitePeer::send(StepCommand& command, TimePoint own, TimePoint now) noexcept {
  command.exchange = clock.outgoing(own);
  transport_->send(number_, command);
  const TimePoint encoded = transport_->last_send_time();
  sent_ = now;
  return encoded == TimePoint{} ? command.exchange.transmit : encoded;
}

void SitePeer::send_again(const StepCommand& command, TimePoint now) noexcept {
  transport_->send(number_, command);
  sent_ = now;
}

void SitePeer::agreed_again(TimePoint now) noexcept {
  round_trip_ = std::max(round_trip_, now - asked_);
}

void SitePeer::armed(TimePoint now) noexcept {
  round_trip_ = now - ordered_;
  // It may have looked at its rig before it answered.
  if (clock.known() && !expected_->shares_clock)
    round_trip_ = std::min(round_trip_, 2 * clock.bound(now));
}

void SitePeer::note_wait(Awaited what, std::int64_t step, TimePoint now) noexcept {
  if (what == wait_.what && step == wait_.step) return;
  wait_ = {what, step, now};
}

}  // namespace trestle::integrator_node
