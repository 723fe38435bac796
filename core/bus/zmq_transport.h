#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bus/bus_security.h"
#include "core/bus/called_sites.h"
#include "core/bus/connection_log.h"
#include "core/bus/message_codec.h"
#include "core/bus/peer_directory.h"
#include "core/bus/wakeable_poll.h"
#include "core/ports/transport.h"

namespace trestle::bus {

class ZmqConnections;

/// Where the integrator meets its sites. Peer i of its transport is sites[i].
struct IntegratorEndpoint {
  struct Site {
    std::string name;             ///< what the site calls itself: 1 to 255 bytes, unique
    std::string address;          ///< where the site listens; empty: it calls in
    std::string public_key = {};  ///< of a site with an address, where `security` has a key
  };
  std::string
      listen;  ///< tcp://*:7000, ipc://...; port 0: any free one; empty: nobody calls in
  std::vector<Site> sites;
  BusSecurity security = {};
};

/// Where a site meets its integrator: exactly one of listen and integrator.
struct SiteEndpoint {
  std::string name;
  std::string listen;               ///< the integrator calls in here
  std::string integrator;           ///< call the integrator there
  std::string integrator_key = {};  ///< its public key, where `security` has a key
  BusSecurity security = {};
};

/// The bus between processes: a ROUTER at the integrator; at a site a DEALER where it
/// calls, a ROUTER where it listens, so that it can tell who calls.
///
/// Plain, a site is known by its name, its socket's routing id; one that comes back under
/// its name takes over its own place. Every other peer is dropped and counted; at a site
/// that keeps its peer likewise, and the last of those is its peer as soon as it does not.
/// An integrator's socket has a separate id, and sends it where it connects, again while a
/// site says nothing. Before a
/// connection stands, and while a queue is full, send() gives false; nothing is kept for
/// later. The socket belongs to the thread that drives the node; wake() alone may be called
/// by others.
///
/// With a key, a name is what the key says (docs/explanation/security.md): whom the
/// integrator calls it knows by the connection, whom it is called by, by his key, whatever
/// he says. What is refused reaches nobody but take_notices().
class ZmqTransport final : public Transport {
 public:
  /// @throws std::runtime_error where an address, a name or a key cannot be used; says
  /// which and why
  static std::unique_ptr<ZmqTransport> for_integrator(const IntegratorEndpoint& endpoint);
  static std::unique_ptr<ZmqTransport> for_site(const SiteEndpoint& endpoint);

  ~ZmqTransport() override;
  ZmqTransport(const ZmqTransport&) = delete;
  ZmqTransport& operator=(const ZmqTransport&) = delete;

  bool send(int peer, const StepCommand& message) noexcept override;
  bool send(int peer, const StepResponse& message) noexcept override;
  bool send(int peer, const SessionMessage& message) override;
  bool receive(ReceivedMessage& into) override;
  void lock_peer(bool keep) noexcept override;
  void wait(Duration timeout) noexcept override;
  void set_clock(const Clock& clock) noexcept override { clock_ = &clock; }
  TimePoint last_send_time() const noexcept override { return handed_on_; }

  /// wait() ends when this descriptor is readable, too. It stays its owner's.
  void add_wait_descriptor(int descriptor) { poll_.add(descriptor); }

  /// At a site that listens: other integrators, or observers, have called while one is
  /// kept, and were not answered yet. Costs nothing.
  bool somebody_waits() const noexcept { return !peers_.caller().waiting().empty(); }
  /// Says this to each of them, once. Between ticks.
  void answer_those_who_wait(const SessionMessage& message);

  /// Ends the wait() of now, or else the next one. From any thread or signal handler.
  void wake() const noexcept { poll_.wake(); }

  /// Where it listens, a free port resolved: tcp://127.0.0.1:40123; empty where it only
  /// calls.
  const std::string& bound_endpoint() const noexcept { return bound_endpoint_; }

  /// Who spoke without being of this test: the first few names, fit to print.
  const std::vector<std::string>& unknown_peers() const noexcept {
    return peers_.unknown().names();
  }
  /// Messages of theirs that were dropped.
  std::uint64_t dropped() const noexcept { return peers_.unknown().dropped(); }

  /// Who was refused, who came and went, and that an end is insecure: for the node's log,
  /// whole sentences, few of them however many peers are refused. Not on the step path.
  std::vector<ConnectionEvent> take_notices();
  /// Refused connections and messages since the beginning.
  std::uint64_t refused() const noexcept { return refusals_.refused(); }

 private:
  struct PendingMessage;

  ZmqTransport(BusSide side, const BusSecurity& security);

  void connect_plain(const IntegratorEndpoint& endpoint);
  void connect_curve(const IntegratorEndpoint& endpoint);

  bool send(int peer, std::span<const std::byte> bytes) noexcept;
  bool take() noexcept;
  bool admit(ReceivedMessage& into);
  bool admit_observer(ReceivedMessage& into);

  const BusSide side_;
  const BusSecurity security_;
  const bool by_key_;
  const Clock* clock_ = nullptr;
  TimePoint handed_on_{};
  ConnectionLog refusals_;
  PeerDirectory peers_;
  CalledSites called_;
  std::string asker_;  // an observer whose question is being answered
  std::unique_ptr<ZmqConnections> connections_;
  WakeablePoll poll_;
  MessageCodec codec_;
  std::unique_ptr<PendingMessage> arrived_;
  ReceivedMessage unverified_;  // until it is known that the node may hear it
  std::string bound_endpoint_;
};

}  // namespace trestle::bus
