#include "tests/adapters/openfresco_client/laboratory_host.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace trestle::openfresco {
namespace {

constexpr int kThird = 3;

class Turn {
 public:
  explicit Turn(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set()) std::this_thread::yield();
  }
  ~Turn() { flag_.clear(); }

 private:
  std::atomic_flag& flag_;
};

}  // namespace

LaboratoryHost::LaboratoryHost(const Settings& settings) : settings_(settings) {
  listener_ = socket(AF_INET, settings.datagrams ? SOCK_DGRAM : SOCK_STREAM, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bind(listener_, reinterpret_cast<sockaddr*>(&here), sizeof here);
  if (!settings.datagrams) listen(listener_, 1);
  socklen_t size = sizeof here;
  getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &size);
  address_ = "127.0.0.1:" + std::to_string(ntohs(here.sin_port));
  thread_ = std::thread([this] { serve(); });
}

LaboratoryHost::~LaboratoryHost() {
  stop_ = true;
  thread_.join();
  close(listener_);
}

std::vector<int> LaboratoryHost::codes() const {
  const Turn turn(busy_);
  return codes_;
}

std::vector<double> LaboratoryHost::trials() const {
  const Turn turn(busy_);
  return trials_;
}

std::vector<double> LaboratoryHost::farewell() const {
  const Turn turn(busy_);
  return farewell_;
}

void LaboratoryHost::serve() {
  while (!stop_) {
    pollfd look{.fd = listener_, .events = POLLIN, .revents = 0};
    if (poll(&look, 1, 5) <= 0) continue;
    if (!settings_.datagrams) {
      const int client = accept(listener_, nullptr, nullptr);
      serve_one(client);
      close(client);
      continue;
    }
    // Replies go to the peer that sent first.
    char first = 0;
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    recvfrom(listener_, &first, 1, MSG_PEEK, reinterpret_cast<sockaddr*>(&peer), &size);
    connect(listener_, reinterpret_cast<sockaddr*>(&peer), sizeof peer);
    serve_one(listener_);
    sockaddr nobody{};
    nobody.sa_family = AF_UNSPEC;
    connect(listener_, &nobody, sizeof nobody);
  }
}

bool LaboratoryHost::read_all(int socket, void* into, std::size_t bytes) {
  char* to = static_cast<char*>(into);
  while (bytes > 0) {
    if (!datagram_.empty()) {
      const std::size_t part = std::min(bytes, datagram_.size());
      std::memcpy(to, datagram_.data(), part);
      datagram_.erase(datagram_.begin(), datagram_.begin() + static_cast<long>(part));
      to += part;
      bytes -= part;
      continue;
    }
    pollfd look{.fd = socket, .events = POLLIN, .revents = 0};
    if (stop_) return false;
    if (poll(&look, 1, 5) <= 0) continue;
    datagram_.resize(65536);
    const ssize_t came = recv(socket, datagram_.data(), datagram_.size(), 0);
    datagram_.resize(came > 0 ? static_cast<std::size_t>(came) : 0);
    if (came <= 0) return false;
  }
  return true;
}

bool LaboratoryHost::reply(int socket, std::vector<double> values) {
  values.resize(data_, 0.0);
  return send(socket, values.data(), values.size() * 8, MSG_NOSIGNAL) > 0;
}

bool LaboratoryHost::hand_shake(int socket) {
  if (settings_.datagrams && settings_.greets) {
    char greeting = 0;
    if (!read_all(socket, &greeting, 1) || greeting != 'a') return false;
    send(socket, "b", 1, MSG_NOSIGNAL);
  }
  if (settings_.kind != Kind::kLab) {
    int sizes[11];
    if (!read_all(socket, sizes, sizeof sizes)) return false;
    std::copy_n(sizes, 10, sizes_);
    data_ = static_cast<std::size_t>(sizes[10]);
    return settings_.trouble != Trouble::kClosesAtOnce;
  }
  int one = 0;
  if (!settings_.datagrams) {
    if (!read_all(socket, &one, 4) || one != 1) return false;
    send(socket, &one, 4, MSG_NOSIGNAL);
  }
  std::vector<double> message(256);
  if (!read_all(socket, message.data(), 2048)) return false;
  const double version = settings_.trouble == Trouble::kOtherVersion ? 2.7 : message[2];
  reply(socket, {0, 1, version});
  if (!read_all(socket, message.data(), 2048) || message[0] != 2.0) return false;
  if (!read_all(socket, sizes_, sizeof sizes_)) return false;
  data_ = static_cast<std::size_t>(message[1]);
  return true;
}

bool LaboratoryHost::serve_one(int socket) {
  data_ = 256;
  trials_here_ = 0;
  datagram_.clear();
  if (!hand_shake(socket)) return false;
  if (!settings_.keeps_its_place || at_.empty())
    at_.assign(static_cast<std::size_t>(sizes_[0]), 0.0);
  std::vector<double> message(data_);
  while (read_all(socket, message.data(), data_ * 8))
    if (!answer(socket, message)) return true;
  return false;
}

bool LaboratoryHost::answer(int socket, const std::vector<double>& message) {
  const int code = static_cast<int>(message[0]);
  {
    const Turn turn(busy_);
    codes_.push_back(code);
    if (code == 3) trials_.push_back(message[1]);
    if (code == 99) farewell_ = message;
  }
  const auto n = static_cast<std::ptrdiff_t>(at_.size());
  const bool troubled = trials_here_ >= kThird;
  switch (code) {
    case 3:
      std::copy_n(message.begin() + 1, n, at_.begin());
      time_ = message[static_cast<std::size_t>(3 * n + 1)];
      if (++trials_here_ == kThird && settings_.trouble == Trouble::kClosesOnTrial)
        return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(settings_.slow_ms));
      return true;
    case 6: {
      if (troubled && settings_.trouble == Trouble::kSaysNothing) return true;
      std::vector<double> values;
      for (int response = 0; response < 5; ++response)
        for (int i = 0; i < sizes_[5 + response]; ++i) {
          const double d = at_[static_cast<std::size_t>(i) % at_.size()];
          values.push_back(response == 0 ? d : response == 3 ? 2.8 * d : time_);
        }
      if (troubled && settings_.trouble == Trouble::kSaysNaN) values[0] = std::nan("");
      if (settings_.trouble == Trouble::kSaysMore)
        for (const std::size_t bytes : {5U, 4000U})
          send(socket, std::vector<char>(bytes, 'x').data(), bytes, MSG_NOSIGNAL);
      return reply(socket, values);
    }
    case 99:
      if (settings_.kind == Kind::kLab) reply(socket, {4, 1});
      return false;
    default:
      return true;
  }
}

}  // namespace trestle::openfresco
