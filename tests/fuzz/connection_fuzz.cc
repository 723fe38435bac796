// Any bytes at the port of the live page: a request by HTTP, or the frames of a page that
// is connected. The server ends each connection whose other end has nothing more to say,
// and answers the next one.
//   byte 0  even: HTTP; odd: after the handshake of a page, its frames
//   byte 1  length of the pieces that are sent; 0: all at once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/sha256.h"
#include "observe/web/page_service.h"
#include "observe/web/web_server.h"
#include "tests/fuzz/promise.h"
#include "tests/observe/web/watched_folder.h"

namespace trestle {
namespace {

constexpr const char* kToken = "00000000000000000000000000000000";
constexpr int kRows = 3000;
constexpr std::size_t kMostSent = 16'000;  // fits into the buffers of the sockets
constexpr std::size_t kMostHeard = 64'000'000;
constexpr timeval kPatience{.tv_sec = 10, .tv_usec = 0};

class SilentNode final : public web::NodeLink {
 public:
  web::NodeAnswer newest() override { return {}; }
  void command(const web::PageCommand& /*command*/) override {
    fuzz::promise(false, "a viewer commands nothing");
  }
  std::vector<web::CommandOutcome> take_outcomes() override { return {}; }
};

/// The server of a record that has ended, on a thread of its own.
class Server {
 public:
  Server() : thread_([this] { server_.run(); }) {}
  ~Server() {
    server_.stop();
    thread_.join();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  web::testing::WatchedFolder folder_{kRows};
  SilentNode node_;
  web::PageService service_{
      {.folders = {folder_.path()},
       .keys = {{.person = "vera", .role = web::Role::kViewer, .digest = sha256(kToken)}},
       .allow = {"note", "hold"},
       .host_names = {},
       .software = "0"},
      {&node_}};
  web::WebServer server_{service_, "127.0.0.1", 0};
  std::uint16_t port_ = server_.port();
  std::thread thread_;
};

class Connection {
 public:
  explicit Connection(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    fuzz::promise(
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0,
        "the server takes a connection");
  }
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// The server may have ended the connection already.
  void send(std::string_view bytes, std::size_t piece) {
    while (!bytes.empty()) {
      const std::string_view part = bytes.substr(0, piece);
      if (::send(socket_, part.data(), part.size(), MSG_NOSIGNAL) <= 0) return;
      bytes.remove_prefix(part.size());
    }
  }

  /// Up to the end of an answer's head.
  std::string head() {
    std::string heard;
    char letter = 0;
    while (!heard.ends_with("\r\n\r\n") && ::recv(socket_, &letter, 1, 0) == 1)
      heard += letter;
    return heard;
  }

  /// All that comes until the server ends the connection, after this end has.
  std::string rest() {
    ::shutdown(socket_, SHUT_WR);
    std::string heard;
    std::array<char, 65536> bytes{};
    ssize_t count = 0;
    while ((count = ::recv(socket_, bytes.data(), bytes.size(), 0)) > 0) {
      heard.append(bytes.data(), static_cast<std::size_t>(count));
      fuzz::promise(heard.size() < kMostHeard, "what the server says is bounded");
    }
    fuzz::promise(count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK),
                  "the server ends a connection that has ended");
    return heard;
  }

 private:
  int socket_;
};

void connect_as_a_page(Connection& connection, std::uint16_t port) {
  const std::string host = "127.0.0.1:" + std::to_string(port);
  connection.send("GET /live HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" + host +
                      "\r\nCookie: trestle=" + kToken +
                      "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                      "Sec-WebSocket-Version: 13\r\n"
                      "Sec-WebSocket-Protocol: trestle.live.1\r\n\r\n",
                  std::string::npos);
  fuzz::promise(connection.head().starts_with("HTTP/1.1 101"), "a page connects");
}

void check(std::string_view input) {
  static const Server server;
  const unsigned kind = input.empty() ? 0U : static_cast<unsigned char>(input.front());
  const auto piece = input.size() > 1 ? static_cast<unsigned char>(input[1]) : 0U;
  {
    Connection connection(server.port());
    if (kind % 2 == 1) connect_as_a_page(connection, server.port());
    connection.send(input.substr(std::min<std::size_t>(input.size(), 2), kMostSent),
                    piece == 0 ? std::string_view::npos : piece);
    const std::string heard = connection.rest();
    fuzz::promise(kind % 2 == 1 || heard.empty() || heard.starts_with("HTTP/1."),
                  "an answer is one of HTTP");
  }
  Connection next(server.port());
  next.send("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
            std::string_view::npos);
  fuzz::promise(next.rest().ends_with("\r\n\r\nok\n"), "the server answers the next one");
}

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
