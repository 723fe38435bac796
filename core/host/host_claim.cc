#include "core/host/host_claim.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace trestle::host {
namespace {

constexpr int kTries = 20;
constexpr std::chrono::milliseconds kBetweenTries(10);

struct AbstractName {
  sockaddr_un address{};
  socklen_t size = 0;
};

AbstractName abstract_name(const std::string& name) {
  AbstractName made;
  made.address.sun_family = AF_UNIX;  // sun_path[0] stays 0: no file
  const std::size_t length = std::min(name.size(), sizeof made.address.sun_path - 1);
  std::copy_n(name.begin(), length, made.address.sun_path + 1);
  made.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  return made;
}

int stream_socket() {
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0)
    throw std::runtime_error("no socket to claim a rig on this host (" +
                             std::generic_category().message(errno) + ")");
  return made;
}

/// @returns none: no process listens under the name
std::optional<HostClaim::Holder> holder_of(const AbstractName& name) {
  const int caller = stream_socket();
  ucred is{};
  socklen_t size = sizeof is;
  const bool called =
      connect(caller, reinterpret_cast<const sockaddr*>(&name.address), name.size) == 0;
  const int error = called ? 0 : errno;
  const bool told = called && getsockopt(caller, SOL_SOCKET, SO_PEERCRED, &is, &size) == 0;
  close(caller);
  if (told) return HostClaim::Holder{is.pid, is.uid};
  if (error == ECONNREFUSED) return std::nullopt;
  return HostClaim::Holder{};  // a full queue of callers: held, by an unknown process
}

}  // namespace

HostClaim::HostClaim(const std::string& name) {
  const AbstractName taken = abstract_name(name);
  for (int n = 0; n < kTries; ++n) {
    socket_ = stream_socket();
    if (bind(socket_, reinterpret_cast<const sockaddr*>(&taken.address), taken.size) == 0 &&
        listen(socket_, SOMAXCONN) == 0) {
      other_.reset();
      return;
    }
    const int error = errno;
    close(socket_);
    socket_ = -1;
    if (error != EADDRINUSE)
      throw std::runtime_error("no socket to claim a rig on this host (" +
                               std::generic_category().message(error) + ")");
    other_ = holder_of(taken);
    if (other_) return;
    other_ = Holder{};  // its holder ends or begins just now
    std::this_thread::sleep_for(kBetweenTries);
  }
}

HostClaim::~HostClaim() {
  if (socket_ >= 0) close(socket_);
}

}  // namespace trestle::host
