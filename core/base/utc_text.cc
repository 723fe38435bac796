#include "core/base/utc_text.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace trestle {

std::string utc_text(std::int64_t nanoseconds) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t rest = (nanoseconds % kSecond + kSecond) % kSecond;
  const auto whole = static_cast<std::time_t>((nanoseconds - rest) / kSecond);
  std::tm parts{};
  gmtime_r(&whole, &parts);
  std::array<char, 40> text;
  const std::size_t length =
      std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text.data() + length, text.size() - length, ".%03dZ",
                static_cast<int>(rest / 1'000'000));
  return text.data();
}

}  // namespace trestle
