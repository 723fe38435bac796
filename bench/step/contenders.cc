#include "bench/step/contenders.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zmq.h>

#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <stdexcept>
#include <thread>

#include "core/bus/memory_network.h"
#include "core/bus/message_codec.h"
#include "core/bus/zmq_transport.h"

namespace trestle::bench {
namespace {

using namespace std::chrono_literals;

constexpr int kDofs = 2;

void require(bool good, const char* what) {
  if (!good) throw std::runtime_error(what);
}

StepCommand command() {
  StepCommand message;
  message.session.fill(7);
  message.target = {InterfaceVector::Constant(kDofs, 0.012),
                    InterfaceVector::Constant(kDofs, 0.19),
                    InterfaceVector::Constant(kDofs, 3.1)};
  return message;
}

StepResponse response() {
  StepResponse message;
  message.session.fill(7);
  message.measured = InterfaceVector::Constant(kDofs, 0.012);
  message.force = InterfaceVector::Constant(kDofs, 4.1e4);
  const ActuatorVector axis = ActuatorVector::Constant(kDofs, 0.012);
  message.actuators = {axis, axis, axis, axis};
  return message;
}

std::string bytes_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string command_bytes() {
  return bytes_of(bus::MessageCodec().encode(command()));
}
std::string response_bytes() {
  return bytes_of(bus::MessageCodec().encode(response()));
}

/// The site's end on its own thread and CPU, from the constructor to the destructor.
class SiteThread {
 public:
  SiteThread(int cpu, std::function<void()> run)
      : thread_([cpu, run = std::move(run)] {
          pin(cpu);
          run();
        }) {}

 private:
  std::jthread thread_;
};

/// Blocking sockets, no delay, nothing else: what the network itself costs.
class RawTcp final : public Contender {
 public:
  explicit RawTcp(const Placement& placement)
      : out_(command_bytes()), back_(response_bytes()) {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    require(bind(listener, any, size) == 0 && ::listen(listener, 1) == 0, "raw tcp: bind");
    getsockname(listener, any, &size);
    here_ = socket(AF_INET, SOCK_STREAM, 0);
    require(connect(here_, any, size) == 0, "raw tcp: connect");
    there_ = accept(listener, nullptr, nullptr);
    close(listener);
    const int one = 1;
    for (const int end : {here_, there_})
      setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    site_ = std::make_unique<SiteThread>(placement.site, [this] {
      std::array<char, 1024> room{};
      while (read_all(there_, room.data(), out_.size()))
        if (write(there_, back_.data(), back_.size()) < 0) return;
    });
  }
  ~RawTcp() override {
    shutdown(here_, SHUT_RDWR);
    site_.reset();
    close(here_);
    close(there_);
  }

  void exchange() override {
    std::array<char, 1024> room{};
    require(write(here_, out_.data(), out_.size()) > 0, "raw tcp: write");
    require(read_all(here_, room.data(), back_.size()), "raw tcp: read");
  }

 private:
  static bool read_all(int socket, char* room, std::size_t size) {
    std::size_t got = 0;
    while (got < size) {
      const ssize_t bytes = read(socket, room + got, size - got);
      if (bytes <= 0) return false;
      got += static_cast<std::size_t>(bytes);
    }
    return true;
  }

  std::string out_;
  std::string back_;
  int here_ = -1;
  int there_ = -1;
  std::unique_ptr<SiteThread> site_;
};

/// A pair of CURVE.
struct Keys {
  Keys() { require(zmq_curve_keypair(open_half.data(), secret.data()) == 0, "no CURVE"); }
  std::array<char, 41> open_half{};
  std::array<char, 41> secret{};
};

enum class Guard { kPlain, kCurve };

/// Blocking ROUTER and DEALER with the same bytes: what ZeroMQ costs, and its CURVE.
class RawZmq final : public Contender {
 public:
  RawZmq(const Placement& placement, const std::string& address,
         Guard guard = Guard::kPlain)
      : out_(command_bytes()),
        back_(response_bytes()),
        guard_(guard),
        context_(zmq_ctx_new()) {
    router_ = zmq_socket(context_, ZMQ_ROUTER);
    if (guard_ == Guard::kCurve) {
      const int server = 1;
      zmq_setsockopt(router_, ZMQ_CURVE_SERVER, &server, sizeof server);
      zmq_setsockopt(router_, ZMQ_CURVE_SECRETKEY, keys_.secret.data(), 40);
    }
    require(zmq_bind(router_, address.c_str()) == 0, "raw zmq: bind");
    std::array<char, 256> bound{};
    std::size_t size = bound.size();
    zmq_getsockopt(router_, ZMQ_LAST_ENDPOINT, bound.data(), &size);
    site_ = std::make_unique<SiteThread>(
        placement.site, [this, at = std::string(bound.data())] { serve(at); });
    std::array<char, 8> room{};
    zmq_recv(router_, room.data(), room.size(), 0);  // the name
    zmq_recv(router_, room.data(), room.size(), 0);  // the call
  }
  ~RawZmq() override {
    zmq_send(router_, "site", 4, ZMQ_SNDMORE);
    zmq_send(router_, "", 0, 0);
    site_.reset();
    zmq_close(router_);
    zmq_ctx_term(context_);
  }

  void exchange() override {
    std::array<char, 1024> room{};
    zmq_send(router_, "site", 4, ZMQ_SNDMORE);
    zmq_send(router_, out_.data(), out_.size(), 0);
    zmq_recv(router_, room.data(), room.size(), 0);
    const int size = zmq_recv(router_, room.data(), room.size(), 0);
    require(size == static_cast<int>(back_.size()), "raw zmq: wrong answer");
  }

 private:
  void serve(const std::string& address) const {
    void* const context = zmq_ctx_new();
    void* const dealer = zmq_socket(context, ZMQ_DEALER);
    zmq_setsockopt(dealer, ZMQ_ROUTING_ID, "site", 4);
    const Keys own;
    if (guard_ == Guard::kCurve) {
      zmq_setsockopt(dealer, ZMQ_CURVE_PUBLICKEY, own.open_half.data(), 40);
      zmq_setsockopt(dealer, ZMQ_CURVE_SECRETKEY, own.secret.data(), 40);
      zmq_setsockopt(dealer, ZMQ_CURVE_SERVERKEY, keys_.open_half.data(), 40);
    }
    zmq_connect(dealer, address.c_str());
    zmq_send(dealer, "x", 1, 0);
    std::array<char, 1024> room{};
    while (zmq_recv(dealer, room.data(), room.size(), 0) > 0)
      zmq_send(dealer, back_.data(), back_.size(), 0);
    zmq_close(dealer);
    zmq_ctx_term(context);
  }

  std::string out_;
  std::string back_;
  Guard guard_;
  Keys keys_;
  void* context_;
  void* router_ = nullptr;
  std::unique_ptr<SiteThread> site_;
};

/// ZmqTransport at both ends, called as the runners call it: wait, then take all there is.
class Product final : public Contender {
 public:
  Product(const Placement& placement, const std::string& address,
          Guard guard = Guard::kPlain)
      : command_(command()), guard_(guard) {
    bus::IntegratorEndpoint endpoint{.listen = address, .sites = {{"site", ""}}};
    if (guard == Guard::kCurve) {
      endpoint.security.secret_key = keys_.secret.data();
      endpoint.security.peers = {{"site", site_keys_.open_half.data()}};
    }
    here_ = bus::ZmqTransport::for_integrator(endpoint);
    site_ = std::make_unique<SiteThread>(placement.site, [this] { serve(); });
    while (!here_->receive(in_)) here_->wait(10ms);
    while (!here_->send(0, Start{})) here_->wait(10ms);
  }
  ~Product() override {
    over_ = true;
    here_->send(0, Stop{});
    site_.reset();
  }

  void exchange() override {
    ++command_.step;
    require(here_->send(0, command_), "product: send");
    for (bool answered = false; !answered;) {
      here_->wait(1s);
      while (here_->receive(in_))
        answered |= in_.kind == ReceivedMessage::Kind::kStepResponse;
    }
    require(in_.response.step == command_.step, "product: wrong answer");
  }

 private:
  void serve() const {
    bus::SiteEndpoint endpoint{
        .name = "site", .listen = "", .integrator = here_->bound_endpoint()};
    if (guard_ == Guard::kCurve) {
      endpoint.integrator_key = keys_.open_half.data();
      endpoint.security.secret_key = site_keys_.secret.data();
    }
    const auto there = bus::ZmqTransport::for_site(endpoint);
    StepResponse answer = response();
    ReceivedMessage in;
    while (!there->receive(in) && !over_) {
      there->send(0, Start{});
      there->wait(10ms);
    }
    while (!over_) {
      while (there->receive(in)) {
        if (in.kind != ReceivedMessage::Kind::kStepCommand) continue;
        answer.step = in.command.step;
        there->send(0, answer);
      }
      there->wait(1s);
    }
  }

  StepCommand command_;
  Guard guard_;
  Keys keys_;
  Keys site_keys_;
  std::unique_ptr<bus::ZmqTransport> here_;
  ReceivedMessage in_;
  std::atomic<bool> over_{false};
  std::unique_ptr<SiteThread> site_;
};

/// What encoding and decoding both messages is of the product's time.
class CodecAlone final : public Contender {
 public:
  void exchange() override {
    ++command_.step;
    there_.decode(here_.encode(command_), in_);
    answer_.step = in_.command.step;
    here_.decode(there_.encode(answer_), in_);
    require(in_.response.step == command_.step, "codec: wrong answer");
  }

 private:
  bus::MessageCodec here_;
  bus::MessageCodec there_;
  StepCommand command_ = command();
  StepResponse answer_ = response();
  ReceivedMessage in_;
};

/// The bus of one process: both ends by one thread.
class InProcess final : public Contender {
 public:
  void exchange() override {
    ++command_.step;
    network_.integrator().send(0, command_);
    network_.site(0).receive(in_);
    answer_.step = in_.command.step;
    network_.site(0).send(0, answer_);
    network_.integrator().receive(in_);
    require(in_.response.step == command_.step, "in process: wrong answer");
  }

 private:
  bus::MemoryNetwork network_{1};
  StepCommand command_ = command();
  StepResponse answer_ = response();
  ReceivedMessage in_;
};

}  // namespace

void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  require(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0, "cannot pin");
}

std::vector<Entry> make_contenders(const Placement& placement, const std::string& folder) {
  std::vector<Entry> entries;
  const std::string tcp = "tcp://127.0.0.1:0";
  entries.push_back({"raw TCP", "raw TCP", std::make_unique<RawTcp>(placement)});
  entries.push_back(
      {"raw ZeroMQ tcp", "raw TCP", std::make_unique<RawZmq>(placement, tcp)});
  entries.push_back(
      {"ZmqTransport tcp", "raw ZeroMQ tcp", std::make_unique<Product>(placement, tcp)});
  entries.push_back({"raw ZeroMQ curve", "raw ZeroMQ tcp",
                     std::make_unique<RawZmq>(placement, tcp, Guard::kCurve)});
  entries.push_back({"ZmqTransport curve", "ZmqTransport tcp",
                     std::make_unique<Product>(placement, tcp, Guard::kCurve)});
  entries.push_back({"raw ZeroMQ ipc", "raw TCP",
                     std::make_unique<RawZmq>(placement, "ipc://" + folder + "/floor")});
  entries.push_back({"ZmqTransport ipc", "raw ZeroMQ ipc",
                     std::make_unique<Product>(placement, "ipc://" + folder + "/product")});
  entries.push_back({"codec alone", "raw TCP", std::make_unique<CodecAlone>()});
  entries.push_back({"MemoryNetwork", "raw TCP", std::make_unique<InProcess>()});
  return entries;
}

}  // namespace trestle::bench
