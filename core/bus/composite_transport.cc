#include "core/bus/composite_transport.h"

namespace trestle::bus {
namespace {

bool known(int peer, std::size_t count) noexcept {
  return peer >= 0 && static_cast<std::size_t>(peer) < count;
}

}  // namespace

CompositeTransport::CompositeTransport(Transport& here, Transport& elsewhere,
                                       const std::vector<bool>& remote)
    : here_(here), elsewhere_(elsewhere) {
  for (std::size_t site = 0; site < remote.size(); ++site) {
    std::vector<int>& sites = remote[site] ? sites_elsewhere_ : sites_here_;
    places_.push_back({remote[site] ? &elsewhere : &here, static_cast<int>(sites.size())});
    sites.push_back(static_cast<int>(site));
  }
}

bool CompositeTransport::send(int peer, const StepCommand& message) noexcept {
  if (!known(peer, places_.size())) return false;
  const Place& place = places_[static_cast<std::size_t>(peer)];
  const bool sent = place.transport->send(place.peer, message);
  handed_on_ = place.transport->last_send_time();
  return sent;
}

bool CompositeTransport::send(int peer, const StepResponse& message) noexcept {
  if (!known(peer, places_.size())) return false;
  const Place& place = places_[static_cast<std::size_t>(peer)];
  return place.transport->send(place.peer, message);
}

bool CompositeTransport::send(int peer, const SessionMessage& message) {
  if (!known(peer, places_.size())) return false;
  const Place& place = places_[static_cast<std::size_t>(peer)];
  return place.transport->send(place.peer, message);
}

bool CompositeTransport::receive(ReceivedMessage& into) {
  const std::vector<int>* sites = &sites_here_;
  if (!here_.receive(into)) {
    sites = &sites_elsewhere_;
    if (!elsewhere_.receive(into)) return false;
  }
  if (known(into.peer, sites->size()))
    into.peer = (*sites)[static_cast<std::size_t>(into.peer)];
  return true;
}

void CompositeTransport::wait(Duration timeout) noexcept {
  elsewhere_.wait(timeout);
}

}  // namespace trestle::bus
