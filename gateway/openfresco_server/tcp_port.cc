#include "gateway/openfresco_server/tcp_port.h"

#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <list>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "core/base/file_descriptor.h"
#include "gateway/openfresco_server/caller_notices.h"
#include "gateway/openfresco_server/internet_address.h"

namespace trestle::openfresco_server {
namespace {

// A client whose host has died is seen to leave after so long [s].
constexpr int kProbeAfter = 10;
constexpr int kProbeEvery = 5;
constexpr int kProbes = 4;
// Callers that have sent nothing yet, and how long they may stay.
constexpr std::size_t kWaiting = 16;
constexpr std::chrono::seconds kFirstWord(5);

void set(int socket, int level, int option, int value) noexcept {
  setsockopt(socket, level, option, &value, sizeof value);
}

/// While a client is served, no other can connect: the kernel refuses it, which OpenSees
/// reports at once. A client that was accepted and then dropped would retry endlessly.
class TcpPort final : public ClientPort {
 public:
  explicit TcpPort(const Settings& settings)
      : settings_(settings), watched_(epoll_create1(EPOLL_CLOEXEC)) {
    bind_to(resolved(settings));
    address_ = address_text(bound_);
  }

  State look() noexcept override;
  std::size_t receive(std::span<std::byte> room) noexcept override;
  void send(std::span<const std::byte> bytes, std::size_t datagram) noexcept override;
  void acknowledge() noexcept override;
  bool sent() noexcept override;
  void engage() noexcept override;
  void release() noexcept override { listen_again(); }
  void drop() noexcept override;
  bool datagrams() const noexcept override { return false; }
  int descriptor() const noexcept override { return watched_.number(); }
  const std::string& client() const noexcept override { return client_; }
  const std::string& address() const noexcept override { return address_; }
  std::uint64_t rejected_connections() const noexcept override { return turned_away_; }
  std::vector<std::string> take_notices() override { return notices_.take(); }

 private:
  using Steady = std::chrono::steady_clock;
  /// A caller that has sent nothing yet.
  struct Caller {
    FileDescriptor socket;
    sockaddr_in address{};
    Steady::time_point since{};
  };

  void admit();
  bool hear_callers();
  void turn_away(const Caller& caller, const char* why);
  void bind_to(const sockaddr_in& address);
  void listen_again() noexcept;
  void take(FileDescriptor socket, const sockaddr_in& caller);
  void watch(int socket, std::uint32_t events, int how) noexcept;
  void leave() noexcept;

  Settings settings_;
  FileDescriptor watched_;
  FileDescriptor listener_;
  FileDescriptor socket_;
  std::list<Caller> callers_;
  CallerNotices notices_;
  sockaddr_in bound_{};
  std::string address_;
  std::string client_;
  std::vector<std::byte> waiting_;  // what the client has no room for yet
  bool left_ = false;
  bool unacknowledged_ = false;  ///< bytes were read, and nothing was sent since
  std::uint64_t turned_away_ = 0;
};

void TcpPort::bind_to(const sockaddr_in& address) {
  FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  set(socket.number(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (!socket ||
      bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
          0 ||
      listen(socket.number(), static_cast<int>(kWaiting)) != 0)
    throw std::runtime_error("cannot listen at " + address_text(address) + ": " +
                             std::generic_category().message(errno));
  bound_ = address_of(socket.number());
  listener_ = std::move(socket);
  if (!socket_) watch(listener_.number(), EPOLLIN, EPOLL_CTL_ADD);
}

void TcpPort::watch(int socket, std::uint32_t events, int how) noexcept {
  epoll_event wanted{};
  wanted.events = events;
  epoll_ctl(watched_.number(), how, socket, &wanted);
}

/// Another program may use the port for a moment: the next call tries again.
void TcpPort::listen_again() noexcept {
  if (listener_) return;
  try {
    bind_to(bound_);
  } catch (const std::exception&) {
    listener_ = FileDescriptor();
  }
}

ClientPort::State TcpPort::look() noexcept {
  if (socket_) return left_ ? State::kLeft : State::kClient;
  if (!listener_) listen_again();
  try {
    admit();
    return hear_callers() ? State::kClient : State::kNobody;
  } catch (const std::exception&) {  // no memory for one more: they wait in the kernel
    return State::kNobody;
  }
}

void TcpPort::turn_away(const Caller& caller, const char* why) {
  ++turned_away_;
  notices_.say(address_text(caller.address), why);
}

/// Accepts all new callers; if there are too many, drops the longest silent one.
void TcpPort::admit() {
  while (listener_) {
    Caller caller;
    socklen_t size = sizeof caller.address;
    caller.socket = FileDescriptor(accept4(listener_.number(),
                                           reinterpret_cast<sockaddr*>(&caller.address),
                                           &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!caller.socket) return;
    if (!allowed(settings_, caller.address)) {
      turn_away(caller, "is not listed under `allow`, and was turned away");
      continue;
    }
    caller.since = Steady::now();
    if (callers_.size() >= kWaiting) {
      turn_away(callers_.front(), "said nothing while many called, and was let go");
      callers_.pop_front();
    }
    watch(caller.socket.number(), EPOLLIN | EPOLLRDHUP, EPOLL_CTL_ADD);
    callers_.push_back(std::move(caller));
  }
}

/// The caller that sends first becomes the client: a silent caller blocks no other.
bool TcpPort::hear_callers() {
  const Steady::time_point now = Steady::now();
  for (auto caller = callers_.begin(); caller != callers_.end();) {
    std::byte first{};
    const ssize_t bytes = recv(caller->socket.number(), &first, 1, MSG_PEEK);
    if (bytes > 0) {
      Caller client = std::move(*caller);
      watch(client.socket.number(), 0, EPOLL_CTL_DEL);
      callers_.erase(caller);
      take(std::move(client.socket), client.address);
      return true;
    }
    const bool there =
        bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
    if (there && now - caller->since < kFirstWord) {
      ++caller;
      continue;
    }
    if (there) turn_away(*caller, "called and said nothing for 5 s; it was let go");
    caller = callers_.erase(caller);
  }
  return false;
}

/// Callers of the same moment are reset; the kernel refuses later callers.
void TcpPort::engage() noexcept {
  try {
    admit();
    for (const Caller& caller : callers_) turn_away(caller, kOnePortOneClient);
  } catch (const std::exception&) {
    ++turned_away_;
  }
  for (const Caller& caller : callers_) {
    const linger reset{.l_onoff = 1, .l_linger = 0};
    setsockopt(caller.socket.number(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  }
  callers_.clear();
  listener_ = FileDescriptor();
}

void TcpPort::take(FileDescriptor socket, const sockaddr_in& caller) {
  const int number = socket.number();
  set(number, IPPROTO_TCP, TCP_NODELAY, 1);
  set(number, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(number, IPPROTO_TCP, TCP_KEEPIDLE, kProbeAfter);
  set(number, IPPROTO_TCP, TCP_KEEPINTVL, kProbeEvery);
  set(number, IPPROTO_TCP, TCP_KEEPCNT, kProbes);
  set(number, IPPROTO_TCP, TCP_QUICKACK, 1);
  socket_ = std::move(socket);
  client_ = address_text(caller);
  left_ = unacknowledged_ = false;
  waiting_.clear();
  notices_.forget();
  if (listener_) watch(listener_.number(), 0, EPOLL_CTL_DEL);
  for (const Caller& each : callers_) watch(each.socket.number(), 0, EPOLL_CTL_DEL);
  watch(number, EPOLLIN | EPOLLRDHUP, EPOLL_CTL_ADD);
}

/// Clients send two small messages in a row with Nagle's algorithm on: the second waits
/// until the first is acknowledged, which would be 40 ms later. A reply acknowledges by
/// itself. If none was sent when everything is read, the acknowledgement is sent here, and
/// on one machine the second message arrives immediately. Linux resets the option after
/// each.
std::size_t TcpPort::receive(std::span<std::byte> room) noexcept {
  if (!socket_ || left_ || room.empty()) return 0;
  ssize_t bytes = recv(socket_.number(), room.data(), room.size(), 0);
  if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && unacknowledged_) {
    acknowledge();
    bytes = recv(socket_.number(), room.data(), room.size(), 0);
  }
  if (bytes > 0) {
    unacknowledged_ = true;
    return static_cast<std::size_t>(bytes);
  }
  if (bytes == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) leave();
  return 0;
}

void TcpPort::acknowledge() noexcept {
  if (socket_ && !left_ && std::exchange(unacknowledged_, false))
    set(socket_.number(), IPPROTO_TCP, TCP_QUICKACK, 1);
}

void TcpPort::send(std::span<const std::byte> bytes, std::size_t /*datagram*/) noexcept {
  if (!socket_ || left_) return;
  if (waiting_.empty()) {
    const ssize_t gone = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (gone < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
      return leave();
    if (gone > 0) unacknowledged_ = false;
    bytes = bytes.subspan(gone > 0 ? static_cast<std::size_t>(gone) : 0);
  }
  if (bytes.empty()) return;
  waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
  watch(socket_.number(), EPOLLIN | EPOLLRDHUP | EPOLLOUT, EPOLL_CTL_MOD);
}

bool TcpPort::sent() noexcept {
  if (waiting_.empty() || left_) return true;
  const ssize_t gone =
      ::send(socket_.number(), waiting_.data(), waiting_.size(), MSG_NOSIGNAL);
  if (gone < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
    leave();
    return true;
  }
  if (gone > 0) waiting_.erase(waiting_.begin(), waiting_.begin() + gone);
  if (!waiting_.empty()) return false;
  watch(socket_.number(), EPOLLIN | EPOLLRDHUP, EPOLL_CTL_MOD);
  return true;
}

/// No more data will arrive, but the owner can still read what arrived.
void TcpPort::leave() noexcept {
  left_ = true;
  watch(socket_.number(), 0, EPOLL_CTL_DEL);
}

void TcpPort::drop() noexcept {
  socket_ = FileDescriptor();
  client_.clear();
  left_ = false;
  waiting_.clear();
  if (listener_) watch(listener_.number(), EPOLLIN, EPOLL_CTL_ADD);
  for (const Caller& each : callers_)
    watch(each.socket.number(), EPOLLIN | EPOLLRDHUP, EPOLL_CTL_ADD);
  listen_again();
}

}  // namespace

std::unique_ptr<ClientPort> tcp_port(const ClientPort::Settings& settings) {
  return std::make_unique<TcpPort>(settings);
}

}  // namespace trestle::openfresco_server
