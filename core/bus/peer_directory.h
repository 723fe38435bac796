#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/bus/bus_security.h"
#include "core/bus/connection_log.h"
#include "core/bus/listening_peer.h"
#include "core/bus/unknown_peers.h"

namespace trestle::bus {

struct ZmqConnection;
struct ZmqMessage;

/// Which end of the bus this is.
enum class BusSide { kIntegrator, kCallingSite, kListeningSite };

/// Finds the peer that sent a message, and the way back to it. A plain peer is known by the
/// id of its socket. With keys a peer is known by the name that belongs to its key,
/// whatever it says; what contradicts the key is refused and logged.
class PeerDirectory {
 public:
  /// The way to one peer.
  struct Route {
    std::string name;  // a site's; unused at a site
    std::string id;    // of its socket, once known
    const ZmqConnection* connection = nullptr;
  };
  /// Who sent a message.
  struct Sender {
    int peer = -1;  ///< -1: not of this test, refused, or has to wait
    const AllowedPeer* observer = nullptr;  ///< set if the sender is one
  };

  /// Both must outlive the directory.
  PeerDirectory(BusSide side, const BusSecurity& security, ConnectionLog& refusals);

  /// Adds the next peer. @param name  of a site; unused at a site
  Route& add(const std::string& name);
  Route& operator[](std::size_t peer) noexcept { return routes_[peer]; }
  std::size_t size() const noexcept { return routes_.size(); }

  Sender identify(ZmqMessage& message, const ZmqConnection& from) noexcept;

  /// Of a site that listens.
  ListeningPeer& caller() noexcept { return caller_; }
  const ListeningPeer& caller() const noexcept { return caller_; }
  UnknownPeers& unknown() noexcept { return unknown_; }
  const UnknownPeers& unknown() const noexcept { return unknown_; }

 private:
  Sender identify_by_key(ZmqMessage& message) noexcept;
  int find(std::string_view name, std::string_view id) noexcept;
  const AllowedPeer* find_allowed(std::string_view name) const noexcept;
  std::string sender_name(ZmqMessage& message, const ZmqConnection& from) const;

  const BusSide side_;
  const BusSecurity& security_;
  ConnectionLog& refusals_;
  std::vector<Route> routes_;  // per peer
  ListeningPeer caller_;
  UnknownPeers unknown_;
};

}  // namespace trestle::bus
