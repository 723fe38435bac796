#include "core/bus/zmq_transport.h"

#include <zmq.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/bus/peer_permissions.h"
#include "core/bus/zmq_connections.h"
#include "core/bus/zmq_endpoint.h"

namespace trestle::bus {
namespace {

constexpr int kDropsPerCall = 64;  // so that no flood holds a tick up

}  // namespace

/// The message that was taken last.
struct ZmqTransport::PendingMessage {
  bool there = false;  // not received yet
  PeerDirectory::Sender sender;
  ZmqMessage message;
};

std::unique_ptr<ZmqTransport> ZmqTransport::for_integrator(
    const IntegratorEndpoint& endpoint) {
  check_endpoint(endpoint);
  std::unique_ptr<ZmqTransport> transport(
      new ZmqTransport(BusSide::kIntegrator, endpoint.security));
  for (const auto& site : endpoint.sites) transport->peers_.add(site.name);
  transport->connections_->authenticate(endpoint.listen);
  if (transport->by_key_)
    transport->connect_curve(endpoint);
  else
    transport->connect_plain(endpoint);
  transport->connections_->begin(transport->poll_);
  return transport;
}

/// One ROUTER for all: a site is identified by the name it sends.
void ZmqTransport::connect_plain(const IntegratorEndpoint& endpoint) {
  ZmqConnection& line = connections_->add(ZMQ_ROUTER, -1);
  line.socket.option(ZMQ_ROUTING_ID, unique_id("integrator"));
  line.socket.option(ZMQ_PROBE_ROUTER, 1);  // a listening site learns who calls
  connections_->watch(line, "");
  if (!endpoint.listen.empty()) line.socket.listen(endpoint.listen);
  bound_endpoint_ = line.socket.bound_endpoint();
  for (std::size_t i = 0; i < endpoint.sites.size(); ++i) {
    peers_[i].connection = &line;
    peers_[i].id = endpoint.sites[i].name;
    const std::string& address = endpoint.sites[i].address;
    if (address.empty()) continue;
    line.socket.call(address, "");
    called_.add(i, line, peers_[i].id, address);
  }
}

/// A ROUTER for those who call in, told apart by their keys; for each site that is called
/// a separate socket, so that no site can speak in another's place.
void ZmqTransport::connect_curve(const IntegratorEndpoint& endpoint) {
  ZmqConnection* called = nullptr;
  if (!endpoint.listen.empty()) {
    called = &connections_->add(ZMQ_ROUTER, -1);
    connections_->watch(*called, "");
  }
  std::vector<ZmqConnection*> lines(endpoint.sites.size(), called);
  for (std::size_t i = 0; i < endpoint.sites.size(); ++i) {
    const IntegratorEndpoint::Site& site = endpoint.sites[i];
    peers_[i].connection = called;
    if (site.address.empty()) continue;
    ZmqConnection& line = connections_->add(ZMQ_DEALER, static_cast<int>(i));
    line.socket.option(ZMQ_ROUTING_ID, unique_id("integrator"));
    line.socket.option(ZMQ_PROBE_ROUTER, 1);
    connections_->watch(line, "site " + site.name + " (" + site.address + ")");
    peers_[i].connection = lines[i] = &line;
  }
  if (called != nullptr) {
    called->socket.listen(endpoint.listen);
    bound_endpoint_ = called->socket.bound_endpoint();
  }
  for (std::size_t i = 0; i < endpoint.sites.size(); ++i) {
    const IntegratorEndpoint::Site& site = endpoint.sites[i];
    if (site.address.empty()) continue;
    lines[i]->socket.call(site.address, site.public_key);
    called_.add(i, *lines[i], site.name, site.address);
  }
}

std::unique_ptr<ZmqTransport> ZmqTransport::for_site(const SiteEndpoint& endpoint) {
  check_endpoint(endpoint);
  const bool listens = !endpoint.listen.empty();
  std::unique_ptr<ZmqTransport> transport(new ZmqTransport(
      listens ? BusSide::kListeningSite : BusSide::kCallingSite, endpoint.security));
  const bool by_key = transport->by_key_;
  ZmqConnections& connections = *transport->connections_;
  connections.authenticate(endpoint.listen);
  ZmqConnection& line =
      connections.add(listens ? ZMQ_ROUTER : ZMQ_DEALER, listens ? -1 : 0);
  transport->peers_.add("").connection = &line;
  // By key nobody can take a place whose id he cannot guess.
  line.socket.option(ZMQ_ROUTING_ID, by_key ? unique_id(endpoint.name) : endpoint.name);
  connections.watch(line, listens ? "" : "the integrator (" + endpoint.integrator + ")");
  connections.begin(transport->poll_);
  if (listens) line.socket.listen(endpoint.listen);
  transport->bound_endpoint_ = line.socket.bound_endpoint();
  if (!listens) line.socket.call(endpoint.integrator, endpoint.integrator_key);
  return transport;
}

ZmqTransport::ZmqTransport(BusSide side, const BusSecurity& security)
    : side_(side),
      security_(security),
      by_key_(!security.secret_key.empty()),
      peers_(side, security_, refusals_),
      connections_(std::make_unique<ZmqConnections>(security_, refusals_)),
      arrived_(std::make_unique<PendingMessage>()) {
  asker_.reserve(kLongestName);
  if (security_.insecure)
    refusals_.warn(
        "this end of the bus is insecure (security.insecure): any program that reaches it "
        "may command, unproven");
}

ZmqTransport::~ZmqTransport() = default;

bool ZmqTransport::send(int peer, const StepCommand& message) noexcept {
  const std::span<const std::byte> bytes = codec_.encode(message);
  if (clock_ != nullptr) handed_on_ = clock_->now();
  return send(peer, bytes);
}

bool ZmqTransport::send(int peer, const StepResponse& message) noexcept {
  return send(peer, codec_.encode(message));
}

bool ZmqTransport::send(int peer, const SessionMessage& message) {
  const std::span<const std::byte> bytes = codec_.encode(message);
  const bool answer = std::holds_alternative<StatusReply>(message) ||
                      std::holds_alternative<RecordChunk>(message) ||
                      std::holds_alternative<Rejection>(message);
  if (!asker_.empty() && answer && peer == 0 && !bytes.empty())
    return connections_->send_to(asker_, bytes);
  return send(peer, bytes);
}

bool ZmqTransport::send(int peer, std::span<const std::byte> bytes) noexcept {
  if (bytes.empty() || peer < 0 || static_cast<std::size_t>(peer) >= peers_.size())
    return false;
  const PeerDirectory::Route& route = peers_[static_cast<std::size_t>(peer)];
  if (!route.connection->names) return ZmqConnections::send(*route.connection, bytes);
  // Who called may have said no more than its id so far.
  if (side_ == BusSide::kListeningSite && peers_.caller().id().empty() && !arrived_->there)
    arrived_->there = take();
  return connections_->send_to(
      side_ == BusSide::kIntegrator ? route.id : peers_.caller().id(), bytes);
}

bool ZmqTransport::receive(ReceivedMessage& into) {
  for (int drops = 0; drops < kDropsPerCall; ++drops) {
    if (!arrived_->there && !take()) return false;
    arrived_->there = false;
    ReceivedMessage& room = by_key_ ? unverified_ : into;
    room.peer = arrived_->sender.peer;
    if (arrived_->message.several_frames) {
      room.kind = ReceivedMessage::Kind::kMalformed;
      room.problem = "a message of several frames";
    } else {
      codec_.decode(arrived_->message.content.bytes(), room);  // says kMalformed by itself
    }
    if (!by_key_ || admit(into)) return true;
  }
  return false;
}

/// By key: whether the node may hear what was overheard.
bool ZmqTransport::admit(ReceivedMessage& into) {
  if (arrived_->sender.observer != nullptr) return admit_observer(into);
  asker_.clear();
  const auto* const hello = unverified_.kind == ReceivedMessage::Kind::kSession
                                ? std::get_if<Hello>(&unverified_.session)
                                : nullptr;
  if (hello != nullptr && side_ == BusSide::kIntegrator) {
    const std::string& name = peers_[static_cast<std::size_t>(unverified_.peer)].name;
    if (hello->site.name != name) {
      refusals_.refuse("the key of site " + name + " says that it is site " +
                       printable(hello->site.name) + "; refused");
      return false;
    }
  }
  std::swap(into, unverified_);
  return true;
}

/// An observer is heard by a site with no test going on, and never becomes its peer.
bool ZmqTransport::admit_observer(ReceivedMessage& into) {
  if (!is_allowed_for_observer(unverified_)) {
    refusals_.refuse("observer " + arrived_->sender.observer->name + " sent " +
                     message_kind(unverified_) + "; an observer cannot command");
    return false;
  }
  const bool beat = std::holds_alternative<Heartbeat>(unverified_.session);
  const bool listens = side_ == BusSide::kListeningSite;
  if (!listens || peers_.caller().locked() || beat) {
    if (beat) return false;
    peers_.unknown().count();
    if (listens) peers_.caller().let_wait(arrived_->message.sender.text());
    return false;
  }
  asker_ = arrived_->message.sender.text().substr(0, kLongestName);
  std::swap(into, unverified_);
  return true;
}

bool ZmqTransport::take() noexcept {
  for (int drops = 0; drops < kDropsPerCall; ++drops) {
    ZmqMessage& message = arrived_->message;
    const ZmqConnection* const from = connections_->take(message);
    if (from == nullptr) return false;
    arrived_->sender = peers_.identify(message, *from);
    if (arrived_->sender.peer < 0) continue;
    called_.heard(static_cast<std::size_t>(arrived_->sender.peer));
    const bool probe = side_ != BusSide::kIntegrator && !message.several_frames &&
                       message.content.bytes().empty();
    if (probe) continue;  // somebody's hand, without a word
    arrived_->there = true;
    return true;
  }
  return false;
}

void ZmqTransport::answer_those_who_wait(const SessionMessage& message) {
  const std::span<const std::byte> bytes = codec_.encode(message);
  ListeningPeer& caller = peers_.caller();
  for (const std::string& id : caller.waiting())
    if (!bytes.empty() && id != caller.id()) connections_->send_to(id, bytes);
  caller.forget_waiting();
}

void ZmqTransport::lock_peer(bool keep) noexcept {
  if (peers_.caller().lock(keep) && !keep) connections_->stop_expecting_peer();
}

std::vector<ConnectionEvent> ZmqTransport::take_notices() {
  if (!refusals_.news()) return {};
  return refusals_.take(ConnectionLog::Steady::now());
}

void ZmqTransport::wait(Duration timeout) noexcept {
  // The descriptors tell of changes only: look first, then sleep.
  if (arrived_->there || take()) return;
  using Steady = std::chrono::steady_clock;
  const Steady::time_point now = Steady::now();
  called_.attend(now);
  const Steady::time_point end = now + std::max(timeout, Duration::zero());
  for (Duration left = timeout; left > Duration::zero(); left = end - Steady::now())
    if (!poll_.sleep(left) || take()) return;
}

}  // namespace trestle::bus
