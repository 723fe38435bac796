#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types/interface_layout.h"

namespace trestle::site_node {

/// What a number of a person's command measures.
enum class SpokenKind {
  kMotion,  ///< [m | rad]: mm, mrad, deg, ...
  kRate,    ///< [m/s | rad/s]: mm/s, mrad/s, deg/s, ...
  kForce,   ///< [N | N·m]: kN, kN.m, ...
};

/// Reads one number with its unit, as a person writes it: "14.94 mm", "2mrad/s", "10kN".
/// @param kind  of the actuator: a length is no angle
/// @returns the number in SI units, or nothing: no finite decimal number, no unit, or a
/// unit
///          of something else
std::optional<double> read_spoken(std::string_view text, SpokenKind what, DofKind kind);

/// Splits a list at its commas (or semicolons). Blanks around the entries are dropped.
std::vector<std::string> spoken_list(std::string_view text);

/// "14.94 mm", "2 mrad/s", "10 kN".
std::string spoken_text(double value, SpokenKind what, DofKind kind);

}  // namespace trestle::site_node
