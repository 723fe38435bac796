#include "observe/web/subscription.h"

#include <algorithm>
#include <limits>

namespace trestle::web {
namespace {

using nlohmann::json;

constexpr std::int64_t kLargestIndex = std::int64_t{1} << 53;
constexpr std::size_t kLongestName = 200;

/// A whole number within bounds; nothing if it is missing, none, or outside.
std::optional<std::int64_t> whole(const json& message, const char* key, std::int64_t low,
                                  std::int64_t high) {
  const auto found = message.find(key);
  if (found == message.end() || !found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() &&
      found->get<std::uint64_t>() > static_cast<std::uint64_t>(kLargestIndex))
    return std::nullopt;
  const auto value = found->get<std::int64_t>();
  if (value < low || value > high) return std::nullopt;
  return value;
}

bool read_channels(const json& message, std::vector<std::string>& channels) {
  const auto found = message.find("channels");
  if (found == message.end() || !found->is_array() || found->empty() ||
      found->size() > Subscription::kMostChannels)
    return false;
  for (const json& name : *found) {
    if (!name.is_string() || name.get_ref<const std::string&>().size() > kLongestName)
      return false;
    channels.push_back(name.get<std::string>());
  }
  return true;
}

Error malformed(const std::string& what) {
  return {ErrorCode::kMalformed, "subscribe: " + what};
}

}  // namespace

Result<Subscription> read_subscription(const json& message) {
  Subscription wanted;
  const auto id = whole(message, "id", 0, std::numeric_limits<std::uint16_t>::max());
  if (!id) return malformed("`id` is no number from 0 to 65535");
  wanted.id = static_cast<std::uint16_t>(*id);
  if (message.contains("record")) {
    const auto record = whole(message, "record", 0, 1);
    if (!record) return malformed("`record` is neither 0 nor 1");
    wanted.record = static_cast<std::size_t>(*record);
  }
  const auto stream = message.find("stream");
  if (stream == message.end() || !stream->is_string())
    return malformed("`stream` is no text");
  wanted.stream = stream->get<std::string>();
  if (!read_channels(message, wanted.channels))
    return malformed("`channels` is no list of 1 to 64 names");
  const auto from = whole(message, "from", -1, kLargestIndex);
  if (!from) return malformed("`from` is no index");
  wanted.from = *from;
  if (message.contains("to") && !message["to"].is_null()) {
    wanted.to = whole(message, "to", *from, kLargestIndex);
    if (!wanted.to) return malformed("`to` is neither null nor an index from `from` on");
  }
  if (message.contains("points")) {
    const auto points = whole(message, "points", 1, Subscription::kMostPoints);
    if (!points) return malformed("`points` is no number from 1 to 4096");
    wanted.points = static_cast<std::uint32_t>(*points);
  }
  if (message.contains("rows_per_bucket")) {
    const auto rows = whole(message, "rows_per_bucket", 1, 1 << 30);
    if (!rows) return malformed("`rows_per_bucket` is no number from 1 on");
    wanted.rows_per_bucket = static_cast<std::uint32_t>(*rows);
  }
  const std::string reduce =
      message.value("reduce", json("extremes")).is_string()
          ? message.value("reduce", json("extremes")).get<std::string>()
          : "";
  if (reduce != "extremes" && reduce != "rows")
    return malformed("`reduce` is neither extremes nor rows");
  wanted.reduce = reduce == "rows" ? Reduce::kFirstRow : Reduce::kExtremes;
  return wanted;
}

}  // namespace trestle::web
