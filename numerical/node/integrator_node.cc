#include "numerical/node/integrator_node.h"

#include <algorithm>

#include "core/session/audit_actions.h"

namespace trestle::integrator_node {
namespace {

// A flood of messages must not keep a tick from ending.
constexpr int kMessagesPerTick = 64;

}  // namespace

IntegratorNode::IntegratorNode(const IntegratorSettings& settings,
                               NumericalSubstructure& substructure, Transport& transport,
                               const Recording& recording, const Clock& clock)
    : settings_(settings),
      transport_(transport),
      clock_(clock),
      peers_(settings_, transport),
      record_(settings_, substructure, recording.store),
      exchange_(settings_, {substructure, record_, peers_, times_, clock}),
      recovery_(settings_,
                {substructure, recording.store, record_, peers_, exchange_, times_}),
      run_{settings_, phase_, peers_, recording, record_, times_, exchange_, recovery_},
      phases_(run_, {settings_.steps, phase_, transport, clock, malformed_}),
      messages_(run_, phases_.coordinator, phases_.hold, phases_.heartbeats, malformed_) {}

TimePoint IntegratorNode::tick(TimePoint now) {
  times_.now = now;
  if (!started_) {
    started_ = true;
    phases_.coordinator.start();
  }
  const bool heard = receive();
  const std::int64_t step = exchange_.step();
  const bool advanced = phases_.coordinator.tick();
  if (finished()) return TimePoint::max();
  PhaseHandler& phase = phases_.coordinator.handler();
  phases_.heartbeats.send(phase);
  if (heard || advanced || exchange_.step() != step) return now;
  return std::min({times_.deadline.at(), phases_.heartbeats.due(), phase.due()});
}

bool IntegratorNode::receive() {
  int heard = 0;
  for (; heard < kMessagesPerTick && transport_.receive(incoming_); ++heard) {
    times_.received = clock_.now();
    messages_.handle(incoming_);
  }
  return heard > 0;
}

void IntegratorNode::stop(const std::string& reason) {
  phases_.coordinator.apply({Trigger::kEnd, RunCause{.why = AsSaid{reason}}});
}

std::string IntegratorNode::arm(const std::string& by) {
  return phases_.commands.arm(by);
}

std::string IntegratorNode::confirm(const std::string& by, const std::string& item,
                                    const std::string& at) {
  return phases_.commands.confirm(by, item, at);
}

std::string IntegratorNode::waive(const std::string& by, const std::string& item,
                                  const std::string& reason, const std::string& at) {
  return phases_.commands.waive(by, item, reason, at);
}

std::string IntegratorNode::hold(const std::string& by, const std::string& reason) {
  return phases_.commands.hold(by, session::kOperatorChannel, reason);
}

std::string IntegratorNode::hold(const std::string& by, const std::string& from,
                                 const std::string& reason) {
  return phases_.commands.hold(by, from, reason);
}

std::string IntegratorNode::resume(const std::string& by) {
  return phases_.commands.resume(by);
}

std::string IntegratorNode::stop(const std::string& by, const std::string& reason) {
  return phases_.commands.stop(by, session::kOperatorChannel, reason);
}

std::string IntegratorNode::stop(const std::string& by, const std::string& from,
                                 const std::string& reason) {
  return phases_.commands.stop(by, from, reason);
}

std::string IntegratorNode::clear(const std::string& /*by*/) {
  return phases_.commands.clear();
}

std::string IntegratorNode::note(const std::string& by, const Note& note) {
  return phases_.commands.note(by, note);
}

std::string IntegratorNode::leave(const std::string& by, const std::string& from,
                                  const std::string& reason) {
  return phases_.commands.leave(by, from, reason);
}

std::string IntegratorNode::waiting_for() const {
  return phases_.status.waiting_for(phases_.coordinator.handler());
}

std::vector<evaluation::SiteReport> IntegratorNode::tracking_now() const {
  if (exchange_.done() == 0) return {};
  return record_.tracking_now(peers_);
}

}  // namespace trestle::integrator_node
