#pragma once

#include <string>

#include "gateway/network_emulator/relay_way.h"

namespace trestle {

/// How one relay stands.
struct RelayStatus {
  std::string name;
  std::string listens_at;  ///< HOST:PORT, a free port resolved
  std::string to;
  std::size_t connections = 0;
  bool down = false;  ///< an outage is going on
  int outages = 0;    ///< begun so far
  WayCount out;       ///< to `to`
  WayCount back;
};

}  // namespace trestle
