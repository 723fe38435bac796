#include "observe/web/web_server.h"

// Beast 1.74 forgets this one under C++20.
#include <utility>
// Its own headers follow.
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "observe/web/tls_context.h"

namespace trestle::web {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using PlainStream = beast::tcp_stream;
using SecureStream = beast::ssl_stream<beast::tcp_stream>;

constexpr std::size_t kMostConnections = 128;
constexpr std::size_t kMostHeader = 8192;
constexpr std::size_t kMostBody = 4096;
constexpr std::size_t kMostMessage = 16384;
constexpr int kSendBuffer = 65536;
constexpr auto kPatience = std::chrono::seconds(5);  // for a request
constexpr std::size_t kSlowestWay = 100000;          // [B/s]
constexpr auto kStalled = std::chrono::seconds(30);  // a page that takes nothing
constexpr auto kBetweenLooks = std::chrono::milliseconds(40);
constexpr auto kBetweenLooksUnwatched = std::chrono::milliseconds(1000);
constexpr const char* kProtocol = "trestle.live.1";
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t utc_milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

using Request = http::request<http::string_body>;

WebRequest plain_request(const Request& request, const std::string& address) {
  const auto field = [&request](http::field name) {
    const auto value = request[name];
    return std::string(value.data(), value.size());
  };
  const auto text = [](auto view) {
    return std::string(view.data(), view.size());
  };
  return {.method = text(request.method_string()),
          .target = text(request.target()),
          .host = field(http::field::host),
          .origin = field(http::field::origin),
          .cookie = field(http::field::cookie),
          .authorization = field(http::field::authorization),
          .body = request.body(),
          .address = address};
}

template <typename Fields>
void set_common_fields(Fields& answer) {
  answer.set(http::field::server, "trestle");
  answer.set("Content-Security-Policy", kPolicy);
  answer.set("X-Content-Type-Options", "nosniff");
  answer.set("Referrer-Policy", "no-referrer");
  answer.set(http::field::cache_control, "no-store");
}

/// A page that is connected, whether by TLS or not.
class LivePage {
 public:
  LivePage() = default;
  virtual ~LivePage() = default;
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  /// Sends what is new, if the connection takes it.
  virtual void send_next() = 0;
  /// A page that has taken nothing for long, or whose key was removed, is given up.
  virtual void drop_if_unwanted() = 0;
};

/// It lives as long as an operation of it is under way.
template <typename Stream>
class LiveConnection : public LivePage,
                       public std::enable_shared_from_this<LiveConnection<Stream>> {
 public:
  LiveConnection(Stream stream, std::shared_ptr<LiveClient> client)
      : socket_(std::move(stream)), client_(std::move(client)) {}

  void begin(const Request& request) {
    beast::get_lowest_layer(socket_).expires_never();
    websocket::stream_base::timeout limits{};
    limits.handshake_timeout = kPatience;
    limits.idle_timeout = kStalled;
    limits.keep_alive_pings = true;
    socket_.set_option(limits);
    socket_.set_option(
        websocket::stream_base::decorator([](websocket::response_type& answer) {
          set_common_fields(answer);
          answer.set(http::field::sec_websocket_protocol, kProtocol);
        }));
    socket_.read_message_max(kMostMessage);
    socket_.auto_fragment(false);
    socket_.async_accept(request,
                         [self = this->shared_from_this()](beast::error_code problem) {
                           if (problem) return;
                           self->open_ = true;
                           self->read();
                           self->send_next();
                         });
  }

  void send_next() override {
    if (!open_ || writing_) return;
    const double now = steady_seconds();
    bool binary = false;
    if (auto text = client_->next_text(now, utc_milliseconds())) {
      sent_ = std::move(*text);
    } else if (auto frame = client_->next_frame(now)) {
      sent_ = std::move(*frame);
      binary = true;
    } else {
      return;
    }
    writing_ = true;
    began_ = now;
    socket_.binary(binary);
    socket_.async_write(asio::buffer(sent_), [self = this->shared_from_this()](
                                                 beast::error_code problem, std::size_t) {
      self->writing_ = false;
      std::string().swap(self->sent_);
      if (problem) return self->drop();
      self->send_next();
    });
  }

  void drop_if_unwanted() override {
    const bool stalled = writing_ && steady_seconds() - began_ >
                                         std::chrono::duration<double>(kStalled).count();
    if (stalled || client_->dismissed()) drop();
  }

 private:
  void drop() {
    open_ = false;
    beast::get_lowest_layer(socket_).close();
  }

  void read() {
    socket_.async_read(message_, [self = this->shared_from_this()](
                                     beast::error_code problem, std::size_t) {
      if (problem) {
        self->open_ = false;
        return;
      }
      self->take();
    });
  }

  void take() {
    const std::string text = beast::buffers_to_string(message_.data());
    message_.consume(message_.size());
    const std::string problem = socket_.got_text() ? client_->take(text, steady_seconds())
                                                   : "a message is not text";
    if (!problem.empty()) return close(problem);
    send_next();
    read();
  }

  void close(const std::string& problem) {
    open_ = false;
    if (writing_) return drop();
    const std::string reason = problem.substr(0, 100);
    socket_.async_close(
        websocket::close_reason(websocket::close_code::policy_error,
                                beast::string_view(reason.data(), reason.size())),
        [self = this->shared_from_this()](beast::error_code) {});
  }

  websocket::stream<Stream> socket_;
  std::shared_ptr<LiveClient> client_;
  beast::flat_static_buffer<kMostMessage + 64> message_;
  std::string sent_;
  bool open_ = false;
  bool writing_ = false;
  double began_ = 0.0;
};

/// What all connections share.
struct Hub {
  PageService& service;
  std::vector<std::weak_ptr<LivePage>> pages;
  std::size_t connections = 0;
};

/// One connection by HTTP, until it ends or becomes a page's WebSocket.
template <typename Stream>
class HttpConnection : public std::enable_shared_from_this<HttpConnection<Stream>> {
 public:
  HttpConnection(Stream stream, std::string address, Hub& hub)
      : stream_(std::move(stream)), address_(std::move(address)), hub_(hub) {
    ++hub_.connections;
  }
  ~HttpConnection() { --hub_.connections; }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void begin() {
    if constexpr (kSecure) {
      lowest().expires_after(kPatience);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](beast::error_code problem) {
                                if (!problem) self->read();
                              });
    } else {
      read();
    }
  }

 private:
  static constexpr bool kSecure = std::is_same_v<Stream, SecureStream>;

  beast::tcp_stream& lowest() { return beast::get_lowest_layer(stream_); }

  void read() {
    parser_.emplace();
    parser_->header_limit(kMostHeader);
    parser_->body_limit(kMostBody);
    lowest().expires_after(kPatience);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = this->shared_from_this()](beast::error_code problem, std::size_t) {
          if (!problem) self->take();
        });
  }

  void take() {
    const Request& request = parser_->get();
    const WebRequest plain = plain_request(request, address_);
    if (websocket::is_upgrade(request)) return upgrade(request, plain);
    send(hub_.service.answer(plain, steady_seconds()));
  }

  void upgrade(const Request& request, const WebRequest& plain) {
    if (plain.target != "/live") return send({.status = 404, .body = "no such address\n"});
    const auto wanted = request[http::field::sec_websocket_protocol];
    if (wanted.find(kProtocol) == beast::string_view::npos)
      return send({.status = 400, .body = "the protocol is trestle.live.1\n"});
    Visitor visitor;
    const unsigned status = hub_.service.admit(plain, steady_seconds(), visitor);
    if (status != 101) return send({.status = status, .body = "not admitted\n"});
    const auto page = std::make_shared<LiveConnection<Stream>>(
        std::move(stream_), hub_.service.connect(visitor, address_));
    hub_.pages.push_back(page);
    page->begin(request);
  }

  void send(WebAnswer answer) {
    answer_ = {};
    answer_.result(answer.status);
    answer_.version(11);
    set_common_fields(answer_);
    answer_.set(http::field::content_type, answer.type);
    if (!answer.cookie.empty()) answer_.set(http::field::set_cookie, answer.cookie);
    if (!answer.policy.empty())
      answer_.set("Content-Security-Policy", std::string(answer.policy));
    answer_.keep_alive(parser_->get().keep_alive());
    const bool head = parser_->get().method() == http::verb::head;
    std::string body =
        answer.file.empty() ? std::move(answer.body) : std::string(answer.file);
    const std::size_t size = body.size();
    if (!head) answer_.body() = std::move(body);
    if (answer.status != 204) answer_.content_length(size);
    lowest().expires_after(kPatience + std::chrono::seconds(size / kSlowestWay));
    http::async_write(
        stream_, answer_,
        [self = this->shared_from_this()](beast::error_code problem, std::size_t) {
          if (problem) return;
          if (!self->answer_.keep_alive()) return self->end();
          self->read();
        });
  }

  void end() {
    if constexpr (kSecure) {
      lowest().expires_after(kPatience);
      stream_.async_shutdown([self = this->shared_from_this()](beast::error_code) {});
    } else {
      beast::error_code none;
      stream_.socket().shutdown(tcp::socket::shutdown_send, none);
    }
  }

  Stream stream_;
  std::string address_;
  Hub& hub_;
  beast::flat_static_buffer<kMostHeader + kMostBody> buffer_;
  boost::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> answer_;
};

}  // namespace

struct WebServer::Parts {
  explicit Parts(PageService& service) : hub{service, {}, 0} {}

  void accept() {
    acceptor.async_accept([this](beast::error_code problem, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (!problem && hub.connections < kMostConnections) take(std::move(socket));
      accept();
    });
  }

  void take(tcp::socket socket) {
    beast::error_code problem;
    const std::string address = socket.remote_endpoint(problem).address().to_string();
    if (problem) return;
    socket.set_option(asio::socket_base::send_buffer_size(kSendBuffer), problem);
    socket.set_option(tcp::no_delay(true), problem);
    if (tls)
      std::make_shared<HttpConnection<SecureStream>>(SecureStream(std::move(socket), *tls),
                                                     address, hub)
          ->begin();
    else
      std::make_shared<HttpConnection<PlainStream>>(PlainStream(std::move(socket)), address,
                                                    hub)
          ->begin();
  }

  void look() {
    hub.service.look(steady_seconds());
    std::erase_if(hub.pages, [](const auto& page) { return page.expired(); });
    for (const auto& page : std::vector(hub.pages))
      if (const auto open = page.lock()) {
        open->drop_if_unwanted();
        open->send_next();
      }
    timer.expires_after(hub.pages.empty() ? kBetweenLooksUnwatched : kBetweenLooks);
    timer.async_wait([this](beast::error_code problem) {
      if (!problem) look();
    });
  }

  asio::io_context context{1};
  std::optional<asio::ssl::context> tls;
  Hub hub;
  tcp::acceptor acceptor{context};
  asio::steady_timer timer{context};
  asio::signal_set signals{context};
};

WebServer::WebServer(PageService& service, const std::string& address, std::uint16_t port,
                     const TlsFiles& files)
    : parts_(std::make_unique<Parts>(service)) {
  if (!files.certificate.empty()) parts_->tls.emplace(tls_context(files));
  beast::error_code problem;
  const auto number = asio::ip::make_address(address, problem);
  if (problem)
    throw std::runtime_error("`" + address + "` is no address, such as 127.0.0.1");
  const tcp::endpoint place(number, port);
  tcp::acceptor& acceptor = parts_->acceptor;
  acceptor.open(place.protocol(), problem);
  if (!problem) acceptor.set_option(asio::socket_base::reuse_address(true), problem);
  if (!problem) acceptor.bind(place, problem);
  if (!problem) acceptor.listen(asio::socket_base::max_listen_connections, problem);
  if (problem)
    throw std::runtime_error("cannot listen on " + address + ":" + std::to_string(port) +
                             ": " + problem.message());
}

WebServer::~WebServer() = default;

std::uint16_t WebServer::port() const {
  return parts_->acceptor.local_endpoint().port();
}

void WebServer::run() {
  parts_->signals.add(SIGINT);
  parts_->signals.add(SIGTERM);
  parts_->signals.async_wait([this](beast::error_code problem, int) {
    if (!problem) parts_->context.stop();
  });
  parts_->accept();
  parts_->look();
  parts_->context.run();
}

void WebServer::stop() {
  parts_->context.stop();
}

}  // namespace trestle::web
