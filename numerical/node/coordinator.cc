#include "numerical/node/coordinator.h"

#include <cassert>
#include <utility>

namespace trestle::integrator_node {

void Coordinator::start() {
  if (phase_ == Phase::kConnecting) apply(handler().enter({}));
}

bool Coordinator::tick() {
  const Phase before = phase_;
  apply(handler().advance());
  if (times_.deadline.passed(times_.now)) apply(handler().expired());
  handler().update_pending_waits();
  return phase_ != before || handler().busy();
}

void Coordinator::apply(PhaseChange change) {
  change = rules_.resolve(std::move(change), phase_);
  while (change.trigger != Trigger::kNone) {
    const std::optional<Phase> to = next(phase_, change.trigger);
    assert(to);
    if (!to) return;
    change.from = std::exchange(phase_, *to);
    change = rules_.resolve(handler().enter(change), phase_);
  }
}

}  // namespace trestle::integrator_node
