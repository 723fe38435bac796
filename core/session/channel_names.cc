#include "core/session/channel_names.h"

#include <array>
#include <charconv>

namespace trestle::session {

std::string channel_prefix(const std::string& site, const std::string& name) {
  return site.empty() ? name : site + "." + name;
}

Channel motion_channel(const std::string& prefix, const char* quantity, DofKind kind) {
  const char* unit = kind == DofKind::kRotation ? "rad" : "m";
  return {prefix + "." + quantity + "_" + unit, unit};
}

Channel force_channel(const std::string& prefix, DofKind kind) {
  return kind == DofKind::kRotation ? Channel{prefix + ".force_Nm", "N.m"}
                                    : Channel{prefix + ".force_N", "N"};
}

std::string format_exact(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

}  // namespace trestle::session
