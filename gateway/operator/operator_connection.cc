#include "gateway/operator/operator_connection.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

#include "gateway/operator/operator_request.h"

namespace trestle::operators {

OperatorConnection::OperatorConnection(FileDescriptor socket, TimePoint now)
    : socket_(std::move(socket)), active_(now) {}

void OperatorConnection::move_bytes(TimePoint now) {
  send_some(now);
  receive_some(now);
}

void OperatorConnection::send_some(TimePoint now) {
  if (out_.empty() || lost_) return;
  const ssize_t sent =
      send(socket_.number(), out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0) {
    out_.erase(0, static_cast<std::size_t>(sent));
    active_ = now;
  } else if (sent < 0 && errno != EAGAIN && errno != EINTR) {
    lost_ = true;
  }
}

void OperatorConnection::receive_some(TimePoint now) {
  const std::size_t room = kLongestRequest - in_.size();
  if (deaf_ || lost_ || room == 0) return;
  std::array<char, kLongestRequest> bytes;  // NOLINT: filled by recv
  const ssize_t count = recv(socket_.number(), bytes.data(), room, MSG_DONTWAIT);
  if (count > 0) {
    in_.append(bytes.data(), static_cast<std::size_t>(count));
    active_ = now;
  } else if (count == 0) {
    deaf_ = true;  // may still want to read
  } else if (errno != EAGAIN && errno != EINTR) {
    lost_ = true;
  }
}

std::optional<std::string> OperatorConnection::next_line() {
  if (!out_.empty()) return std::nullopt;
  const std::size_t end = in_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = in_.substr(0, end);
  in_.erase(0, end + 1);
  return line;
}

bool OperatorConnection::too_long() const noexcept {
  return in_.size() == kLongestRequest && in_.find('\n') == std::string::npos;
}

void OperatorConnection::answer(std::string line, TimePoint now) {
  out_ = std::move(line);
  send_some(now);
}

void OperatorConnection::answer_and_end(std::string line, TimePoint now) {
  deaf_ = true;
  in_.clear();
  answer(std::move(line), now);
}

bool OperatorConnection::done() const noexcept {
  return lost_ || (deaf_ && out_.empty() && in_.find('\n') == std::string::npos);
}

}  // namespace trestle::operators
