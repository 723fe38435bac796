#include "core/bus/unknown_peers.h"

#include <algorithm>
#include <utility>

#include "core/bus/zmq_endpoint.h"
#include "core/bus/zmq_socket.h"

namespace trestle::bus {
namespace {

constexpr std::size_t kUnknownPeersKept = 8;

}  // namespace

void UnknownPeers::remember(std::string_view name) noexcept {
  if (names_.size() >= kUnknownPeersKept) return;
  std::string clean = printable(name);
  if (std::ranges::find(names_, clean) == names_.end()) names_.push_back(std::move(clean));
}

}  // namespace trestle::bus
