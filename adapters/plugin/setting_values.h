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

/// In SI units.
/// @param fallback  where it was not given
/// @param kinds     of its unit, as TRESTLE_TIME
/// @throws std::runtime_error if it is no number, or one of another kind
inline double number_at(const char* settings, const std::string& path, double fallback,
                        std::uint32_t kinds) {
  double number = 0.0;
  std::array<char, 512> why{};
  const auto size = static_cast<std::uint32_t>(why.size());
  if (trestle_number_is(settings, path.c_str(), kinds, why.data(), size) == 0 ||
      trestle_number(settings, path.c_str(), fallback, &number, why.data(), size) == 0)
    throw std::runtime_error(why.data());
  return number;
}

/// A unit that a setting names, without a number.
struct Unit {
  double factor = 1.0;      ///< to SI
  std::uint32_t kind = 0U;  ///< as TRESTLE_LENGTH; 0: no unit was named
};

/// @param kinds  that the unit may have
/// @throws std::runtime_error if the unit is unknown, or of another kind
inline Unit unit_of(const std::string& name, const std::string& path, std::uint32_t kinds) {
  Unit unit;
  unit.factor = trestle_unit_of(name.c_str(), &unit.kind);
  if (unit.factor > 0.0 && (unit.kind == 0U || (unit.kind & kinds) != 0U)) return unit;
  std::array<char, 256> words{};
  trestle_kinds_in_words(kinds, words.data(), words.size());
  refuse(path, (name.empty() ? "is missing" : "is " + name) + "; must be a unit of " +
                   words.data());
}

/// Kinds of units of what actuators do; those of one actuator must fit together.
constexpr std::uint32_t kMotion = TRESTLE_LENGTH | TRESTLE_ANGLE;
constexpr std::uint32_t kAction = TRESTLE_FORCE | TRESTLE_MOMENT;

}  // namespace trestle::plugin
