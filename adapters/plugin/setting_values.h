#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "adapters/plugin/plugin_settings.h"

namespace trestle::plugin {

/// The settings that a plug-in of ours was given, for its set-up. Sentences begin with the
/// path of the setting.

[[noreturn]] inline void refuse(const std::string& path, const std::string& what) {
  throw std::runtime_error(path + ": " + what);
}

/// Empty: it was not given. Up to 255 bytes.
inline std::string text_at(const char* settings, const std::string& path) {
  std::array<char, 256> text{};
  trestle_setting(settings, path.c_str(), text.data(), text.size());
  return text.data();
}

/// @param fallback  where it was not given
/// @throws std::runtime_error if it is no number
inline double number_at(const char* settings, const std::string& path, double fallback) {
  double number = 0.0;
  std::array<char, 256> why{};
  if (trestle_number(settings, path.c_str(), fallback, &number, why.data(),
                     static_cast<std::uint32_t>(why.size())) == 0)
    throw std::runtime_error(why.data());
  return number;
}

}  // namespace trestle::plugin
