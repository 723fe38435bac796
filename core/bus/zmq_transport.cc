#include "core/bus/zmq_transport.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <random>
#include <stdexcept>
#include <utility>

namespace trestle {
namespace {

constexpr int kQueueLength = 128;        // messages per peer and direction
constexpr int kReconnectFirst = 10;      // [ms]
constexpr int kReconnectLongest = 1000;  // [ms]
constexpr int kHandshakeLongest = 5000;  // [ms]
constexpr int kDropsPerCall = 64;        // so that no flood holds a tick up
constexpr std::size_t kStrangersKept = 8;
constexpr std::size_t kLongestName = 255;  // ZMQ's bound of a routing id

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + zmq_strerror(zmq_errno()));
}

/// A frame that is closed whatever happens.
class Frame {
 public:
  Frame() noexcept { zmq_msg_init(&message_); }
  ~Frame() { zmq_msg_close(&message_); }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  bool receive(void* socket) noexcept {
    return zmq_msg_recv(&message_, socket, ZMQ_DONTWAIT) >= 0;
  }
  bool more() const noexcept { return zmq_msg_more(&message_) != 0; }
  std::span<const std::byte> bytes() noexcept {
    return {static_cast<const std::byte*>(zmq_msg_data(&message_)),
            zmq_msg_size(&message_)};
  }
  std::string_view text() noexcept {
    return {static_cast<const char*>(zmq_msg_data(&message_)), zmq_msg_size(&message_)};
  }

 private:
  zmq_msg_t message_;
};

/// ZeroMQ would take the path of another process's ipc socket away without a word.
bool somebody_listens(const std::string& address) {
  constexpr std::string_view kScheme = "ipc://";
  sockaddr_un path{};
  path.sun_family = AF_UNIX;
  const std::string name =
      address.starts_with(kScheme) ? address.substr(kScheme.size()) : "";
  if (name.empty() || name.front() == '@' || name.size() >= sizeof path.sun_path)
    return false;
  name.copy(path.sun_path, name.size());
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool answered =
      connect(probe, reinterpret_cast<const sockaddr*>(&path), sizeof path) == 0;
  close(probe);
  return answered;
}

/// Tells one integrator from another for as long as a site may remember it.
std::string unique_id() {
  std::random_device random;
  std::string id = "integrator-";
  for (int i = 0; i < 4; ++i) id += std::to_string(random()) + "-";
  return id;
}

void check_name(const std::string& name) {
  if (name.empty() || name.size() > kLongestName || name.front() == '\0')
    throw std::runtime_error("site name \"" + name +
                             "\" cannot travel; it needs 1 to 255 bytes");
}

}  // namespace

struct ZmqTransport::Arrived {
  bool there = false;
  bool several_frames = false;
  int peer = 0;
  Frame sender;
  Frame content;
};

std::unique_ptr<ZmqTransport> ZmqTransport::for_integrator(
    const IntegratorEndpoint& endpoint) {
  std::vector<std::string> names;
  for (const auto& site : endpoint.sites) {
    check_name(site.name);
    if (std::ranges::find(names, site.name) != names.end())
      throw std::runtime_error("two sites are named " + site.name + "; names are unique");
    if (site.address.empty() && endpoint.listen.empty())
      throw std::runtime_error("site " + site.name +
                               " has no address, and nobody listens for its call");
    names.push_back(site.name);
  }
  std::unique_ptr<ZmqTransport> transport(
      new ZmqTransport(Side::kIntegrator, std::move(names)));
  transport->name_socket(unique_id());
  transport->option(ZMQ_PROBE_ROUTER, 1);  // a listening site learns who calls
  if (!endpoint.listen.empty()) transport->listen(endpoint.listen);
  for (const auto& site : endpoint.sites)
    if (!site.address.empty()) transport->call(site.address);
  return transport;
}

std::unique_ptr<ZmqTransport> ZmqTransport::for_site(const SiteEndpoint& endpoint) {
  check_name(endpoint.name);
  if (endpoint.listen.empty() == endpoint.integrator.empty())
    throw std::runtime_error("site " + endpoint.name +
                             " needs exactly one of `listen` and `integrator`");
  std::unique_ptr<ZmqTransport> transport(new ZmqTransport(
      endpoint.listen.empty() ? Side::kCallingSite : Side::kListeningSite, {}));
  transport->name_socket(endpoint.name);
  if (!endpoint.listen.empty()) transport->listen(endpoint.listen);
  if (!endpoint.integrator.empty()) transport->call(endpoint.integrator);
  return transport;
}

ZmqTransport::ZmqTransport(Side side, std::vector<std::string> peers)
    : side_(side),
      peers_(std::move(peers)),
      context_(zmq_ctx_new(), zmq_ctx_term),
      socket_(
          zmq_socket(context_.get(), side == Side::kCallingSite ? ZMQ_DEALER : ZMQ_ROUTER),
          zmq_close),
      arrived_(std::make_unique<Arrived>()) {
  if (socket_ == nullptr) fail("ZeroMQ gives no socket");
  if (side != Side::kCallingSite) {
    option(ZMQ_ROUTER_MANDATORY, 1);
    option(ZMQ_ROUTER_HANDOVER, 1);
  }
  caller_.reserve(kLongestName);
  waiting_.reserve(kLongestName);
  option(ZMQ_SNDHWM, kQueueLength);
  option(ZMQ_RCVHWM, kQueueLength);
  option(ZMQ_LINGER, 0);
  option(ZMQ_IMMEDIATE, 1);  // what nobody is there to take is not kept until it is stale
  option(ZMQ_IPV6, 0);
  option(ZMQ_RECONNECT_IVL, kReconnectFirst);
  option(ZMQ_RECONNECT_IVL_MAX, kReconnectLongest);
  option(ZMQ_HANDSHAKE_IVL, kHandshakeLongest);
  const auto longest = static_cast<std::int64_t>(kMaxMessageBytes);
  if (zmq_setsockopt(socket_.get(), ZMQ_MAXMSGSIZE, &longest, sizeof longest) != 0)
    fail("ZeroMQ refuses a largest message");
  std::size_t size = sizeof socket_event_;
  if (zmq_getsockopt(socket_.get(), ZMQ_FD, &socket_event_, &size) != 0)
    fail("ZeroMQ gives no descriptor to wait for");
  wake_event_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);  // last: nothing after it throws
  if (wake_event_ < 0) fail("no descriptor to be woken by");
}

ZmqTransport::~ZmqTransport() {
  close(wake_event_);
}

void ZmqTransport::option(int name, int value) {
  if (zmq_setsockopt(socket_.get(), name, &value, sizeof value) != 0)
    fail("ZeroMQ refuses option " + std::to_string(name));
}

void ZmqTransport::name_socket(const std::string& name) {
  if (zmq_setsockopt(socket_.get(), ZMQ_ROUTING_ID, name.data(), name.size()) != 0)
    fail("site name " + name);
}

void ZmqTransport::listen(const std::string& address) {
  if (somebody_listens(address))
    throw std::runtime_error("cannot listen at " + address + ": another process does");
  if (zmq_bind(socket_.get(), address.c_str()) != 0) fail("cannot listen at " + address);
  std::array<char, 512> text{};
  std::size_t size = text.size();
  if (zmq_getsockopt(socket_.get(), ZMQ_LAST_ENDPOINT, text.data(), &size) != 0)
    fail("cannot tell where " + address + " listens");
  bound_endpoint_ = text.data();
}

void ZmqTransport::call(const std::string& address) {
  if (zmq_connect(socket_.get(), address.c_str()) != 0) fail("cannot call " + address);
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
  return send(peer, codec_.encode(message));
}

bool ZmqTransport::send(int peer, std::span<const std::byte> bytes) noexcept {
  const int peers = side_ == Side::kIntegrator ? static_cast<int>(peers_.size()) : 1;
  if (bytes.empty() || peer < 0 || peer >= peers) return false;
  if (side_ != Side::kCallingSite) {
    // Who called may have said no more than its id so far.
    if (side_ == Side::kListeningSite && caller_.empty() && !arrived_->there)
      arrived_->there = take();
    const std::string& name =
        side_ == Side::kIntegrator ? peers_[static_cast<std::size_t>(peer)] : caller_;
    // Fails where there is no route (nobody of this name is connected) or no room.
    if (name.empty() ||
        zmq_send(socket_.get(), name.data(), name.size(), ZMQ_DONTWAIT | ZMQ_SNDMORE) < 0)
      return false;
  }
  return zmq_send(socket_.get(), bytes.data(), bytes.size(), ZMQ_DONTWAIT) >= 0;
}

bool ZmqTransport::receive(Incoming& into) {
  if (!arrived_->there && !take()) return false;
  arrived_->there = false;
  into.peer = arrived_->peer;
  if (arrived_->several_frames) {
    into.kind = Incoming::Kind::kMalformed;
    into.problem = "a message of several frames";
  } else {
    codec_.decode(arrived_->content.bytes(), into);  // says kMalformed by itself
  }
  return true;
}

bool ZmqTransport::take() noexcept {
  for (int drops = 0; drops < kDropsPerCall; ++drops) {
    if (!take_frames()) return false;
    const bool probe = side_ != Side::kIntegrator && !arrived_->several_frames &&
                       arrived_->content.bytes().empty();
    if (arrived_->peer >= 0 && probe) continue;  // somebody's hand, without a word
    if (arrived_->peer >= 0) {
      arrived_->there = true;
      return true;
    }
    ++dropped_;
    remember_stranger(arrived_->sender.text());
  }
  return false;
}

/// One message off the socket, its sender's place looked up; -1: a stranger's.
bool ZmqTransport::take_frames() noexcept {
  arrived_->peer = 0;
  if (side_ != Side::kCallingSite) {
    if (!arrived_->sender.receive(socket_.get())) return false;
    const std::string_view sender = arrived_->sender.text();
    arrived_->peer = side_ == Side::kIntegrator ? peer_named(sender) : caller_named(sender);
  }
  // The frames of one message arrive together: what follows is there.
  if (!arrived_->content.receive(socket_.get())) return false;
  arrived_->several_frames = arrived_->content.more();
  for (bool more = arrived_->several_frames; more;) {
    Frame rest;
    more = rest.receive(socket_.get()) && rest.more();
  }
  return true;
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
  return heard ? 0 : -1;
}

void ZmqTransport::keep_peer(bool keep) noexcept {
  if (keep == keep_) return;
  keep_ = keep;
  if (keep || waiting_.empty()) return;
  caller_ = waiting_;
  waiting_.clear();
}

void ZmqTransport::remember_stranger(std::string_view name) noexcept {
  if (strangers_.size() >= kStrangersKept) return;
  std::string printable(name.substr(0, 40));
  for (char& c : printable)
    if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
  if (std::ranges::find(strangers_, printable) == strangers_.end())
    strangers_.push_back(std::move(printable));
}

void ZmqTransport::wait(Duration timeout) noexcept {
  // The descriptor tells of changes only: look first, then sleep.
  if (arrived_->there || take()) return;
  using Steady = std::chrono::steady_clock;
  const Steady::time_point end = Steady::now() + std::max(timeout, Duration::zero());
  for (Duration left = timeout; left > Duration::zero(); left = end - Steady::now())
    if (!sleep(left) || take()) return;
}

/// @returns true where it is worth a look at the socket
bool ZmqTransport::sleep(Duration timeout) const noexcept {
  std::array<pollfd, 2> events{{{.fd = socket_event_, .events = POLLIN, .revents = 0},
                                {.fd = wake_event_, .events = POLLIN, .revents = 0}}};
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  const std::timespec limit{.tv_sec = whole.count(), .tv_nsec = (timeout - whole).count()};
  if (ppoll(events.data(), events.size(), &limit, nullptr) < 0) return errno == EINTR;
  if (events[1].revents == 0) return events[0].revents != 0;
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t bytes = read(wake_event_, &count, sizeof count);
  return false;
}

void ZmqTransport::wake() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t bytes = write(wake_event_, &one, sizeof one);
}

}  // namespace trestle
