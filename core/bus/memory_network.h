#pragma once

#include <memory>
#include <vector>

#include "core/bus/codec.h"
#include "core/ports/transport.h"

namespace trestle {

/// The bus of nodes that one thread drives in one process: hands structs over, no bytes.
///
/// To its nodes it behaves as the bus between processes does: bounded queues, order per
/// peer, the same messages refused. wait() returns at once: whoever runs all nodes in one
/// thread has nobody to wait for.
class MemoryNetwork {
 public:
  /// Messages of one kind that one direction between two nodes can hold.
  static constexpr std::size_t kQueueLength = 64;

  /// @pre sites >= 0
  explicit MemoryNetwork(int sites);
  ~MemoryNetwork();

  /// Both live as long as the network.
  Transport& integrator() noexcept;
  /// @pre 0 <= site < sites
  Transport& site(int site) noexcept;

 private:
  class Queue;
  class IntegratorEnd;
  class SiteEnd;
  struct Link;

  Codec codec_;  // only to refuse what could not travel
  std::vector<std::unique_ptr<Link>> links_;
  std::unique_ptr<IntegratorEnd> integrator_;
  std::vector<std::unique_ptr<SiteEnd>> sites_;
};

}  // namespace trestle
