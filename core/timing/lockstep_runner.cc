#include "core/timing/lockstep_runner.h"

#include <algorithm>
#include <utility>

#include "core/timing/deadline.h"

namespace trestle {
namespace {

// Rounds between two looks at journal, progress and signals while there is work to do.
constexpr int kRoundsBetween = 16;
// The longest wait without such a look.
constexpr Duration kLongestWait = std::chrono::milliseconds(100);

}  // namespace

LockstepRunner::LockstepRunner(std::vector<Node*> nodes, Clock& clock, Between between)
    : nodes_(std::move(nodes)), clock_(clock), between_(std::move(between)) {}

void LockstepRunner::run() {
  int rounds = 0;
  while (!nodes_.front()->finished()) {
    const TimePoint now = clock_.now();
    TimePoint due = TimePoint::max();
    for (Node* node : nodes_) due = std::min(due, node->tick(now));

    const bool idle = due > now;
    if (idle || ++rounds >= kRoundsBetween) {
      rounds = 0;
      if (!between_()) return;
    }
    if (idle && !nodes_.front()->finished())
      clock_.pass(std::min(due, deadline_after(now, kLongestWait)));
  }
}

}  // namespace trestle
