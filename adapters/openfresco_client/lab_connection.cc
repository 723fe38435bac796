#include "adapters/openfresco_client/lab_connection.h"

#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "adapters/plugin/internet_address.h"
#include "core/openfresco/openfresco_protocol.h"

namespace trestle::openfresco {
namespace {

using Steady = std::chrono::steady_clock;
constexpr int kMostStrays = 16;                  // looked at in one turn
constexpr std::chrono::milliseconds kSlice(50);  // of a wait that may be given up

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what);
}

bool would_wait() noexcept {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS;
}

}  // namespace

void LabConnection::open(const std::string& server, bool datagrams, Duration patience) {
  close();
  server_ = server;
  datagrams_ = datagrams;
  // A directory of names may be slow, or gone with the network that was lost.
  if (known_as_ != server)
    address_ = plugin::resolved(plugin::host_port_of(server, "server"), "server");
  known_as_ = server;
  const int kind = datagrams ? SOCK_DGRAM : SOCK_STREAM;
  socket_ = ::socket(AF_INET, kind | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  // Sends a trial and the request after it immediately (Nagle's algorithm would hold the
  // second).
  if (!datagrams) setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  int error = 0;
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address_), sizeof address_) != 0)
    error = errno;
  if (error == EINPROGRESS) {
    socklen_t size = sizeof error;
    if (!waits(POLLOUT, patience))
      error = ETIMEDOUT;
    else
      getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
  }
  if (error == 0) return;
  close();
  fail("the OpenFresco server " + server +
       " cannot be reached: " + std::generic_category().message(error));
}

void LabConnection::close() noexcept {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool LabConnection::waits(short events, Duration patience) const {
  const Steady::time_point end = Steady::now() + patience;
  pollfd look{.fd = socket_, .events = events, .revents = 0};
  for (;;) {
    if (given_up_ != nullptr && given_up_->load(std::memory_order_relaxed))
      fail("the OpenFresco server " + server_ + " is not waited for any more");
    const Duration left = std::max<Duration>(end - Steady::now(), Duration::zero());
    const auto slice = std::min<std::chrono::milliseconds>(
        std::chrono::ceil<std::chrono::milliseconds>(left), kSlice);
    if (poll(&look, 1, static_cast<int>(slice.count())) > 0) return true;
    if (left == Duration::zero()) return false;
  }
}

void LabConnection::say(std::span<const std::byte> bytes) {
  if (!send(bytes)) fail("the OpenFresco server " + server_ + " closed the connection");
}

void LabConnection::hear(std::span<std::byte> bytes, Duration patience, const char* what) {
  const Steady::time_point end = Steady::now() + patience;
  while (!bytes.empty()) {
    const Duration left = end - Steady::now();
    if (left <= Duration::zero() || !waits(POLLIN, left))
      fail("no " + std::string(what) + " from the OpenFresco server " + server_ +
           " within " + std::to_string(seconds(patience)) + " s");
    const std::ptrdiff_t came = receive(bytes);
    if (came < 0)
      fail("the OpenFresco server " + server_ + " closed the connection before its " +
           what);
    bytes = bytes.subspan(static_cast<std::size_t>(came));
  }
}

bool LabConnection::send(std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const auto part =
        bytes.first(datagrams_ ? std::min(bytes.size(), kDatagramBytes) : bytes.size());
    const ssize_t gone = ::send(socket_, part.data(), part.size(), MSG_NOSIGNAL);
    // A server that reads nothing for as long as its buffers hold is none.
    if (gone < 0) return datagrams_ && (would_wait() || errno == ECONNREFUSED);
    bytes = bytes.subspan(static_cast<std::size_t>(gone));
  }
  return true;
}

std::ptrdiff_t LabConnection::receive(std::span<std::byte> room) noexcept {
  ssize_t came = 0;
  for (int strays = 0; strays < kMostStrays; ++strays) {
    came = recv(socket_, room.data(), room.size(), datagrams_ ? MSG_TRUNC : 0);
    if (came <= 0) break;
    // A message comes whole, or in pieces of one length: another datagram is none of it,
    // and would shift all that follows.
    const auto length = static_cast<std::size_t>(came);
    if (!datagrams_ || length == room.size() || length == kDatagramBytes) return came;
  }
  if (came >= 0) return datagrams_ ? 0 : -1;
  return would_wait() || (datagrams_ && errno == ECONNREFUSED) ? 0 : -1;
}

}  // namespace trestle::openfresco
