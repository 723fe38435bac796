#pragma once

#include <string>

#include "gateway/network_emulator/relay_direction.h"

namespace trestle::network_emulator {

/// The state of one relay.
struct RelayStatus {
  std::string name;
  std::string listens_at;  ///< HOST:PORT, a free port resolved
  std::string to;
  std::size_t connections = 0;
  bool down = false;        ///< an outage is going on
  int outages = 0;          ///< begun so far
  DirectionStatistics out;  ///< to `to`
  DirectionStatistics back;
};

}  // namespace trestle::network_emulator
