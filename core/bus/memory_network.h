#pragma once

#include <memory>
#include <vector>

#include "core/bus/message_codec.h"
#include "core/network/link_settings.h"
#include "core/ports/clock.h"
#include "core/ports/transport.h"

namespace trestle::bus {

/// The bus of nodes that one thread drives in one process. Passes structs, not bytes.
///
/// To its nodes it behaves as the bus between processes does: bounded queues, order per
/// peer, the same messages refused. wait() returns at once: with all nodes in one thread,
/// no other thread can send.
///
/// A message arrives immediately or, over a link, after the delay that the network model
/// computes from its size on the wire. An outage loses messages, which send() does not
/// report.
class MemoryNetwork {
 public:
  /// Messages of one kind that one direction between two nodes can hold.
  static constexpr std::size_t kQueueLength = 64;
  /// The same over a link, those on their way included: a second of steps at 1024 Hz.
  static constexpr std::size_t kLinkedQueueLength = 1024;

  /// @pre sites >= 0
  explicit MemoryNetwork(int sites);
  ~MemoryNetwork();

  /// Puts a link between integrator and this site, before any message is sent.
  /// @param clock  that drives the nodes; must outlive the network
  /// @pre 0 <= site < sites
  void link(int site, const network::LinkSettings& settings, const Clock& clock);

  /// When the next message arrives that had not yet arrived at `now`; TimePoint::max()
  /// where none is on its way. A runner must not let time jump past it.
  TimePoint next_delivery(TimePoint now) const noexcept;

  /// Returns true if a message is unread: the caller must tick the nodes again before it
  /// waits.
  bool unread() const noexcept;

  /// Both live as long as the network.
  Transport& integrator() noexcept;
  /// @pre 0 <= site < sites
  Transport& site(int site) noexcept;

 private:
  class IntegratorEnd;
  class SiteEnd;
  struct Channels;

  MessageCodec codec_;  // to refuse what could not travel, and to measure what does
  std::vector<std::unique_ptr<Channels>> channels_;
  std::unique_ptr<IntegratorEnd> integrator_;
  std::vector<std::unique_ptr<SiteEnd>> sites_;
};

}  // namespace trestle::bus
