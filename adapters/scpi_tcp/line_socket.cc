#include "adapters/scpi_tcp/line_socket.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "adapters/plugin/internet_address.h"

namespace trestle::scpi_tcp {
namespace {

using Steady = std::chrono::steady_clock;

int new_socket() noexcept {
  return ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

double seconds_until(Steady::time_point end) noexcept {
  return std::chrono::duration<double>(end - Steady::now()).count();
}

Steady::time_point after(double seconds) noexcept {
  return Steady::now() + std::chrono::duration_cast<Steady::duration>(
                             std::chrono::duration<double>(std::min(seconds, 1e6)));
}

int milliseconds(double seconds) noexcept {
  return static_cast<int>(std::ceil(1e3 * std::clamp(seconds, 0.0, 1e6)));
}

void clear(int wakeup) noexcept {
  std::uint64_t count = 0;
  while (::read(wakeup, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

}  // namespace

LineSocket::LineSocket(const std::string& server, const std::string& line_end)
    : server_(server),
      end_(line_end.back()),
      address_(plugin::resolved(plugin::host_port_of(server, "server"), "server")) {
  socket_ = new_socket();
  wakeup_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (socket_ >= 0 && wakeup_ >= 0) return;
  const std::string why = std::generic_category().message(errno);
  if (socket_ >= 0) ::close(socket_);
  if (wakeup_ >= 0) ::close(wakeup_);
  throw std::runtime_error("server: the system gives no socket: " + why);
}

LineSocket::~LineSocket() {
  ::close(socket_);
  ::close(wakeup_);
}

void LineSocket::open(double patience, const std::function<bool()>& given_up) {
  shut();
  from_ = to_ = 0;
  const int made = new_socket();
  if (made < 0)
    throw std::runtime_error("the system gives no socket: " +
                             std::generic_category().message(errno));
  try {
    connect_to(made, patience, given_up);
  } catch (...) {
    ::close(made);
    throw;
  }
  const int on = 1;
  setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(made, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  // In one step: a hold on another thread sends to the old connection or to the new one.
  dup3(made, socket_, O_CLOEXEC);
  ::close(made);
}

void LineSocket::connect_to(int made, double patience,
                            const std::function<bool()>& given_up) const {
  const auto end = after(patience);
  int error = 0;
  if (::connect(made, reinterpret_cast<const sockaddr*>(&address_), sizeof address_) != 0)
    error = errno;
  while (error == EINPROGRESS) {
    std::array<pollfd, 2> looks{{{made, POLLOUT, 0}, {wakeup_, POLLIN, 0}}};
    const double left = seconds_until(end);
    if (given_up()) throw std::runtime_error("is not waited for any more");
    if (left <= 0.0) {
      error = ETIMEDOUT;
    } else if (::poll(looks.data(), looks.size(), milliseconds(left)) > 0) {
      if (looks[1].revents != 0) clear(wakeup_);
      socklen_t size = sizeof error;
      if (looks[0].revents != 0) getsockopt(made, SOL_SOCKET, SO_ERROR, &error, &size);
    }
  }
  if (error != 0)
    throw std::runtime_error("cannot be reached: " +
                             std::generic_category().message(error));
}

void LineSocket::shut() noexcept {
  ::shutdown(socket_, SHUT_RDWR);
}

void LineSocket::leave(double patience) noexcept {
  const auto end = after(patience);
  if (::shutdown(socket_, SHUT_WR) != 0) return;
  // Closed with bytes that nobody took, a connection is reset, and the last line with it.
  for (double left = patience; left > 0.0; left = seconds_until(end)) {
    pollfd look{socket_, POLLIN, 0};
    ::poll(&look, 1, milliseconds(left));
    const ssize_t size = ::recv(socket_, bytes_.data(), bytes_.size(), MSG_DONTWAIT);
    if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) return;
  }
}

bool LineSocket::send(std::string_view lines) const noexcept {
  ssize_t size = 0;
  do size = ::send(socket_, lines.data(), lines.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  while (size < 0 && errno == EINTR);
  return size == static_cast<ssize_t>(lines.size());
}

void LineSocket::wake() const noexcept {
  const std::uint64_t one = 1;
  const ssize_t written = ::write(wakeup_, &one, sizeof one);
  static_cast<void>(written);  // full: it is awake
}

void LineSocket::wait(double seconds, bool for_bytes) noexcept {
  std::array<pollfd, 2> looks{
      {{for_bytes ? socket_ : -1, POLLIN, 0}, {wakeup_, POLLIN, 0}}};
  ::poll(looks.data(), looks.size(), milliseconds(seconds));
  if (looks[1].revents != 0) clear(wakeup_);
}

LineSocket::Heard LineSocket::next_line(std::string_view& line) noexcept {
  for (;;) {
    const std::string_view came = begun_line();
    if (const std::size_t end = came.find(end_); end != std::string_view::npos) {
      line = came.substr(0, end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      from_ += end + 1;
      return Heard::kLine;
    }
    if (from_ > 0) {
      std::copy(bytes_.data() + from_, bytes_.data() + to_, bytes_.data());
      to_ -= std::exchange(from_, 0);
    }
    if (to_ == bytes_.size()) return Heard::kEndless;
    const ssize_t size =
        ::recv(socket_, bytes_.data() + to_, bytes_.size() - to_, MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return Heard::kNothing;
    if (size <= 0) return Heard::kClosed;
    to_ += static_cast<std::size_t>(size);
  }
}

std::string_view LineSocket::begun_line() const noexcept {
  return {bytes_.data() + from_, to_ - from_};
}

}  // namespace trestle::scpi_tcp
