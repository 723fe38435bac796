#pragma once

#include <poll.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bus/bus_security.h"
#include "core/bus/connection_log.h"
#include "core/bus/message_codec.h"
#include "core/ports/transport.h"

namespace trestle {

class CurveAuthenticator;
class ZmqSocket;

/// The addresses by which the integrator reaches its sites. Peer i of its transport is
/// sites[i].
struct IntegratorEndpoint {
  struct Site {
    std::string name;             ///< name of the site: 1 to 255 bytes, unique
    std::string address;          ///< address at which the site listens; empty: it connects
    std::string public_key = {};  ///< of a site with an address, where `security` has a key
  };
  std::string
      listen;  ///< tcp://*:7000, ipc://...; port 0: any free one; empty: does not listen
  std::vector<Site> sites;
  BusSecurity security = {};
};

/// The address by which a site reaches its integrator: exactly one of listen and
/// integrator.
struct SiteEndpoint {
  std::string name;
  std::string listen;               ///< the integrator calls in here
  std::string integrator;           ///< call the integrator there
  std::string integrator_key = {};  ///< its public key, where `security` has a key
  BusSecurity security = {};
};

/// The bus between processes: a ROUTER at the integrator; at a site a DEALER where it
/// calls, a ROUTER where it listens, so that it can identify the caller.
///
/// Plain, a site is known by its name, its socket's routing id; a site that reconnects
/// under its name replaces its old connection. Messages of any other peer are dropped and
/// counted. A site that keeps its peer does the same. When it no longer keeps it, the last
/// of these peers becomes its peer. An integrator's socket has its own id and sends it when
/// it connects. send() returns false while no connection exists or a queue is full; it
/// stores no message for later. The socket belongs to the thread that drives the node;
/// wake() alone may be called by others.
///
/// With keys, the key determines the name (docs/explanation/security.md): the integrator
/// identifies a site that it calls by the connection, and a caller by its key, whatever
/// name it gives. Only take_notices() reports refused messages.
class ZmqTransport final : public Transport {
 public:
  /// @throws std::runtime_error if an address, a name or a key cannot be used; says
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
  void add_wait_descriptor(int descriptor);

  /// At a site that listens: other integrators, or observers, have called while one is
  /// kept, and were not answered yet. Costs nothing.
  bool somebody_waits() const noexcept { return waiting_count_ > 0; }
  /// Says this to each of them, once. Between ticks.
  void answer_those_who_wait(const SessionMessage& message);

  /// Ends the wait() of now, or else the next one. From any thread or signal handler.
  void wake() const noexcept;

  /// Returns the address at which it listens, with a free port resolved:
  /// tcp://127.0.0.1:40123; empty if it only connects.
  const std::string& bound_endpoint() const noexcept { return bound_endpoint_; }

  /// Names of the first peers that sent messages but do not belong to this test, printable.
  const std::vector<std::string>& unknown_peers() const noexcept { return strangers_; }
  /// Messages of theirs that were dropped.
  std::uint64_t dropped() const noexcept { return dropped_; }

  /// Returns connections, disconnections, refusals and warnings of insecure ends as
  /// complete sentences for the node's log; few, however many peers are refused. Not on the
  /// step path.
  std::vector<ConnectionEvent> take_notices();
  /// Refused connections and messages since the beginning.
  std::uint64_t refused() const noexcept { return refusals_.refused(); }

 private:
  struct PendingMessage;
  struct Connection;
  enum class Side { kIntegrator, kCallingSite, kListeningSite };

  ZmqTransport(Side side, const BusSecurity& security);

  Connection& add_line(int type, int peer, bool listens);
  void watch_connections(const std::string& listen);
  void begin();
  void connect_plain(const IntegratorEndpoint& endpoint);
  void connect_curve(const IntegratorEndpoint& endpoint);

  bool send(int peer, std::span<const std::byte> bytes) noexcept;
  bool send_to(std::string_view id, std::span<const std::byte> bytes) noexcept;
  bool take() noexcept;
  bool take_frames() noexcept;
  bool take_frames_of(Connection& line) noexcept;
  int sender_of(const Connection& line) noexcept;
  int sender_by_key(std::string_view id) noexcept;
  int caller_named(std::string_view id) noexcept;
  void let_wait(std::string_view id) noexcept;
  int peer_named(std::string_view name) noexcept;
  std::string sender_name() noexcept;
  const AllowedPeer* allowed_named(std::string_view name) const noexcept;
  bool admit(ReceivedMessage& into);
  bool admit_observer(ReceivedMessage& into);
  void refuse(std::string text) noexcept;
  void remember_stranger(std::string_view name) noexcept;
  bool sleep(Duration timeout) noexcept;

  const Side side_;
  const BusSecurity security_;
  const bool by_key_;
  const Clock* clock_ = nullptr;
  TimePoint handed_on_{};
  std::vector<std::string> peers_;          // the sites' names; unused at a site
  std::vector<std::string> routes_;         // and their sockets' ids, once known
  std::string caller_;                      // a listening site's peer; empty: none yet
  std::string waiting_;                     // called last while another one was kept
  std::array<std::string, 8> waiting_ids_;  // the last few of those, not yet answered
  std::size_t waiting_count_ = 0;
  std::string asker_;  // an observer whose question is being answered
  bool keep_ = false;
  ConnectionLog refusals_;
  std::unique_ptr<void, int (*)(void*)> context_;  // closed in reverse order
  std::unique_ptr<CurveAuthenticator> gatekeeper_;
  std::vector<std::unique_ptr<Connection>> lines_;
  std::vector<Connection*> line_of_;  // per peer
  std::vector<pollfd> events_;        // of the lines, of others, and to be woken by
  std::size_t others_ = 0;
  std::size_t turn_ = 0;  // the line that is looked at first
  int wake_event_ = -1;
  MessageCodec codec_;
  std::unique_ptr<PendingMessage> arrived_;  // taken from the socket, not yet received
  ReceivedMessage unverified_;               // until it is known that the node may hear it
  std::string bound_endpoint_;
  std::vector<std::string> strangers_;
  std::uint64_t dropped_ = 0;
};

}  // namespace trestle
