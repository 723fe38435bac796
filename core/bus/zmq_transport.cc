#include "core/bus/zmq_transport.h"

#include <zmq.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/bus/curve_authenticator.h"
#include "core/bus/peer_permissions.h"
#include "core/bus/zmq_endpoint.h"
#include "core/bus/zmq_transport_parts.h"

namespace trestle {
namespace {

constexpr int kDropsPerCall = 64;  // so that no flood holds a tick up

}  // namespace

std::unique_ptr<ZmqTransport> ZmqTransport::for_integrator(
    const IntegratorEndpoint& endpoint) {
  check_endpoint(endpoint);
  std::unique_ptr<ZmqTransport> transport(
      new ZmqTransport(Side::kIntegrator, endpoint.security));
  for (const auto& site : endpoint.sites) {
    transport->routes_.push_back({.name = site.name, .id = {}});
    transport->routes_.back().id.reserve(kLongestName);
  }
  transport->watch_connections(endpoint.listen);
  if (transport->by_key_)
    transport->connect_curve(endpoint);
  else
    transport->connect_plain(endpoint);
  transport->begin();
  return transport;
}

/// One ROUTER for all: a site is whoever says its name.
void ZmqTransport::connect_plain(const IntegratorEndpoint& endpoint) {
  Connection& line = add_line(ZMQ_ROUTER, -1, false);
  line.socket.option(ZMQ_ROUTING_ID, unique_id("integrator"));
  line.socket.option(ZMQ_PROBE_ROUTER, 1);  // a listening site learns who calls
  if (gatekeeper_ != nullptr) gatekeeper_->watch(line.socket.get(), "");
  if (!endpoint.listen.empty()) line.socket.listen(endpoint.listen);
  bound_endpoint_ = line.socket.bound_endpoint();
  for (std::size_t i = 0; i < endpoint.sites.size(); ++i) {
    routes_[i].line = &line;
    routes_[i].id = endpoint.sites[i].name;
    if (!endpoint.sites[i].address.empty()) line.socket.call(endpoint.sites[i].address, "");
  }
}

/// A ROUTER for those who call in, told apart by their keys; for each site that is called
/// a socket of its own, so that no site can speak in another's place.
void ZmqTransport::connect_curve(const IntegratorEndpoint& endpoint) {
  Connection* called = nullptr;
  if (!endpoint.listen.empty()) {
    called = &add_line(ZMQ_ROUTER, -1, true);
    gatekeeper_->watch(called->socket.get(), "");
  }
  for (std::size_t i = 0; i < endpoint.sites.size(); ++i) {
    const IntegratorEndpoint::Site& site = endpoint.sites[i];
    routes_[i].line = called;
    if (site.address.empty()) continue;
    Connection& line = add_line(ZMQ_DEALER, static_cast<int>(i), false);
    line.socket.option(ZMQ_ROUTING_ID, unique_id("integrator"));
    line.socket.option(ZMQ_PROBE_ROUTER, 1);
    gatekeeper_->watch(line.socket.get(), "site " + site.name + " (" + site.address + ")");
    routes_[i].line = &line;
  }
  if (called != nullptr) {
    called->socket.listen(endpoint.listen);
    bound_endpoint_ = called->socket.bound_endpoint();
  }
  for (std::size_t i = 0; i < endpoint.sites.size(); ++i)
    if (!endpoint.sites[i].address.empty())
      routes_[i].line->socket.call(endpoint.sites[i].address, endpoint.sites[i].public_key);
}

std::unique_ptr<ZmqTransport> ZmqTransport::for_site(const SiteEndpoint& endpoint) {
  check_endpoint(endpoint);
  const bool listens = !endpoint.listen.empty();
  std::unique_ptr<ZmqTransport> transport(new ZmqTransport(
      listens ? Side::kListeningSite : Side::kCallingSite, endpoint.security));
  const bool by_key = transport->by_key_;
  transport->watch_connections(endpoint.listen);
  Connection& line =
      transport->add_line(listens ? ZMQ_ROUTER : ZMQ_DEALER, listens ? -1 : 0, listens);
  transport->routes_.push_back({.name = {}, .id = {}, .line = &line});
  // By key nobody can take a place whose id he cannot guess.
  line.socket.option(ZMQ_ROUTING_ID, by_key ? unique_id(endpoint.name) : endpoint.name);
  if (transport->gatekeeper_ != nullptr)
    transport->gatekeeper_->watch(
        line.socket.get(), listens ? "" : "the integrator (" + endpoint.integrator + ")");
  transport->begin();
  if (listens) line.socket.listen(endpoint.listen);
  transport->bound_endpoint_ = line.socket.bound_endpoint();
  if (!listens) line.socket.call(endpoint.integrator, endpoint.integrator_key);
  return transport;
}

ZmqTransport::ZmqTransport(Side side, const BusSecurity& security)
    : side_(side),
      security_(security),
      by_key_(!security.secret_key.empty()),
      context_(zmq_ctx_new(), zmq_ctx_term),
      arrived_(std::make_unique<PendingMessage>()) {
  asker_.reserve(kLongestName);
  if (security_.insecure)
    refusals_.warn(
        "this end of the bus is insecure (security.insecure): whoever reaches it "
        "may command, unproven");
}

ZmqTransport::~ZmqTransport() {
  lines_.clear();
  gatekeeper_.reset();
}

ZmqTransport::Connection& ZmqTransport::add_line(int type, int peer, bool listens) {
  lines_.push_back(std::make_unique<Connection>(Connection{
      ZmqSocket(context_.get(), type, security_), peer, type == ZMQ_ROUTER, listens}));
  return *lines_.back();
}

/// Also a plain end that other machines may reach says who was cut off.
void ZmqTransport::watch_connections(const std::string& listen) {
  if (by_key_ || listen.starts_with("tcp://"))
    gatekeeper_ =
        std::make_unique<CurveAuthenticator>(context_.get(), security_, refusals_);
}

void ZmqTransport::begin() {
  if (gatekeeper_ != nullptr) gatekeeper_->begin();
  std::vector<int> sockets;
  for (const auto& line : lines_) sockets.push_back(line->socket.event());
  poll_.open(sockets);
}

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
    return send_to(asker_, bytes);
  return send(peer, bytes);
}

bool ZmqTransport::send(int peer, std::span<const std::byte> bytes) noexcept {
  if (bytes.empty() || peer < 0 || static_cast<std::size_t>(peer) >= routes_.size())
    return false;
  const Route& route = routes_[static_cast<std::size_t>(peer)];
  const Connection& line = *route.line;
  if (!line.names)
    return zmq_send(line.socket.get(), bytes.data(), bytes.size(), ZMQ_DONTWAIT) >= 0;
  // Who called may have said no more than its id so far.
  if (side_ == Side::kListeningSite && caller_.id().empty() && !arrived_->there)
    arrived_->there = take();
  return send_to(side_ == Side::kIntegrator ? route.id : caller_.id(), bytes);
}

/// Fails where there is no route (nobody of this id is connected) or no room. The line that
/// names its peers is the first.
bool ZmqTransport::send_to(std::string_view id, std::span<const std::byte> bytes) noexcept {
  void* const socket = lines_.front()->socket.get();
  return !id.empty() &&
         zmq_send(socket, id.data(), id.size(), ZMQ_DONTWAIT | ZMQ_SNDMORE) >= 0 &&
         zmq_send(socket, bytes.data(), bytes.size(), ZMQ_DONTWAIT) >= 0;
}

bool ZmqTransport::receive(ReceivedMessage& into) {
  for (int drops = 0; drops < kDropsPerCall; ++drops) {
    if (!arrived_->there && !take()) return false;
    arrived_->there = false;
    ReceivedMessage& room = by_key_ ? unverified_ : into;
    room.peer = arrived_->peer;
    if (arrived_->several_frames) {
      room.kind = ReceivedMessage::Kind::kMalformed;
      room.problem = "a message of several frames";
    } else {
      codec_.decode(arrived_->content.bytes(), room);  // says kMalformed by itself
    }
    if (!by_key_ || admit(into)) return true;
  }
  return false;
}

/// By key: whether the node may hear what was overheard.
bool ZmqTransport::admit(ReceivedMessage& into) {
  if (arrived_->observer != nullptr) return admit_observer(into);
  asker_.clear();
  const auto* const hello = unverified_.kind == ReceivedMessage::Kind::kSession
                                ? std::get_if<Hello>(&unverified_.session)
                                : nullptr;
  if (hello != nullptr && side_ == Side::kIntegrator) {
    const std::string& name = routes_[static_cast<std::size_t>(unverified_.peer)].name;
    if (hello->site.name != name) {
      refuse("the key of site " + name + " says that it is site " +
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
    refuse("observer " + arrived_->observer->name + " sent " + message_kind(unverified_) +
           "; an observer cannot command");
    return false;
  }
  const bool beat = std::holds_alternative<Heartbeat>(unverified_.session);
  if (side_ != Side::kListeningSite || caller_.locked() || beat) {
    if (beat) return false;
    unknown_.count();
    if (side_ == Side::kListeningSite) caller_.let_wait(arrived_->sender.text());
    return false;
  }
  asker_ = arrived_->sender.text().substr(0, kLongestName);
  std::swap(into, unverified_);
  return true;
}

bool ZmqTransport::take() noexcept {
  for (int drops = 0; drops < kDropsPerCall; ++drops) {
    if (!take_frames()) return false;
    if (arrived_->peer < 0) continue;
    const bool probe = side_ != Side::kIntegrator && !arrived_->several_frames &&
                       arrived_->content.bytes().empty();
    if (probe) continue;  // somebody's hand, without a word
    arrived_->there = true;
    return true;
  }
  return false;
}

/// One message off the sockets, each in its turn, its sender's place looked up.
bool ZmqTransport::take_frames() noexcept {
  for (std::size_t n = 0; n < lines_.size(); ++n) {
    Connection& line = *lines_[turn_];
    turn_ = turn_ + 1 < lines_.size() ? turn_ + 1 : 0;
    if (take_frames_of(line)) return true;
  }
  return false;
}

bool ZmqTransport::take_frames_of(Connection& line) noexcept {
  void* const socket = line.socket.get();
  if (line.names && !arrived_->sender.receive(socket)) return false;
  // The frames of one message arrive together: what follows is there.
  if (!arrived_->content.receive(socket)) return false;
  arrived_->several_frames = arrived_->content.more();
  for (bool more = arrived_->several_frames; more;) {
    ZmqFrame rest;
    more = rest.receive(socket) && rest.more();
  }
  arrived_->observer = nullptr;
  arrived_->peer = line.peer;
  if (by_key_ && arrived_->content.bytes().size() > kMaxMessageBytes) {
    refuse(sender_name() + " sent " + std::to_string(arrived_->content.bytes().size()) +
           " bytes; at most " + std::to_string(kMaxMessageBytes) + " are one message");
    arrived_->peer = -1;
  } else {
    arrived_->peer = sender_of(line);
  }
  return true;
}

/// The sender's place; -1: a stranger, or one who has to wait.
int ZmqTransport::sender_of(const Connection& line) noexcept {
  if (!line.names) return line.peer;
  const std::string_view id = arrived_->sender.text();
  if (by_key_) return sender_by_key(id);
  const int place = side_ == Side::kIntegrator ? peer_named(id) : caller_named(id);
  if (place < 0) {
    unknown_.count();
    if (side_ == Side::kIntegrator) unknown_.remember(id);
  }
  return place;
}

int ZmqTransport::sender_by_key(std::string_view id) noexcept {
  const std::string_view name = arrived_->content.property("User-Id");
  const AllowedPeer* const allowed = allowed_named(name);
  if (allowed == nullptr) {
    refuse("a message came whose sender nobody has proven; dropped");
    return -1;
  }
  if (allowed->role == PeerRole::kObserver) {
    arrived_->observer = allowed;
    return 0;
  }
  const int place = side_ == Side::kIntegrator ? peer_named(name) : caller_named(id);
  if (place < 0) {
    unknown_.count();
    if (side_ == Side::kIntegrator) unknown_.remember(name);
  } else if (side_ == Side::kIntegrator) {
    if (const std::string_view said = name_in(id); said != name) {
      refuse("the key of site " + allowed->name + " speaks as site " + printable(said) +
             "; refused");
      return -1;
    }
    routes_[static_cast<std::size_t>(place)].id = id.substr(0, kLongestName);
  }
  return place;
}

/// Of what arrived last, by key.
std::string ZmqTransport::sender_name() noexcept {
  const std::string_view proven = arrived_->content.property("User-Id");
  if (!proven.empty()) return std::string(proven);
  if (arrived_->peer < 0) return "somebody";
  return side_ == Side::kIntegrator ? routes_[static_cast<std::size_t>(arrived_->peer)].name
                                    : "the integrator";
}

const AllowedPeer* ZmqTransport::allowed_named(std::string_view name) const noexcept {
  for (const AllowedPeer& peer : security_.peers)
    if (peer.name == name) return &peer;
  return nullptr;
}

int ZmqTransport::peer_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < routes_.size(); ++i)
    if (routes_[i].name == name) return static_cast<int>(i);
  return -1;
}

/// 0: the peer of now; -1: another one, who has to wait.
int ZmqTransport::caller_named(std::string_view id) noexcept {
  if (caller_.hear(id)) return 0;
  if (side_ == Side::kListeningSite) caller_.let_wait(id);
  return -1;
}

void ZmqTransport::answer_those_who_wait(const SessionMessage& message) {
  const std::span<const std::byte> bytes = codec_.encode(message);
  for (const std::string& id : caller_.waiting())
    if (!bytes.empty() && id != caller_.id()) send_to(id, bytes);
  caller_.forget_waiting();
}

void ZmqTransport::lock_peer(bool keep) noexcept {
  if (caller_.lock(keep) && !keep && gatekeeper_ != nullptr) gatekeeper_->parted();
}

void ZmqTransport::refuse(std::string text) noexcept {
  refusals_.refuse(std::move(text));
}

std::vector<ConnectionEvent> ZmqTransport::take_notices() {
  if (!refusals_.news()) return {};
  return refusals_.take(ConnectionLog::Steady::now());
}

void ZmqTransport::wait(Duration timeout) noexcept {
  // The descriptors tell of changes only: look first, then sleep.
  if (arrived_->there || take()) return;
  using Steady = std::chrono::steady_clock;
  const Steady::time_point end = Steady::now() + std::max(timeout, Duration::zero());
  for (Duration left = timeout; left > Duration::zero(); left = end - Steady::now())
    if (!poll_.sleep(left) || take()) return;
}

}  // namespace trestle
