#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace trestle::modbus_tcp {

/// A PLC on a real TCP socket of this host, written from the protocol's specification: it
/// keeps registers and every request, and can refuse, be silent or answer garbage.
class Plc {
  template <typename Call>
  auto locked(const Call& call) {
    const std::lock_guard lock(mutex_);
    return call();
  }

 public:
  using Bytes = std::vector<std::uint8_t>;
  enum class Mood {
    kWell,
    kSilent,   ///< takes requests, never answers
    kRefuses,  ///< exception 2
    kGarbage,  ///< an answer to another transaction
    kNoise,    ///< bytes that are no Modbus
    kShort,    ///< the first half of an answer, and no more
    kHangsUp   ///< closes the connection at the next request
  };

  Plc() { open(0); }
  ~Plc() { switch_off(); }
  Plc(const Plc&) = delete;
  Plc& operator=(const Plc&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  /// Closes every connection and listens no more.
  void switch_off() {
    if (!thread_.joinable()) return;
    thread_.request_stop();
    thread_.join();
    ::close(listener_);
  }
  void switch_on() { open(port_); }

  void set_mood(Mood mood) {
    locked([&] { mood_ = mood; });
  }
  /// Called with each request before the answer, on the PLC's thread.
  void on_request(std::function<void(const Bytes&)> call) {
    locked([&] { on_request_ = std::move(call); });
  }
  void set_holding(std::uint16_t address, std::vector<std::uint16_t> words) {
    locked([&] { put(holding_, address, words); });
  }
  void set_input(std::uint16_t address, std::vector<std::uint16_t> words) {
    locked([&] { put(input_, address, words); });
  }
  std::uint16_t holding(std::uint16_t address) {
    return locked([&] { return holding_[address]; });
  }
  /// Requests with this function code and address so far, whole frames.
  std::vector<Bytes> requests(std::uint8_t function, std::uint16_t address) {
    return locked([&] {
      std::vector<Bytes> found;
      std::copy_if(requests_.begin(), requests_.end(), std::back_inserter(found),
                   [&](const Bytes& one) { return is(one, function, address); });
      return found;
    });
  }
  std::size_t count() {
    return locked([&] { return requests_.size(); });
  }

  static bool is(const Bytes& request, std::uint8_t function, std::uint16_t address) {
    return request[7] == function && request[8] == address / 256 &&
           request[9] == address % 256;
  }

 private:
  static void put(std::map<int, std::uint16_t>& registers, int address,
                  const std::vector<std::uint16_t>& words) {
    for (const std::uint16_t word : words) registers[address++] = word;
  }

  void open(std::uint16_t port) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(port);
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof here;
    ASSERT_EQ(::bind(listener_, reinterpret_cast<const sockaddr*>(&here), length), 0);
    ASSERT_EQ(::listen(listener_, 8), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &length);
    port_ = ntohs(here.sin_port);
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }

  void serve(const std::stop_token& stop) {
    std::vector<pollfd> sockets{{listener_, POLLIN, 0}};
    while (!stop.stop_requested()) {
      ::poll(sockets.data(), sockets.size(), 5);
      if ((sockets[0].revents & POLLIN) != 0)
        sockets.push_back({::accept(listener_, nullptr, nullptr), POLLIN, 0});
      for (std::size_t i = 1; i < sockets.size(); ++i)
        if (sockets[i].revents != 0 && !answer(sockets[i].fd)) {
          ::close(sockets[i].fd);
          sockets.erase(sockets.begin() + static_cast<std::ptrdiff_t>(i--));
        }
    }
    for (std::size_t i = 1; i < sockets.size(); ++i) ::close(sockets[i].fd);
  }

  /// @returns false if the connection ends
  bool answer(int client) {
    Bytes request(7);
    if (::recv(client, request.data(), 7, MSG_WAITALL) != 7) return false;
    const std::size_t length = request[4] * 256U + request[5] - 1U;
    request.resize(7 + length);
    if (::recv(client, request.data() + 7, length, MSG_WAITALL) !=
        static_cast<ssize_t>(length))
      return false;
    std::function<void(const Bytes&)> call;
    locked([&] { call = on_request_; });
    if (call) call(request);
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    if (mood_ == Mood::kSilent) return true;
    if (mood_ == Mood::kHangsUp) return false;
    Bytes reply = mood_ == Mood::kRefuses
                      ? frame(request, {static_cast<std::uint8_t>(request[7] | 0x80U), 2})
                      : frame(request, body(request));
    if (mood_ == Mood::kGarbage) reply[1] ^= 0x55U;
    if (mood_ == Mood::kNoise) reply.assign(reply.size(), 0xAB);
    if (mood_ == Mood::kShort) reply.resize(reply.size() / 2);
    return ::send(client, reply.data(), reply.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(reply.size());
  }

  static Bytes frame(const Bytes& request, const Bytes& body) {
    Bytes reply(request.begin(), request.begin() + 7);
    reply[4] = 0;
    reply[5] = static_cast<std::uint8_t>(body.size() + 1);
    reply.insert(reply.end(), body.begin(), body.end());
    return reply;
  }
  Bytes body(const Bytes& request) {
    const auto word = [&request](std::size_t at) {
      return request[at] * 256 + request[at + 1];
    };
    const int address = word(8);
    if (request[7] == 3 || request[7] == 4) {
      Bytes reply{request[7], static_cast<std::uint8_t>(2 * word(10))};
      for (int i = 0; i < word(10); ++i) {
        const unsigned value = (request[7] == 3 ? holding_ : input_)[address + i];
        reply.push_back(static_cast<std::uint8_t>(value >> 8U));
        reply.push_back(static_cast<std::uint8_t>(value));
      }
      return reply;
    }
    if (request[7] == 6) {
      holding_[address] = static_cast<std::uint16_t>(word(10));
    } else if (request[7] == 16) {
      for (int i = 0; i < word(10); ++i)
        holding_[address + i] =
            static_cast<std::uint16_t>(word(13 + 2 * static_cast<std::size_t>(i)));
    } else {
      return {static_cast<std::uint8_t>(request[7] | 0x80U), 1};
    }
    return {request.begin() + 7, request.begin() + 12};
  }

  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  Mood mood_ = Mood::kWell;
  std::function<void(const Bytes&)> on_request_;
  std::map<int, std::uint16_t> holding_;
  std::map<int, std::uint16_t> input_;
  std::vector<Bytes> requests_;
  std::jthread thread_;
};

}  // namespace trestle::modbus_tcp
