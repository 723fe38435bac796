#include "numerical/node/early_holds.h"

#include <algorithm>

namespace trestle::integrator_node {

void EarlyHolds::add(SitePeer& peer, const std::string& why, const AuditEntry& said) {
  last_ = {run_.settings.session, peer.name(), {}, run_.exchange.done(), why, said.who};
  told_ = true;
  unanswered_.emplace_back(&peer, said);
}

void EarlyHolds::recall(const AuditEntry& held) {
  const std::string site = held.from.substr(held.from.find(' ') + 1);  // "bus: west"
  last_ = {run_.settings.session,   site,    {}, run_.exchange.done(),
           site + ": " + held.text, held.who};
}

void EarlyHolds::answer() {
  const auto holds = std::exchange(unanswered_, {});
  for (const auto& [peer, said] : holds) {
    if (run_.record.is_open()) run_.recording.log.audit(said);
    Halt halt = last_;
    halt.hold = peer->heard_hold;
    peer->send(halt, run_.times.now);
  }
}

bool EarlyHolds::owes_answer(const SitePeer& peer) const noexcept {
  return std::any_of(unanswered_.begin(), unanswered_.end(),
                     [&peer](const auto& of) { return of.first == &peer; });
}

}  // namespace trestle::integrator_node
