#include "tests/gateway/network_emulator/relay_host.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>

namespace trestle::network_emulator {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

std::uint16_t port_of(const std::string& place) {
  return static_cast<std::uint16_t>(std::stoi(place.substr(place.rfind(':') + 1)));
}

}  // namespace

RelayHost::RelayHost(const network::LinkSettings& link, std::uint16_t to)
    : relay_({{"west", {"127.0.0.1", 0}, {"127.0.0.1", to}, link}},
             [this](const std::string& name, const std::string& what) {
               const std::lock_guard lock(mutex_);
               said_.push_back(name + ": " + what);
             }),
      port_(port_of(relay_.status().front().listens_at)),
      thread_([this] { relay_.run([this] { return !ending_.load(); }); }) {}

RelayHost::~RelayHost() {
  ending_ = true;
  if (thread_.joinable()) thread_.join();
}

std::vector<std::string> RelayHost::said() const {
  const std::lock_guard lock(mutex_);
  return said_;
}

RelayStatus RelayHost::end() {
  ending_ = true;
  thread_.join();
  return relay_.status().front();
}

EchoServer::EchoServer() : listener_(socket(AF_INET, SOCK_STREAM, 0)), port_(0) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  if (bind(listener_, raw, size) != 0 || listen(listener_, 8) != 0 ||
      getsockname(listener_, raw, &size) != 0)
    throw std::runtime_error("no port to listen at");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

EchoServer::~EchoServer() {
  shutdown(listener_, SHUT_RDWR);
  thread_.join();
  close(listener_);
}

void EchoServer::serve() const {
  std::array<char, 65536> room{};
  for (int peer = 0; (peer = accept(listener_, nullptr, nullptr)) >= 0; close(peer))
    for (ssize_t bytes = 0; (bytes = recv(peer, room.data(), room.size(), 0)) > 0;)
      for (ssize_t sent = 0; sent < bytes;) {
        const ssize_t now = ::send(peer, room.data() + sent,
                                   static_cast<std::size_t>(bytes - sent), MSG_NOSIGNAL);
        if (now < 0) break;
        sent += now;
      }
}

Caller::Caller(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  const timeval longest{.tv_sec = 30, .tv_usec = 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
  const sockaddr_in address = loopback(port);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("nobody listens");
}

Caller::~Caller() {
  close(socket_);
}

void Caller::send(const std::string& bytes) const {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t now =
        ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now < 0) return;
    sent += static_cast<std::size_t>(now);
  }
}

void Caller::end() const {
  shutdown(socket_, SHUT_WR);
}

std::string Caller::receive(std::size_t bytes) const {
  std::string all(bytes, '\0');
  std::size_t got = 0;
  while (got < bytes) {
    const ssize_t now = recv(socket_, all.data() + got, bytes - got, 0);
    if (now < 0 && errno == EAGAIN) throw std::runtime_error("nothing comes");
    if (now <= 0) break;
    got += static_cast<std::size_t>(now);
  }
  all.resize(got);
  return all;
}

}  // namespace trestle::network_emulator
