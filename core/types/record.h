#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trestle {

/// One recorded column.
struct Channel {
  std::string name;  ///< as it is exported, unit and all: "west.floor_w.x.target_m"
  std::string unit;  ///< for attributes: "m", "rad", "N", "N.m", "m/s", "s", ...
  bool operator==(const Channel&) const = default;
};

using Channels = std::vector<Channel>;
/// Name and channels of each stream of a record.
using RecordStreams = std::vector<std::pair<std::string, Channels>>;
/// What is stated about a record: key, value.
using RecordMetadata = std::vector<std::pair<std::string, std::string>>;

/// One row of a record: the number of its step or tick, and one value per channel.
struct RecordRow {
  std::int64_t index = 0;
  std::span<const double> values;
};

}  // namespace trestle
