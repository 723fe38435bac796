#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "core/types/message.h"

namespace trestle {

/// 32 hexadecimal digits.
inline std::string to_hex(const SessionId& session) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : session) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

/// The inverse; nothing if the text is not that.
inline std::optional<SessionId> parse_session_id(const std::string& hexadecimal) {
  SessionId session{};
  if (hexadecimal.size() != 2 * session.size()) return std::nullopt;
  for (std::size_t i = 0; i < hexadecimal.size(); ++i) {
    const char digit = hexadecimal[i];
    const bool decimal = digit >= '0' && digit <= '9';
    if (!decimal && !(digit >= 'a' && digit <= 'f')) return std::nullopt;
    const int value = decimal ? digit - '0' : digit - 'a' + 10;
    session[i / 2] = static_cast<std::uint8_t>(session[i / 2] * 16 + value);
  }
  return session;
}

}  // namespace trestle
