#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "observe/web/bucket_frame.h"

namespace trestle::web {

/// What a page wants of one stream, as it asked for it.
struct Subscription {
  static constexpr std::size_t kMostChannels = 64;
  static constexpr std::uint32_t kMostPoints = 4096;

  std::uint16_t id = 0;
  std::size_t record = 0;
  std::string stream;
  std::vector<std::string> channels;
  std::int64_t from = 0;
  std::optional<std::int64_t> to;  ///< nothing: follows the record
  std::uint32_t points = 2000;     ///< buckets at most
  std::uint32_t rows_per_bucket = 1;
  Reduce reduce = Reduce::kExtremes;
};

/// Reads a `subscribe` message. @returns one sentence if it is not as it should be
Result<Subscription> read_subscription(const nlohmann::json& message);

}  // namespace trestle::web
