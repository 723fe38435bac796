#include "core/bus/zmq_transport.h"

#include <poll.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <utility>

#include "core/bus/peer_permissions.h"
#include "core/bus/zmq_endpoint.h"
#include "core/bus/zmq_transport_parts.h"

namespace trestle {
namespace {

constexpr int kDropsPerCall = 64;  // so that no flood holds a tick up
constexpr std::size_t kStrangersKept = 8;

}  // namespace

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
  if (bytes.empty() || peer < 0 || static_cast<std::size_t>(peer) >= line_of_.size())
    return false;
  const Connection& line = *line_of_[static_cast<std::size_t>(peer)];
  if (!line.names)
    return zmq_send(line.socket.get(), bytes.data(), bytes.size(), ZMQ_DONTWAIT) >= 0;
  // A caller may have sent only its id so far.
  if (side_ == Side::kListeningSite && caller_.empty() && !arrived_->there)
    arrived_->there = take();
  return send_to(
      side_ == Side::kIntegrator ? routes_[static_cast<std::size_t>(peer)] : caller_,
      bytes);
}

/// Fails if no peer of this id is connected, or without space. The line that names its
/// peers is the first.
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

/// With keys: returns true if the node may receive the message.
bool ZmqTransport::admit(ReceivedMessage& into) {
  if (arrived_->observer != nullptr) return admit_observer(into);
  asker_.clear();
  const auto* const hello = unverified_.kind == ReceivedMessage::Kind::kSession
                                ? std::get_if<Hello>(&unverified_.session)
                                : nullptr;
  if (hello != nullptr && side_ == Side::kIntegrator) {
    const std::string& name = peers_[static_cast<std::size_t>(unverified_.peer)];
    if (hello->site.name != name) {
      refuse("the key of site " + name + " says that it is site " +
             printable(hello->site.name) + "; refused");
      return false;
    }
  }
  std::swap(into, unverified_);
  return true;
}

/// A site receives an observer's messages only while no test runs; an observer never
/// becomes its peer.
bool ZmqTransport::admit_observer(ReceivedMessage& into) {
  if (!is_allowed_for_observer(unverified_)) {
    refuse("observer " + arrived_->observer->name + " sent " + message_kind(unverified_) +
           "; an observer cannot command");
    return false;
  }
  const bool beat = std::holds_alternative<Heartbeat>(unverified_.session);
  if (side_ != Side::kListeningSite || keep_ || beat) {
    dropped_ += beat ? 0U : 1U;
    if (!beat) let_wait(arrived_->sender.text());
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
    if (probe) continue;  // a connection without a message
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
    ++dropped_;
    if (side_ == Side::kIntegrator) remember_stranger(id);
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
    ++dropped_;
    if (side_ == Side::kIntegrator) remember_stranger(name);
  } else if (side_ == Side::kIntegrator) {
    if (const std::string_view said = name_in(id); said != name) {
      refuse("the key of site " + allowed->name + " speaks as site " + printable(said) +
             "; refused");
      return -1;
    }
    routes_[static_cast<std::size_t>(place)] = id.substr(0, kLongestName);
  }
  return place;
}

/// Returns the name of the last sender, by its key.
std::string ZmqTransport::sender_name() noexcept {
  const std::string_view proven = arrived_->content.property("User-Id");
  if (!proven.empty()) return std::string(proven);
  if (arrived_->peer < 0) return "somebody";
  return side_ == Side::kIntegrator ? peers_[static_cast<std::size_t>(arrived_->peer)]
                                    : "the integrator";
}

const AllowedPeer* ZmqTransport::allowed_named(std::string_view name) const noexcept {
  for (const AllowedPeer& peer : security_.peers)
    if (peer.name == name) return &peer;
  return nullptr;
}

int ZmqTransport::peer_named(std::string_view name) noexcept {
  for (std::size_t i = 0; i < peers_.size(); ++i)
    if (peers_[i] == name) return static_cast<int>(i);
  return -1;
}

/// 0: the peer of now; -1: another one, who has to wait.
int ZmqTransport::caller_named(std::string_view id) noexcept {
  if (id == caller_) return 0;
  const bool heard = !keep_ || caller_.empty();
  (heard ? caller_ : waiting_) = id.substr(0, kLongestName);
  if (!heard) let_wait(id);
  return heard ? 0 : -1;
}

/// Until it is answered between two ticks: on the step path it is only noted.
void ZmqTransport::let_wait(std::string_view id) noexcept {
  if (side_ != Side::kListeningSite || !keep_) return;
  const std::string_view name = id.substr(0, kLongestName);
  const auto end = waiting_ids_.begin() + static_cast<std::ptrdiff_t>(waiting_count_);
  if (end == waiting_ids_.end() || std::find(waiting_ids_.begin(), end, name) != end)
    return;
  *end = name;
  ++waiting_count_;
}

void ZmqTransport::answer_those_who_wait(const SessionMessage& message) {
  const std::span<const std::byte> bytes = codec_.encode(message);
  for (std::size_t i = 0; i < waiting_count_ && !bytes.empty(); ++i)
    if (waiting_ids_[i] != caller_) send_to(waiting_ids_[i], bytes);
  waiting_count_ = 0;
}

void ZmqTransport::lock_peer(bool keep) noexcept {
  if (keep == keep_) return;
  keep_ = keep;
  waiting_count_ = 0;
  if (!keep && gatekeeper_ != nullptr) gatekeeper_->parted();
  if (keep || waiting_.empty()) return;
  caller_ = waiting_;
  waiting_.clear();
}

void ZmqTransport::refuse(std::string text) noexcept {
  refusals_.refuse(std::move(text));
}

std::vector<ConnectionEvent> ZmqTransport::take_notices() {
  if (!refusals_.news()) return {};
  return refusals_.take(ConnectionLog::Steady::now());
}

void ZmqTransport::remember_stranger(std::string_view name) noexcept {
  if (strangers_.size() >= kStrangersKept) return;
  std::string clean = printable(name);
  if (std::ranges::find(strangers_, clean) == strangers_.end())
    strangers_.push_back(std::move(clean));
}

void ZmqTransport::wait(Duration timeout) noexcept {
  // The descriptors tell of changes only: look first, then sleep.
  if (arrived_->there || take()) return;
  using Steady = std::chrono::steady_clock;
  const Steady::time_point end = Steady::now() + std::max(timeout, Duration::zero());
  for (Duration left = timeout; left > Duration::zero(); left = end - Steady::now())
    if (!sleep(left) || take()) return;
}

/// @returns true if it is worth a look at the sockets
bool ZmqTransport::sleep(Duration timeout) noexcept {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  const std::timespec limit{.tv_sec = whole.count(), .tv_nsec = (timeout - whole).count()};
  const int ready = ppoll(events_.data(), events_.size(), &limit, nullptr);
  if (ready < 0) return errno == EINTR;
  for (std::size_t i = 0; i < others_; ++i)
    if (events_[events_.size() - 2 - i].revents != 0) return false;
  if (events_.back().revents == 0) return ready > 0;
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t bytes = read(wake_event_, &count, sizeof count);
  return false;
}

void ZmqTransport::add_wait_descriptor(int descriptor) {
  events_.insert(events_.end() - 1, {.fd = descriptor, .events = POLLIN, .revents = 0});
  ++others_;
}

void ZmqTransport::wake() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t bytes = write(wake_event_, &one, sizeof one);
}

}  // namespace trestle
