#include "core/bus/listening_peer.h"

#include <algorithm>

#include "core/bus/zmq_endpoint.h"

namespace trestle::bus {

ListeningPeer::ListeningPeer() {
  caller_.reserve(kLongestName);
  last_.reserve(kLongestName);
  for (std::string& id : ids_) id.reserve(kLongestName);
}

bool ListeningPeer::hear(std::string_view id) noexcept {
  if (id == caller_) return true;
  const bool heard = !locked_ || caller_.empty();
  (heard ? caller_ : last_) = id.substr(0, kLongestName);
  return heard;
}

void ListeningPeer::let_wait(std::string_view id) noexcept {
  if (!locked_) return;
  const std::string_view name = id.substr(0, kLongestName);
  const auto end = ids_.begin() + static_cast<std::ptrdiff_t>(count_);
  if (end == ids_.end() || std::find(ids_.begin(), end, name) != end) return;
  *end = name;
  ++count_;
}

bool ListeningPeer::lock(bool keep) noexcept {
  if (keep == locked_) return false;
  locked_ = keep;
  count_ = 0;
  if (!keep && !last_.empty()) {
    caller_ = last_;
    last_.clear();
  }
  return true;
}

}  // namespace trestle::bus
