#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gateway/network_emulator/relay_settings.h"
#include "gateway/network_emulator/relay_status.h"

namespace trestle::network_emulator {

/// Networks as they are, between processes of this machine or of several: each relay takes
/// TCP connections and passes their bytes on, both ways and in order, when a LinkModel
/// says. An outage closes its connections and accepts none until it is over: callers must
/// reconnect, as ZeroMQ does. Needs no privileges; all of it runs on the caller's thread.
class NetworkEmulator {
 public:
  using EventCallback =
      std::function<void(const std::string& name, const std::string& what)>;

  /// Listens immediately.
  /// @param say  called from run(), once for each event
  /// @throws SettingError with the path of the address where it cannot listen
  NetworkEmulator(const std::vector<RelaySettings>& relays, const EventCallback& say);
  ~NetworkEmulator();

  /// Starts the links' time. Runs until `between`, which is called ten times a second,
  /// returns false.
  void run(const std::function<bool()>& between);

  /// From the thread of run(), in `between`, or while it does not run.
  std::vector<RelayStatus> status() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;  // keeps Asio in its room
};

}  // namespace trestle::network_emulator
