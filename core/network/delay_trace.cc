#include "core/network/delay_trace.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/base/text_file.h"
#include "core/network/random_durations.h"

namespace trestle::network {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr double kLongestTime = 3.2e7;  // [s], a year
constexpr double kLongestDelay = 3600;  // [s]

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// From 0 to `most`; comparisons also refuse a NaN.
std::optional<Duration> read_seconds(std::string_view cell, double most) {
  cell = trimmed(cell);
  double value = 0.0;
  const auto [rest, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || rest != cell.data() + cell.size()) return std::nullopt;
  if (!(value >= 0.0 && value <= most)) return std::nullopt;
  return scaled(std::chrono::seconds(1), value);
}

std::optional<TracePoint> read_point(std::string_view line) {
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto time = read_seconds(line.substr(0, comma), kLongestTime);
  const auto delay = read_seconds(line.substr(comma + 1), kLongestDelay);
  if (!time || !delay) return std::nullopt;
  return TracePoint{*time, *delay};
}

Error malformed(const std::string& file, std::size_t line, const std::string& what) {
  return {ErrorCode::kMalformed, file + ":" + std::to_string(line) + ": " + what};
}

}  // namespace

Result<std::vector<TracePoint>> read_delay_trace(const std::string& file) {
  std::ifstream stream;
  if (const std::string why = open_text_file(file, stream); !why.empty())
    return Error{ErrorCode::kUnavailable, "cannot read the file " + file + ": " + why};
  std::vector<TracePoint> trace;
  std::string line;
  std::size_t at = 1;
  for (; std::getline(stream, line); ++at) {
    const std::string_view text = trimmed(line);
    if (text.empty() || (trace.empty() && text == "time_s,delay_s")) continue;
    const std::optional<TracePoint> point = read_point(text);
    if (!point)
      return malformed(file, at,
                       "`" + std::string(text) +
                           "` is no point of a trace; write time_s,delay_s: two numbers, "
                           "a time up to a year and a delay of 0 to 3600 s");
    if (!trace.empty() && point->time <= trace.back().time)
      return malformed(file, at, "the time is not above that of the line before");
    trace.push_back(*point);
  }
  if (trace.size() < 2)
    return malformed(
        file, at,
        "has " + std::to_string(trace.size()) + " points; a trace needs two or more");
  return trace;
}

Duration interpolate_delay(const std::vector<TracePoint>& trace, Duration time) noexcept {
  const Duration period = trace.back().time - trace.front().time;
  const Duration within = trace.front().time + time % period;
  const auto above = std::upper_bound(
      trace.begin(), trace.end(), within,
      [](Duration wanted, const TracePoint& point) { return wanted < point.time; });
  const TracePoint& before = *(above - 1);
  const double part = static_cast<double>((within - before.time).count()) /
                      static_cast<double>((above->time - before.time).count());
  return before.delay + scaled(above->delay - before.delay, part);
}

}  // namespace trestle::network
