#include "core/bus/peer_directory.h"

#include "core/bus/message_codec.h"
#include "core/bus/zmq_connections.h"
#include "core/bus/zmq_endpoint.h"

namespace trestle::bus {

PeerDirectory::PeerDirectory(BusSide side, const BusSecurity& security,
                             ConnectionLog& refusals)
    : side_(side), security_(security), refusals_(refusals) {}

PeerDirectory::Route& PeerDirectory::add(const std::string& name) {
  routes_.push_back({.name = name, .id = {}});
  routes_.back().id.reserve(kLongestName);
  return routes_.back();
}

PeerDirectory::Sender PeerDirectory::identify(ZmqMessage& message,
                                              const ZmqConnection& from) noexcept {
  const bool by_key = !security_.secret_key.empty();
  const std::size_t size = message.content.bytes().size();
  if (by_key && size > kMaxMessageBytes) {
    refusals_.refuse(sender_name(message, from) + " sent " + std::to_string(size) +
                     " bytes; at most " + std::to_string(kMaxMessageBytes) +
                     " are one message");
    return {};
  }
  if (!from.names) return {.peer = from.peer};
  if (by_key) return identify_by_key(message);
  const std::string_view id = message.sender.text();
  return {.peer = find(id, id)};
}

PeerDirectory::Sender PeerDirectory::identify_by_key(ZmqMessage& message) noexcept {
  const std::string_view id = message.sender.text();
  const std::string_view name = message.content.property("User-Id");
  const AllowedPeer* const allowed = find_allowed(name);
  if (allowed == nullptr) {
    refusals_.refuse("a message came whose sender nobody has proven; dropped");
    return {};
  }
  if (allowed->role == PeerRole::kObserver) return {.peer = 0, .observer = allowed};
  const int peer = find(name, id);
  if (peer >= 0 && side_ == BusSide::kIntegrator) {
    if (const std::string_view said = name_in(id); said != name) {
      refusals_.refuse("the key of site " + allowed->name + " speaks as site " +
                       printable(said) + "; refused");
      return {};
    }
    routes_[static_cast<std::size_t>(peer)].id = id.substr(0, kLongestName);
  }
  return {.peer = peer};
}

/// The peer of this name at the integrator, at a site the one of this id; counts the
/// others.
int PeerDirectory::find(std::string_view name, std::string_view id) noexcept {
  if (side_ != BusSide::kIntegrator) {
    if (caller_.hear(id)) return 0;
    if (side_ == BusSide::kListeningSite) caller_.let_wait(id);
    unknown_.count();
    return -1;
  }
  for (std::size_t i = 0; i < routes_.size(); ++i)
    if (routes_[i].name == name) return static_cast<int>(i);
  unknown_.count();
  unknown_.remember(name);
  return -1;
}

const AllowedPeer* PeerDirectory::find_allowed(std::string_view name) const noexcept {
  for (const AllowedPeer& peer : security_.peers)
    if (peer.name == name) return &peer;
  return nullptr;
}

/// With keys.
std::string PeerDirectory::sender_name(ZmqMessage& message,
                                       const ZmqConnection& from) const {
  const std::string_view proven = message.content.property("User-Id");
  if (!proven.empty()) return std::string(proven);
  if (from.peer < 0) return "somebody";
  return side_ == BusSide::kIntegrator ? routes_[static_cast<std::size_t>(from.peer)].name
                                       : "the integrator";
}

}  // namespace trestle::bus
