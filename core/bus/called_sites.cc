#include "core/bus/called_sites.h"

#include <zmq.h>

#include <algorithm>

#include "core/bus/zmq_connections.h"

namespace trestle::bus {
namespace {

constexpr int kSilent = 2;         // [s] above a site's usual heartbeat, of a second
constexpr int kBetweenCalls = 15;  // [s] longer than most pauses of a site that is well

}  // namespace

void CalledSites::add(std::size_t site, const ZmqConnection& connection,
                      const std::string& name, const std::string& address) {
  called_.push_back({site, &connection, name, address});
  heard_.resize(std::max(heard_.size(), site + 1));
}

void CalledSites::attend(Steady::time_point now) noexcept {
  if (called_.empty() || now < next_look_) return;
  next_look_ = now + std::chrono::seconds(1);
  for (Called& called : called_) {
    called.silent = heard_[called.site] != 0 ? 0 : called.silent + 1;
    heard_[called.site] = 0;
    if (called.silent < kSilent) continue;
    // A new connection begins with the empty message.
    if (called.silent % kBetweenCalls == 0)
      renew_call(called);
    else
      send_again(called);
  }
}

void CalledSites::send_again(const Called& called) noexcept {
  void* const socket = called.connection->socket.get();
  if (called.connection->names && zmq_send(socket, called.name.data(), called.name.size(),
                                           ZMQ_DONTWAIT | ZMQ_SNDMORE) < 0)
    return;  // it is not connected
  zmq_send(socket, "", 0, ZMQ_DONTWAIT);
}

void CalledSites::renew_call(const Called& called) noexcept {
  void* const socket = called.connection->socket.get();
  zmq_disconnect(socket, called.address.c_str());
  zmq_connect(socket, called.address.c_str());
}

}  // namespace trestle::bus
