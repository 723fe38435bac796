#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/bus/bus_security.h"
#include "core/bus/connection_count.h"
#include "core/bus/connection_log.h"

namespace trestle::bus {

/// Answers the requests of ZeroMQ's authentication (ZAP, RFC 27) and receives its reports
/// of failed handshakes. Its thread owns both sockets; one per context.
///
/// A peer with a listed key gets the name of that key, which each of its messages then
/// carries (`User-Id`). All others are refused and logged. Without keys it only receives
/// failures. In both cases it closes excess connections, so that idle ones use no
/// descriptors.
class CurveAuthenticator {
 public:
  /// @throws std::runtime_error if ZeroMQ gives no socket
  CurveAuthenticator(void* context, const BusSecurity& security, ConnectionLog& log);
  /// Shuts the context down: all its sockets must be closed before, by their own thread.
  ~CurveAuthenticator();
  CurveAuthenticator(const CurveAuthenticator&) = delete;
  CurveAuthenticator& operator=(const CurveAuthenticator&) = delete;

  /// Watches the connections of a socket. Call it before begin(), and before the socket
  /// listens or connects.
  /// @param whom  name of the called peer, for messages; empty: the socket listens
  void watch(void* socket, const std::string& whom);
  void begin();

  /// A session has ended: the next disconnection of a peer that was connected by now is
  /// its normal end. Any thread.
  void parted() noexcept { parted_.store(ConnectionLog::Steady::now()); }

 private:
  using Socket = std::unique_ptr<void, int (*)(void*)>;
  static constexpr ConnectionLog::Steady::time_point kNeverParted =
      ConnectionLog::Steady::time_point::min();
  /// A connected peer: its address and the time.
  struct PendingPeer {
    std::string from;
    ConnectionLog::Steady::time_point since;
  };
  /// A watched socket, and what it takes to tell its events.
  struct Watch {
    Socket events;
    std::string whom;
    std::map<int, PendingPeer> unproven;  // connections without a handshake
    std::map<int, PendingPeer> proven;    // maybe with one
    std::string failure;                  // told by the event before this one
    bool cut_short = false;               // so was a handshake that just ended
    int rejected = 0;                     // not listed; their connections are yet to end
    std::optional<ConnectionLog::Steady::time_point>
        failing_since;  // calls, without a success
    ConnectionCount count;
  };

  void run();
  void answer();
  void hear(Watch& watch);
  void hear_listener(Watch& watch, int event, int value, std::string_view place);
  void admit_connection(Watch& watch, int connection, std::string_view place);
  void hear_caller(Watch& watch, int event, int value);
  void hear_cut_call(Watch& watch);
  void hear_end(Watch& watch, int connection);
  bool took_part_until_the_end(const PendingPeer& caller) noexcept;

  void* context_;
  const BusSecurity& security_;
  ConnectionLog& log_;
  std::map<std::string, const AllowedPeer*> by_key_;  // 32 bytes each
  Socket questions_;
  std::vector<std::unique_ptr<Watch>> watches_;
  std::atomic<ConnectionLog::Steady::time_point> parted_{kNeverParted};
  std::thread thread_;
};

}  // namespace trestle::bus
