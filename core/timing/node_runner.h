#pragma once

#include <functional>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/node.h"

namespace trestle::timing {

/// Drives one node, or several on the same thread, each whenever it is due or something
/// arrived.
///
/// On the virtual clock an idle round makes time jump to the next deadline; on the wall
/// clock the thread waits in the transport. The nodes cannot tell the difference.
class NodeRunner {
 public:
  /// Called every few rounds, outside any tick: for journal space, progress and signals. A
  /// round of ticks follows before the thread waits.
  /// @returns false to end the run
  using IdleCallback = std::function<bool()>;

  /// @param nodes  driven in this order; the first one decides when the run is over
  NodeRunner(std::vector<Node*> nodes, Clock& clock, IdleCallback between);

  /// Runs until the first node is finished, or `between` returns false.
  void run();

 private:
  TimePoint round(TimePoint now);

  std::vector<Node*> nodes_;
  Clock& clock_;
  IdleCallback between_;
};

}  // namespace trestle::timing
