#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "gateway/network_emulator/relay_direction.h"
#include "gateway/network_emulator/relay_settings.h"

namespace trestle::network_emulator {

/// One connection through a relay: its two sockets, and what is on its way between them.
///
/// What is read goes into the model of its way as one message and is written when the model
/// says; the end of one side travels like a message. Too much on its way: nothing more is
/// read. Lives on the relay's thread, until `gone` was called.
class RelayedConnection {
 public:
  using Tcp = boost::asio::ip::tcp;
  using Steady = std::chrono::steady_clock;
  /// Why there is no connection to the other end; empty: there is one.
  using Connected = std::function<void(const std::string& problem)>;
  using Gone = std::function<void(RelayedConnection&)>;

  /// @param zero  when the link's time began
  /// @param gone  called once, last of all: may destroy the connection
  RelayedConnection(Tcp::socket caller, RelayDirection& out, RelayDirection& back,
                    Steady::time_point zero, Gone gone);

  /// Calls the other end; from then on bytes pass. @param connected  called at most once
  void call(const HostPort& to, const Connected& connected);

  void close();

  /// There was a connection to the other end.
  bool passed() const noexcept { return passed_; }

 private:
  static constexpr std::size_t kLongestRead = std::size_t{1} << 16;

  struct Chunk {
    std::vector<std::byte> bytes;  // none: the end
    TimePoint delivered{};
  };
  struct Side {
    Side(Tcp::socket& from_socket, Tcp::socket& to_socket, RelayDirection& relay_way)
        : from(from_socket), to(to_socket), way(relay_way), timer(from.get_executor()) {}

    Tcp::socket& from;
    Tcp::socket& to;
    RelayDirection& way;
    boost::asio::steady_timer timer;
    std::array<std::byte, kLongestRead> room{};
    std::deque<Chunk> chunks;
    std::size_t held = 0;  // by the chunks [bytes]
    bool full = false;     // and so nothing is read
    bool ended = false;
  };

  template <typename... Results, typename Handler>
  auto kept(Handler handler);

  void release();
  TimePoint now() const;
  void begin();
  void read(Side& side);
  void take(Side& side, std::size_t bytes, bool end);
  void wait(Side& side);
  void deliver(Side& side);
  void delivered(Side& side);
  void pass_end_on(Side& side);

  Tcp::socket caller_;
  Tcp::socket called_;
  Tcp::resolver resolver_;
  Side out_;
  Side back_;
  Steady::time_point zero_;
  Gone gone_;
  int pending_ = 0;  // handlers that will still be called
  bool passed_ = false;
  bool closed_ = false;
};

}  // namespace trestle::network_emulator
