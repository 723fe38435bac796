#pragma once

#include "core/ports/operator_interface.h"

namespace trestle::composition {

/// Shows the person at its terminal how a node stands. Called between two ticks; no call
/// waits for a reader.
class NodeDisplay {
 public:
  virtual ~NodeDisplay() = default;

  /// Returns true if it is time to show it again. Cheap enough for every tick.
  virtual bool due() const = 0;
  virtual void show(const NodeStatus& status) = 0;
};

}  // namespace trestle::composition
