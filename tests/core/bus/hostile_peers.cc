#include "tests/core/bus/hostile_peers.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zmq.h>

#include <array>

namespace trestle::testing {
namespace {

int connect_to(const std::string& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(
      static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return connection;
}

void write_all(int to, const std::string& bytes) {
  ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

}  // namespace

KeyPair new_key_pair() {
  std::array<char, 41> open_half{};
  std::array<char, 41> secret{};
  zmq_curve_keypair(open_half.data(), secret.data());
  return {open_half.data(), secret.data()};
}

RawPeer::RawPeer(const std::string& address, const std::string& id, const KeyPair& own,
                 const std::string& server_key)
    : context_(zmq_ctx_new()), socket_(zmq_socket(context_, ZMQ_DEALER)) {
  const int none = 0;
  zmq_setsockopt(socket_, ZMQ_LINGER, &none, sizeof none);
  zmq_setsockopt(socket_, ZMQ_ROUTING_ID, id.data(), id.size());
  if (!server_key.empty()) {
    zmq_setsockopt(socket_, ZMQ_CURVE_PUBLICKEY, own.open_half.c_str(), 40);
    zmq_setsockopt(socket_, ZMQ_CURVE_SECRETKEY, own.secret.c_str(), 40);
    zmq_setsockopt(socket_, ZMQ_CURVE_SERVERKEY, server_key.c_str(), 40);
  }
  zmq_connect(socket_, address.c_str());
}

RawPeer::~RawPeer() {
  zmq_close(socket_);
  zmq_ctx_term(context_);
}

void RawPeer::send(const std::string& bytes) const {
  zmq_send(socket_, bytes.data(), bytes.size(), 0);
}

RawConnection::RawConnection(const std::string& endpoint) : socket_(connect_to(endpoint)) {}

RawConnection::~RawConnection() {
  close(socket_);
}

void RawConnection::send(const std::string& bytes) const {
  write_all(socket_, bytes);
}

std::size_t RawConnection::hear() const {
  pollfd event{.fd = socket_, .events = POLLIN, .revents = 0};
  if (poll(&event, 1, 2000) <= 0) return 0;
  std::array<char, 4096> room{};
  const ssize_t bytes = recv(socket_, room.data(), room.size(), 0);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

Eavesdropper::Eavesdropper(const std::string& endpoint) : endpoint_(endpoint) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  bind(listener_, any, size);
  listen(listener_, 1);
  getsockname(listener_, any, &size);
  address_ = "tcp://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  thread_ = std::thread([this] { run(); });
}

Eavesdropper::~Eavesdropper() {
  heard();
}

std::vector<std::string> Eavesdropper::heard() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
  return pieces_;
}

void Eavesdropper::run() {
  pollfd called{.fd = listener_, .events = POLLIN, .revents = 0};
  while (!over_ && poll(&called, 1, 10) == 0) continue;
  const int caller = over_ ? -1 : accept(listener_, nullptr, nullptr);
  close(listener_);
  if (caller < 0) return;
  const int callee = connect_to(endpoint_);
  std::array<pollfd, 2> ends{{{.fd = caller, .events = POLLIN, .revents = 0},
                              {.fd = callee, .events = POLLIN, .revents = 0}}};
  std::array<char, 65536> room{};
  for (bool open = true; open && !over_;) {
    if (poll(ends.data(), ends.size(), 10) <= 0) continue;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].revents == 0) continue;
      const ssize_t bytes = recv(ends[i].fd, room.data(), room.size(), 0);
      if (bytes <= 0) {
        open = false;
        break;
      }
      const std::string piece(room.data(), static_cast<std::size_t>(bytes));
      if (i == 0) pieces_.push_back(piece);
      write_all(ends[1 - i].fd, piece);
    }
  }
  close(caller);
  close(callee);
}

}  // namespace trestle::testing
