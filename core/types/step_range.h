#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace trestle {

/// Consecutive steps that an event of a record names.
struct StepRange {
  std::int64_t first = 0;
  std::int64_t last = 0;  ///< included; at least `first`
  bool operator==(const StepRange&) const = default;
};

/// Returns "step 3", or "steps 3 to 7".
inline std::string format_steps(const StepRange& steps) {
  const std::string first = std::to_string(steps.first);
  return steps.first == steps.last ? "step " + first
                                   : "steps " + first + " to " + std::to_string(steps.last);
}

/// Reads the text of such an event: one step, which earlier versions wrote for each step,
/// or a range. Does not throw.
/// @returns nothing if the text is another one
inline std::optional<StepRange> parse_steps(std::string_view text) noexcept {
  const auto skip = [&text](std::string_view words) {
    if (!text.starts_with(words)) return false;
    text.remove_prefix(words.size());
    return true;
  };
  const auto read = [&text](std::int64_t& number) {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
  };
  StepRange steps;
  if (skip("step ")) {
    if (!read(steps.first)) return std::nullopt;
    steps.last = steps.first;
  } else if (!skip("steps ") || !read(steps.first) || !skip(" to ") || !read(steps.last)) {
    return std::nullopt;
  }
  if (!text.empty() || steps.last < steps.first) return std::nullopt;
  return steps;
}

}  // namespace trestle
