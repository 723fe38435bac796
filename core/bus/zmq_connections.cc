#include "core/bus/zmq_connections.h"

#include <zmq.h>

#include "core/bus/curve_authenticator.h"

namespace trestle::bus {

ZmqConnections::ZmqConnections(const BusSecurity& security, ConnectionLog& log)
    : security_(security), log_(log), context_(zmq_ctx_new(), zmq_ctx_term) {}

ZmqConnections::~ZmqConnections() {
  connections_.clear();
  authenticator_.reset();
}

void ZmqConnections::authenticate(const std::string& listen) {
  if (!security_.secret_key.empty() || listen.starts_with("tcp://"))
    authenticator_ = std::make_unique<CurveAuthenticator>(context_.get(), security_, log_);
}

ZmqConnection& ZmqConnections::add(int type, int peer) {
  connections_.push_back(std::make_unique<ZmqConnection>(
      ZmqConnection{ZmqSocket(context_.get(), type, security_), peer, type == ZMQ_ROUTER}));
  return *connections_.back();
}

void ZmqConnections::watch(const ZmqConnection& connection, const std::string& peer_name) {
  if (authenticator_ != nullptr) authenticator_->watch(connection.socket.get(), peer_name);
}

void ZmqConnections::begin(WakeablePoll& poll) {
  if (authenticator_ != nullptr) authenticator_->begin();
  std::vector<int> sockets;
  for (const auto& connection : connections_) sockets.push_back(connection->socket.event());
  poll.open(sockets);
}

const ZmqConnection* ZmqConnections::take(ZmqMessage& into) noexcept {
  for (std::size_t n = 0; n < connections_.size(); ++n) {
    const ZmqConnection& connection = *connections_[turn_];
    turn_ = turn_ + 1 < connections_.size() ? turn_ + 1 : 0;
    if (take_from(connection, into)) return &connection;
  }
  return nullptr;
}

bool ZmqConnections::take_from(const ZmqConnection& connection, ZmqMessage& into) noexcept {
  void* const socket = connection.socket.get();
  if (connection.names && !into.sender.receive(socket)) return false;
  // The frames of one message arrive together: what follows is there.
  if (!into.content.receive(socket)) return false;
  into.several_frames = into.content.more();
  for (bool more = into.several_frames; more;) {
    ZmqFrame rest;
    more = rest.receive(socket) && rest.more();
  }
  return true;
}

bool ZmqConnections::send(const ZmqConnection& connection,
                          std::span<const std::byte> bytes) noexcept {
  return zmq_send(connection.socket.get(), bytes.data(), bytes.size(), ZMQ_DONTWAIT) >= 0;
}

bool ZmqConnections::send_to(std::string_view id,
                             std::span<const std::byte> bytes) noexcept {
  void* const socket = connections_.front()->socket.get();
  return !id.empty() &&
         zmq_send(socket, id.data(), id.size(), ZMQ_DONTWAIT | ZMQ_SNDMORE) >= 0 &&
         zmq_send(socket, bytes.data(), bytes.size(), ZMQ_DONTWAIT) >= 0;
}

void ZmqConnections::stop_expecting_peer() noexcept {
  if (authenticator_ != nullptr) authenticator_->parted();
}

}  // namespace trestle::bus
