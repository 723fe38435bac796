#include "adapters/simulated/drive_channel.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace trestle {
namespace {

constexpr int kPatience = 200;  // [ms]

sockaddr_un address_of(const std::string& path) noexcept {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return address;
}

}  // namespace

DriveChannel::DriveChannel(std::string folder, const std::vector<std::string>& ports,
                           std::vector<Eigen::Index> own)
    : folder_(std::move(folder)), own_(std::move(own)) {
  for (const std::string& port : ports) peers_.push_back({folder_ + "/" + port});
}

DriveChannel::~DriveChannel() {
  close();
}

void DriveChannel::close() noexcept {
  if (socket_ < 0) return;
  ::close(socket_);
  socket_ = -1;
  ::unlink(peers_[static_cast<std::size_t>(own_.front())].path.c_str());
}

/// The socket of a site has the name of its first port.
void DriveChannel::open() {
  close();
  for (Peer& peer : peers_) {
    peer.here = true;
    peer.newest = -1;
    std::fill(std::begin(peer.drives), std::end(peer.drives), 0.0);
  }
  const std::string& path = peers_[static_cast<std::size_t>(own_.front())].path;
  if (path.size() >= sizeof(sockaddr_un::sun_path))
    throw std::runtime_error("the meeting place " + path +
                             " has too long a name for a Unix socket; name a shorter one");
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  ::unlink(path.c_str());
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(path);
  if (socket_ < 0 ||
      ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("the sites that share a specimen cannot meet at " + path +
                             ": " + std::generic_category().message(errno));
}

void DriveChannel::tell(std::int64_t tick, const Eigen::VectorXd& drive) noexcept {
  for (std::size_t to = 0; to < peers_.size(); ++to) {
    if (std::find(own_.begin(), own_.end(), static_cast<Eigen::Index>(to)) != own_.end())
      continue;
    const sockaddr_un address = address_of(peers_[to].path);
    for (const Eigen::Index port : own_) {
      const DriveMessage word{port, tick, drive[port]};
      // A peer that is absent or does not listen keeps the last received drives.
      [[maybe_unused]] const auto sent =
          ::sendto(socket_, &word, sizeof word, MSG_DONTWAIT,
                   reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
  }
}

/// Receives one message. @returns false if none arrived
bool DriveChannel::listen(int patience_ms) noexcept {
  DriveMessage word;
  ssize_t size = ::recv(socket_, &word, sizeof word, MSG_DONTWAIT);
  if (size < 0 && patience_ms > 0) {
    pollfd wait{socket_, POLLIN, 0};
    if (::poll(&wait, 1, patience_ms) <= 0) return false;
    size = ::recv(socket_, &word, sizeof word, MSG_DONTWAIT);
  }
  if (size != sizeof word) return size >= 0;
  if (word.port < 0 || word.port >= static_cast<std::int64_t>(peers_.size()) ||
      word.tick < 0)
    return true;
  Peer& peer = peers_[static_cast<std::size_t>(word.port)];
  // Between two words its drive stays.
  const double before =
      peer.newest < 0 ? 0.0
                      : peer.drives[static_cast<std::size_t>(peer.newest) % Peer::kKept];
  for (std::int64_t tick =
           std::max(peer.newest + 1, word.tick - static_cast<std::int64_t>(Peer::kKept));
       tick < word.tick; ++tick)
    peer.drives[static_cast<std::size_t>(tick) % Peer::kKept] = before;
  peer.drives[static_cast<std::size_t>(word.tick) % Peer::kKept] = word.drive;
  peer.newest = std::max(peer.newest, word.tick);
  peer.here = true;
  return true;
}

void DriveChannel::hear(std::int64_t tick, Eigen::VectorXd& drive) noexcept {
  while (listen(0)) {
  }
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    const auto port = static_cast<Eigen::Index>(i);
    if (std::find(own_.begin(), own_.end(), port) != own_.end()) continue;
    Peer& peer = peers_[i];
    while (peer.here && peer.newest < tick)
      if (!listen(kPatience)) peer.here = false;
    const std::int64_t known = std::min(tick, peer.newest);
    drive[port] =
        known < 0 ? 0.0 : peer.drives[static_cast<std::size_t>(known) % Peer::kKept];
  }
}

}  // namespace trestle
