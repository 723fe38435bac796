#pragma once

#include <cstdint>
#include <span>

namespace trestle {

/// Keeps the newest whole state of a node, from which it continues after a restart.
///
/// Thread: the node's, or its control thread.
class StateStore {
 public:
  virtual ~StateStore() = default;

  /// Returns true if save_state() keeps its argument; otherwise the caller need not make a
  /// state.
  virtual bool keeps_state() const noexcept = 0;
  /// Copies the whole state of the node after this step; it replaces the state kept before.
  /// Rows pushed before it are at least as safe as the state. Does not block, and allocates
  /// only in the first call of a session.
  virtual void save_state(std::int64_t step, std::span<const double> state) noexcept = 0;
};

}  // namespace trestle
