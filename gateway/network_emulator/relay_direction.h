#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/time.h"
#include "core/network/link_model.h"

namespace trestle::network_emulator {

/// The traffic of one direction of a relay so far.
struct DirectionStatistics {
  std::uint64_t bytes = 0;       ///< delivered
  std::uint64_t messages = 0;    ///< delivered, as they were read: maybe several in one
  std::uint64_t lost = 0;        ///< messages that an outage took
  std::size_t on_their_way = 0;  ///< bytes
  Duration latest{};             ///< most that one was delivered after the model's time
};

/// One direction of a relay, shared by all its connections: they share the line.
struct RelayDirection {
  network::LinkModel model;
  DirectionStatistics count{};
};

}  // namespace trestle::network_emulator
