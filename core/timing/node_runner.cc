#include "core/timing/node_runner.h"

#include <algorithm>
#include <utility>

#include "core/timing/deadline.h"

namespace trestle::timing {
namespace {

// Rounds between two looks at journal, progress and signals while there is work to do.
constexpr int kRoundsBetween = 16;
// The longest wait without such a look.
constexpr Duration kLongestWait = std::chrono::milliseconds(100);

}  // namespace

NodeRunner::NodeRunner(std::vector<Node*> nodes, Clock& clock, IdleCallback between)
    : nodes_(std::move(nodes)), clock_(clock), between_(std::move(between)) {}

/// @returns when the nodes must be called again; `now` itself: there is more to do
TimePoint NodeRunner::round(TimePoint now) {
  TimePoint due = TimePoint::max();
  for (Node* node : nodes_) due = std::min(due, node->tick(now));
  return due;
}

void NodeRunner::run() {
  int rounds = 0;
  while (!nodes_.front()->finished()) {
    TimePoint now = clock_.now();
    TimePoint due = round(now);
    if (due <= now && ++rounds < kRoundsBetween) continue;
    rounds = 0;
    const bool idle = due > now;
    if (!between_()) return;
    if (!idle || nodes_.front()->finished()) continue;
    // Handles a message that arrived in between before the thread sleeps. On the virtual
    // clock none arrived: no time has passed.
    if (const TimePoint later = clock_.now(); later > now) due = round(now = later);
    if (due > now && !nodes_.front()->finished())
      clock_.advance_to(std::min(due, saturating_add(now, kLongestWait)));
  }
}

}  // namespace trestle::timing
