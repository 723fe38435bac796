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
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace trestle::scpi_tcp {

/// The instrument's end of a real TCP socket on this host, with a thread that answers each
/// line from a table of raw bytes, and a record of the lines that came. A test waits for
/// events, never for time.
class Peer {
 public:
  Peer() : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&here), sizeof here), 0);
    EXPECT_EQ(::listen(listener_, 4), 0);
    socklen_t length = sizeof here;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &length);
    port_ = ntohs(here.sin_port);
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }
  ~Peer() {
    thread_.request_stop();
    thread_.join();
    hang_up_now();
    ::close(listener_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  /// The pieces that answer a line, each in a packet for itself; none: silence.
  void answers(const std::string& line, std::vector<std::string> pieces) {
    const std::lock_guard lock(mutex_);
    answers_[line] = std::move(pieces);
  }
  /// Answers this line no more, and waits until it comes.
  void falls_silent_at(const std::string& line) {
    std::size_t before = 0;
    {
      const std::lock_guard lock(mutex_);
      answers_[line].clear();
      before = count_of(line);
    }
    expect([&] { return count(line) > before; });
  }
  /// Sends bytes that no line asked for.
  void says(const std::string& bytes) {
    const std::lock_guard lock(mutex_);
    send_bytes(bytes);
  }
  void hang_up() {
    const std::lock_guard lock(mutex_);
    hangs_up_ = true;
  }

  /// All bytes that came on all connections.
  std::string bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }
  /// The lines that came and are no question.
  std::vector<std::string> commands() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> commands;
    std::copy_if(lines_.begin(), lines_.end(), std::back_inserter(commands),
                 [](const std::string& line) { return !line.ends_with('?'); });
    return commands;
  }
  std::size_t count(const std::string& line) const {
    const std::lock_guard lock(mutex_);
    return count_of(line);
  }
  std::size_t connections() const {
    const std::lock_guard lock(mutex_);
    return connections_;
  }
  /// Waits for one more of this line than came until now.
  void expect_another(const std::string& line) const {
    const std::size_t before = count(line);
    expect([&] { return count(line) > before; });
  }
  /// Waits until it is so; a minute is for ever.
  static void expect(const std::function<bool()>& so) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!so()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "it never came";
      std::this_thread::yield();
    }
  }

 private:
  std::size_t count_of(const std::string& line) const {
    return static_cast<std::size_t>(std::count(lines_.begin(), lines_.end(), line));
  }
  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd looks[2] = {{listener_, POLLIN, 0}, {connection_, POLLIN, 0}};
      ::poll(looks, 2, 1);
      const std::lock_guard lock(mutex_);
      if (hangs_up_) hang_up_now();
      if (looks[0].revents != 0) take_call();
      if (connection_ >= 0 && looks[1].fd == connection_ && looks[1].revents != 0)
        take_bytes();
    }
  }
  void take_call() {
    hang_up_now();
    connection_ = ::accept(listener_, nullptr, nullptr);
    begun_.clear();
    ++connections_;
  }
  void take_bytes() {
    char room[4096];
    const ssize_t size = ::recv(connection_, room, sizeof room, MSG_DONTWAIT);
    if (size <= 0) return hang_up_now();
    bytes_.append(room, static_cast<std::size_t>(size));
    begun_.append(room, static_cast<std::size_t>(size));
    for (std::size_t end = 0; (end = begun_.find('\n')) != std::string::npos;) {
      std::string line = begun_.substr(0, end);
      begun_.erase(0, end + 1);
      if (line.ends_with('\r')) line.pop_back();
      lines_.push_back(line);
      for (const std::string& piece : answers_[line]) send_bytes(piece);
    }
  }
  void send_bytes(const std::string& bytes) const {
    const int on = 1;
    ::setsockopt(connection_, IPPROTO_TCP, 1 /* TCP_NODELAY */, &on, sizeof on);
    ::send(connection_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  void hang_up_now() {
    if (connection_ >= 0) ::close(connection_);
    connection_ = -1;
    hangs_up_ = false;
  }

  int listener_;
  int connection_ = -1;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<std::string>> answers_;
  std::string bytes_;
  std::string begun_;
  std::vector<std::string> lines_;
  std::size_t connections_ = 0;
  bool hangs_up_ = false;
  std::jthread thread_;
};

}  // namespace trestle::scpi_tcp
