#include "core/host/capability.h"

#include <charconv>

#include "core/host/system_file.h"

namespace trestle::host {

std::optional<std::uint64_t> effective_capabilities(std::string_view status) {
  constexpr std::string_view kKey = "\nCapEff:";
  const std::size_t key = status.find(kKey);
  if (key == std::string_view::npos) return std::nullopt;
  const std::size_t digits = status.find_first_not_of(" \t", key + kKey.size());
  if (digits == std::string_view::npos) return std::nullopt;
  std::uint64_t mask = 0;
  const char* const begin = status.data() + digits;
  const char* const end = status.data() + status.size();
  if (std::from_chars(begin, end, mask, 16).ec != std::errc{}) return std::nullopt;
  return mask;
}

bool has_capability(Capability capability) {
  const std::uint64_t mask =
      effective_capabilities(system_file("/proc/self/status").value_or("")).value_or(0);
  return (mask >> static_cast<int>(capability) & 1U) != 0;
}

}  // namespace trestle::host
