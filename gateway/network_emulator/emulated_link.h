#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "gateway/network_emulator/relay_direction.h"
#include "gateway/network_emulator/relay_settings.h"
#include "gateway/network_emulator/relay_status.h"
#include "gateway/network_emulator/relayed_connection.h"

namespace trestle::network_emulator {

/// One relay: listens, passes connections through its link, and breaks them at outages.
class EmulatedLink {
 public:
  using Tcp = boost::asio::ip::tcp;
  using Steady = std::chrono::steady_clock;
  /// Receives the relay's name and one human-readable line about an event.
  using EventCallback =
      std::function<void(const std::string& name, const std::string& what)>;

  /// Listens immediately; callers wait until begin().
  /// @throws std::runtime_error if it cannot listen there
  EmulatedLink(boost::asio::io_context& context, RelaySettings settings, EventCallback say);

  /// @param zero  when the link's time began
  void begin(Steady::time_point zero);

  RelayStatus status() const;

 private:
  TimePoint now() const;
  void accept();
  void take(Tcp::socket caller);
  void tell(const std::string& problem);
  void drop(RelayedConnection& connection);
  void await_outage();
  void begin_outage(const network::Outage& outage);
  void end_outage();

  RelaySettings settings_;
  EventCallback say_;
  Tcp::acceptor acceptor_;
  boost::asio::steady_timer outage_timer_;
  boost::asio::steady_timer accept_timer_;
  RelayDirection out_;
  RelayDirection back_;
  std::list<std::unique_ptr<RelayedConnection>> connections_;
  Steady::time_point zero_{};
  std::string problem_;  // with the other end, told already
  bool down_ = false;
  int outages_ = 0;
};

}  // namespace trestle::network_emulator
