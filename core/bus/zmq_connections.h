#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/bus/bus_security.h"
#include "core/bus/connection_log.h"
#include "core/bus/wakeable_poll.h"
#include "core/bus/zmq_socket.h"

namespace trestle::bus {

class CurveAuthenticator;

/// One socket: of all that connect to it, or of the one peer that it calls.
struct ZmqConnection {
  ZmqSocket socket;
  int peer;    ///< -1: several
  bool names;  ///< a ROUTER: each message begins with the id of its sender's socket
};

/// One message off a socket.
struct ZmqMessage {
  bool several_frames = false;
  ZmqFrame sender;  ///< id of the sender's socket, if the connection names senders
  ZmqFrame content;
};

/// The sockets of one end of the bus in their ZeroMQ context, and the authenticator that
/// watches who connects. All but stop_expecting_peer() belongs to one thread. Nothing
/// allocates after begin().
class ZmqConnections {
 public:
  /// Both must outlive the connections.
  ZmqConnections(const BusSecurity& security, ConnectionLog& log);
  ~ZmqConnections();
  ZmqConnections(const ZmqConnections&) = delete;
  ZmqConnections& operator=(const ZmqConnections&) = delete;

  /// Authenticates by key; of a plain end that other machines may reach it logs who was
  /// cut off. @param listen  where this end listens; empty: it only calls
  void authenticate(const std::string& listen);
  /// @param type  ZMQ_ROUTER or ZMQ_DEALER
  /// @param peer  whom the socket calls; -1: several may connect
  ZmqConnection& add(int type, int peer);
  /// Logs what becomes of a connection, if this end authenticates.
  /// @param peer_name  whom it calls, human-readable; empty: it listens
  void watch(const ZmqConnection& connection, const std::string& peer_name);
  /// After the last watch(), and before an end with keys listens or calls.
  void begin(WakeablePoll& poll);

  /// Takes one message, each socket in its turn.
  /// @returns the connection it came by; null: none waits
  const ZmqConnection* take(ZmqMessage& into) noexcept;

  /// @returns false if the peer is not connected or its queue is full
  static bool send(const ZmqConnection& connection,
                   std::span<const std::byte> bytes) noexcept;
  /// By the first connection, which names its peers.
  /// @returns false if no socket of this id is connected or its queue is full
  bool send_to(std::string_view id, std::span<const std::byte> bytes) noexcept;

  /// A test ended: it is no news if its peer goes now. Any thread.
  void stop_expecting_peer() noexcept;

 private:
  static bool take_from(const ZmqConnection& connection, ZmqMessage& into) noexcept;

  const BusSecurity& security_;
  ConnectionLog& log_;
  ZmqContext context_;  // closed in reverse order
  std::unique_ptr<CurveAuthenticator> authenticator_;
  std::vector<std::unique_ptr<ZmqConnection>> connections_;
  std::size_t turn_ = 0;  // the connection that take() looks at first
};

}  // namespace trestle::bus
