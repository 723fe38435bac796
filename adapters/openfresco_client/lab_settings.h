#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/time.h"
#include "core/openfresco/openfresco_protocol.h"

namespace trestle::openfresco {

/// What a server of OpenFresco is to its clients.
enum class Server {
  kElement,  ///< startSimAppElemServer
  kSite,     ///< startSimAppSiteServer
  kLab,      ///< expSite ActorSite with startLabServer
};

/// In whole nanoseconds.
inline Duration to_duration(double seconds) noexcept {
  return Duration{std::llround(seconds * 1e9)};
}

/// What stands under `settings:` of a site whose adapter is openfresco.
struct LabSettings {
  std::string server;  ///< HOST:PORT
  bool datagrams = false;
  Server kind = Server::kSite;
  std::int32_t actuators = 1;
  std::vector<bool> rotates{};  ///< per actuator; fewer: those that follow do not
  std::int32_t data = kDefaultDataSize;
  /// Over UDP: the greeting of 2.7 and before, and of all laboratory servers.
  bool greeting = false;
  double version = 2.8;  ///< that a laboratory server insists on
  double length = 1.0;   ///< the server's unit [m]
  double force = 1.0;    ///< the server's unit [N]
  double rate = 100.0;   ///< most ticks per second [Hz]
  double stale = 0.1;    ///< while an answer takes longer, there is no measurement [s]
  double refresh =
      0.1;  ///< a laboratory that stands still is asked again after so long [s]
  /// After a lost connection the specimen may stand so far from where it stood [m or rad].
  double same_place = 1e-3;
  double connect = 10.0;   ///< patience with connection and hand-shake [s]
  double patience = 60.0;  ///< with the answer to a trial, which moves the specimen [s]

  /// The element server measures forces only; where its specimen is, is where it was sent.
  Sizes sizes() const noexcept {
    const std::int32_t n = actuators;
    const std::int32_t told = kind == Server::kElement ? 0 : n;
    return {{n, n, n, 0, 1}, {told, told, told, n, kind == Server::kElement ? 0 : 1}, data};
  }
};

/// @param settings  lines `path: value`, as a plug-in is opened with
/// @throws std::runtime_error  `path: sentence`
LabSettings laboratory_settings(const char* settings);

}  // namespace trestle::openfresco
