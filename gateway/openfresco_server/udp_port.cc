#include "gateway/openfresco_server/udp_port.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <stdexcept>
#include <system_error>

#include "core/base/file_descriptor.h"
#include "core/openfresco/openfresco_protocol.h"
#include "gateway/openfresco_server/caller_notices.h"
#include "gateway/openfresco_server/internet_address.h"

namespace trestle::openfresco_server {
namespace {

// A burst of a client's messages finds room while a rig moves.
constexpr int kKernelBuffer = 4 * 1024 * 1024;

/// The first peer that sends a greeting or its sizes becomes the client, until drop().
/// Other peers wait until the client has sent its sizes, and are ignored from then on.
class UdpPort final : public ClientPort {
 public:
  explicit UdpPort(const Settings& settings)
      : settings_(settings),
        socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    const sockaddr_in address = resolved(settings);
    if (!socket_ || bind(socket_.number(), reinterpret_cast<const sockaddr*>(&address),
                         sizeof address) != 0)
      throw std::runtime_error("cannot listen at " + address_text(address) + ": " +
                               std::generic_category().message(errno));
    setsockopt(socket_.number(), SOL_SOCKET, SO_RCVBUF, &kKernelBuffer,
               sizeof kKernelBuffer);
    address_ = address_text(address_of(socket_.number()));
  }

  State look() noexcept override {
    if (!client_.empty()) return State::kClient;
    try {
      if (waiting_.empty()) hear_callers();
      if (waiting_.empty()) return State::kNobody;
      peer_ = waiting_.front().address;
      client_ = address_text(peer_);
    } catch (const std::exception&) {  // no memory for one more
      client_.clear();
      return State::kNobody;
    }
    kept_ = std::move(waiting_.front().datagrams);
    waiting_.pop_front();
    engaged_ = false;
    notices_.forget();
    return State::kClient;
  }

  std::size_t receive(std::span<std::byte> room) noexcept override {
    if (client_.empty() || room.size() < kLongestDatagram) return 0;
    if (!kept_.empty()) {
      const std::vector<std::byte>& first = kept_.front();
      const std::size_t bytes = first.size();
      std::copy(first.begin(), first.end(), room.begin());
      kept_.pop_front();
      return bytes;
    }
    for (int looks = 0; looks < kLooks; ++looks) {
      sockaddr_in caller{};
      socklen_t size = sizeof caller;
      const ssize_t bytes = recvfrom(socket_.number(), room.data(), room.size(), 0,
                                     reinterpret_cast<sockaddr*>(&caller), &size);
      if (bytes < 0) return 0;
      if (bytes > 0 && same(caller, peer_)) return static_cast<std::size_t>(bytes);
      if (!same(caller, peer_))
        hear_another(caller, room.first(static_cast<std::size_t>(bytes)));
    }
    return 0;
  }

  void send(std::span<const std::byte> bytes, std::size_t datagram) noexcept override {
    while (!bytes.empty() && !client_.empty()) {
      const std::size_t part = std::min(bytes.size(), datagram);
      // Data that cannot be sent now is lost, as on any network.
      ::sendto(socket_.number(), bytes.data(), part, MSG_NOSIGNAL,
               reinterpret_cast<const sockaddr*>(&peer_), sizeof peer_);
      bytes = bytes.subspan(part);
    }
  }

  void acknowledge() noexcept override {}
  bool sent() noexcept override { return true; }
  void engage() noexcept override {
    engaged_ = true;
    try {
      for (const Caller& caller : waiting_) turn_away(caller.address, kOnePortOneClient);
    } catch (const std::exception&) {
      ++turned_away_;
    }
    waiting_.clear();
  }
  void release() noexcept override {}
  void drop() noexcept override {
    client_.clear();
    kept_.clear();
    engaged_ = false;
  }
  bool datagrams() const noexcept override { return true; }
  int descriptor() const noexcept override { return socket_.number(); }
  const std::string& client() const noexcept override { return client_; }
  const std::string& address() const noexcept override { return address_; }
  std::uint64_t rejected_connections() const noexcept override { return turned_away_; }
  std::vector<std::string> take_notices() override { return notices_.take(); }

 private:
  // No datagram of IPv4 is longer.
  static constexpr std::size_t kLongestDatagram = 65536;
  static constexpr int kLooks = 16;
  // Callers while another one has not sent its sizes yet, and their stored data.
  static constexpr std::size_t kCallers = 4;
  static constexpr std::size_t kDatagramsKept = 8;

  struct Caller {
    sockaddr_in address{};
    std::deque<std::vector<std::byte>> datagrams;
  };

  static bool same(const sockaddr_in& one, const sockaddr_in& other) noexcept {
    return one.sin_addr.s_addr == other.sin_addr.s_addr && one.sin_port == other.sin_port;
  }
  /// A client begins with a greeting or its sizes; other datagrams belong to no client.
  static bool begins(std::span<const std::byte> datagram) noexcept {
    return datagram.size() == openfresco::kSizesBytes ||
           (datagram.size() == 1 && datagram[0] == openfresco::kGreeting);
  }

  void turn_away(const sockaddr_in& caller, const char* why) {
    ++turned_away_;
    notices_.say(address_text(caller), why);
  }

  void hear_callers() {
    if (room_.empty()) room_.resize(kLongestDatagram);
    for (int looks = 0; looks < kLooks && waiting_.empty(); ++looks) {
      sockaddr_in caller{};
      socklen_t size = sizeof caller;
      const ssize_t bytes = recvfrom(socket_.number(), room_.data(), room_.size(), 0,
                                     reinterpret_cast<sockaddr*>(&caller), &size);
      if (bytes < 0) return;
      keep(caller, std::span(room_).first(static_cast<std::size_t>(bytes)));
    }
  }

  /// Datagrams are not repeated: a second caller is served when the first disconnects.
  void hear_another(const sockaddr_in& caller,
                    std::span<const std::byte> datagram) noexcept {
    try {
      if (engaged_) return turn_away(caller, kOnePortOneClient);
      keep(caller, datagram);
    } catch (const std::exception&) {
      ++turned_away_;
    }
  }

  void keep(const sockaddr_in& caller, std::span<const std::byte> datagram) {
    if (!allowed(settings_, caller))
      return turn_away(caller, "is not listed under `allow`, and is not heard");
    auto known = std::find_if(waiting_.begin(), waiting_.end(), [&](const Caller& each) {
      return same(each.address, caller);
    });
    if (known == waiting_.end()) {
      if (!begins(datagram))
        return turn_away(caller, datagram.empty()
                                     ? "sent an empty datagram, with which no client begins"
                                     : "sent a datagram that is nothing we know");
      if (waiting_.size() >= kCallers)
        return turn_away(caller, "called while many did, and is not heard");
      known = waiting_.insert(waiting_.end(), Caller{caller, {}});
    }
    if (!datagram.empty() && known->datagrams.size() < kDatagramsKept)
      known->datagrams.emplace_back(datagram.begin(), datagram.end());
  }

  Settings settings_;
  FileDescriptor socket_;
  sockaddr_in peer_{};
  std::string address_;
  std::string client_;
  std::uint64_t turned_away_ = 0;
  bool engaged_ = false;
  std::vector<std::byte> room_;
  std::deque<std::vector<std::byte>> kept_;  ///< of the client, to be read before others
  std::deque<Caller> waiting_;
  CallerNotices notices_;
};

}  // namespace

std::unique_ptr<ClientPort> udp_port(const ClientPort::Settings& settings) {
  return std::make_unique<UdpPort>(settings);
}

}  // namespace trestle::openfresco_server
