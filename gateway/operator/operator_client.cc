#include "gateway/operator/operator_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_socket.h"

namespace trestle::operators {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::size_t kLongestAnswer = 1 << 20;
// Between two calls while others wait to be let in.
constexpr int kBetweenCalls = 10;  // [ms]

int milliseconds_until(Steady::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Steady::now());
  return left.count() > 0 ? static_cast<int>(left.count()) : 0;
}

/// @returns false at the deadline
bool wait_for(const FileDescriptor& socket, short what, Steady::time_point deadline) {
  const int left = milliseconds_until(deadline);
  pollfd watched{socket.number(), what, 0};
  return left > 0 && ::poll(&watched, 1, left) >= 0;
}

Error error(ErrorCode code, std::string detail) {
  return {code, std::move(detail)};
}

/// @param sent  the request is on its way: it may be followed later
Error late(const std::string& folder, const OperatorRequest& request, Duration patience,
           bool sent) {
  char text[120];
  std::snprintf(text, sizeof text,
                "the process that serves it has not answered for %.3g s: it is stopped, or "
                "the host is overloaded",
                seconds(patience));
  const bool question =
      request.verb == OperatorVerb::kStatus || request.verb == OperatorVerb::kWhy;
  std::string sentence = folder + ": " + text;
  if (sent && !question)
    sentence +=
        "; nobody knows yet whether it follows this command: see trestle status " + folder;
  return error(ErrorCode::kTimedOut, std::move(sentence));
}

FileDescriptor call(const std::string& folder, Steady::time_point deadline) {
  while (true) {
    FileDescriptor socket = connect_operator_socket(folder);
    if (socket || errno != EAGAIN) return socket;
    const int left = milliseconds_until(deadline);
    if (left == 0) return socket;
    ::poll(nullptr, 0, std::min(left, kBetweenCalls));
    errno = EAGAIN;
  }
}

std::optional<std::string> read_line(const FileDescriptor& socket,
                                     Steady::time_point deadline, bool& ended) {
  std::string line;
  std::array<char, 4096> bytes{};
  while (line.size() <= kLongestAnswer) {
    const ssize_t count = recv(socket.number(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count > 0) {
      line.append(bytes.data(), static_cast<std::size_t>(count));
      const std::size_t end = line.find('\n');
      if (end != std::string::npos) return line.substr(0, end);
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      break;
    } else if (!wait_for(socket, POLLIN, deadline)) {
      return std::nullopt;
    }
  }
  ended = true;
  return std::nullopt;
}

}  // namespace

Result<std::string> send_operator_request(const std::string& folder,
                                          const OperatorRequest& request,
                                          Duration patience) {
  const Steady::time_point deadline = Steady::now() + patience;
  const FileDescriptor socket = call(folder, deadline);
  if (!socket) {
    const int why = errno;
    if (why == EAGAIN) return late(folder, request, patience, /*sent=*/false);
    if (why == EACCES || why == EPERM)
      return error(
          ErrorCode::kRefused,
          folder + ": only the user who runs the process there, and root, may ask");
    return error(ErrorCode::kUnavailable, folder + ": no process serves it");
  }
  const std::optional<uid_t> owner = peer_user(socket);
  if (geteuid() != 0 && (!owner || *owner != geteuid()))
    return error(ErrorCode::kRefused, folder + ": another user's process serves it");
  const std::string line = write_request(request);
  // A request is smaller than any socket's buffer: it is sent as a whole or not at all.
  if (send(socket.number(), line.data(), line.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(line.size()))
    return error(ErrorCode::kUnavailable, folder + ": the process there takes no requests");
  bool ended = false;
  if (std::optional<std::string> answer = read_line(socket, deadline, ended))
    return std::move(*answer);
  if (ended)
    return error(ErrorCode::kUnavailable,
                 folder + ": the process there ended before it answered");
  return late(folder, request, patience, /*sent=*/true);
}

}  // namespace trestle::operators
