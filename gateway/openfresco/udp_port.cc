#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "gateway/openfresco/internet_address.h"
#include "gateway/operator/file_descriptor.h"

namespace trestle {
namespace {

// A burst of a client's messages finds room while a rig moves.
constexpr int kKernelBuffer = 4 * 1024 * 1024;

/// Whoever speaks while there is no client is one, until drop(); others are not heard.
class UdpPort final : public ClientPort {
 public:
  explicit UdpPort(const Settings& settings)
      : settings_(settings),
        socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    const sockaddr_in address = resolved(settings);
    if (!socket_ || bind(socket_.number(), reinterpret_cast<const sockaddr*>(&address),
                         sizeof address) != 0)
      throw std::runtime_error("cannot listen at " + text_of(address) + ": " +
                               std::generic_category().message(errno));
    setsockopt(socket_.number(), SOL_SOCKET, SO_RCVBUF, &kKernelBuffer,
               sizeof kKernelBuffer);
    address_ = text_of(address_of(socket_.number()));
  }

  State look() noexcept override {
    if (!client_.empty()) return State::kClient;
    sockaddr_in caller{};
    socklen_t size = sizeof caller;
    std::byte first{};
    const ssize_t bytes = recvfrom(socket_.number(), &first, 1, MSG_PEEK | MSG_TRUNC,
                                   reinterpret_cast<sockaddr*>(&caller), &size);
    if (bytes < 0) return State::kNobody;
    if (!allowed(settings_, caller)) {
      discard();
      return State::kNobody;
    }
    peer_ = caller;
    client_ = text_of(caller);
    return State::kClient;
  }

  std::size_t receive(std::span<std::byte> room) noexcept override {
    if (client_.empty() || room.size() < kLongestDatagram) return 0;
    for (int looks = 0; looks < kLooks; ++looks) {
      sockaddr_in caller{};
      socklen_t size = sizeof caller;
      const ssize_t bytes = recvfrom(socket_.number(), room.data(), room.size(), 0,
                                     reinterpret_cast<sockaddr*>(&caller), &size);
      if (bytes < 0) return 0;
      if (caller.sin_addr.s_addr == peer_.sin_addr.s_addr &&
          caller.sin_port == peer_.sin_port)
        return static_cast<std::size_t>(bytes);
      ++turned_away_;
    }
    return 0;
  }

  void send(std::span<const std::byte> bytes, std::size_t datagram) noexcept override {
    while (!bytes.empty() && !client_.empty()) {
      const std::size_t part = std::min(bytes.size(), datagram);
      // What does not go now is lost, as on any network.
      ::sendto(socket_.number(), bytes.data(), part, MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&peer_), sizeof peer_);
      bytes = bytes.subspan(part);
    }
  }

  bool sent() noexcept override { return true; }
  void engage() noexcept override {}
  void release() noexcept override {}
  void drop() noexcept override { client_.clear(); }
  bool datagrams() const noexcept override { return true; }
  int descriptor() const noexcept override { return socket_.number(); }
  const std::string& client() const noexcept override { return client_; }
  const std::string& address() const noexcept override { return address_; }
  std::uint64_t turned_away() const noexcept override { return turned_away_; }

 private:
  // No datagram of IPv4 is longer.
  static constexpr std::size_t kLongestDatagram = 65536;
  static constexpr int kLooks = 16;

  void discard() noexcept {
    std::byte any{};
    recv(socket_.number(), &any, 1, 0);
    ++turned_away_;
  }

  Settings settings_;
  FileDescriptor socket_;
  sockaddr_in peer_{};
  std::string address_;
  std::string client_;
  std::uint64_t turned_away_ = 0;
};

}  // namespace

std::unique_ptr<ClientPort> udp_port(const ClientPort::Settings& settings) {
  return std::make_unique<UdpPort>(settings);
}

}  // namespace trestle
