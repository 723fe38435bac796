#pragma once

#include <string>
#include <vector>

#include "core/session/session_contract.h"

namespace trestle::site_node {

/// Of the limit of force of its actuator: a larger tare is a load.
inline constexpr double kMostTare = 0.25;

/// What a person had subtracted from the readings of one transducer.
struct TareOffset {
  std::string channel{};  ///< as of rig_channels(): "1.force", "load cell 1", "strain"
  std::string unit{};
  double value = 0.0;  ///< [unit]; the equipment's reading = the site's reading + value
  std::string at{};    ///< "2026-11-27T09:12:03Z by ada@lab"
  bool operator==(const TareOffset&) const = default;
};

/// The tare of a rig.
struct RigTare {
  std::vector<TareOffset> offsets{};  ///< one per tared channel; empty: none is tared
  std::string file{};                 ///< where it is kept, for messages

  /// Null: the channel is not tared.
  const TareOffset* find(const std::string& channel) const noexcept {
    for (const TareOffset& each : offsets)
      if (each.channel == channel) return &each;
    return nullptr;
  }
};

/// As a site states it in its contracts, and so in the record of each test:
/// {"tare.1.force", "12.3 N, 2026-11-27T09:12:03Z by ada@lab"}, with the exact number.
/// Empty without a tare.
session::ContractEntries tare_entries(const RigTare& tare);

}  // namespace trestle::site_node
