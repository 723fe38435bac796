#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trestle::yaml {

/// Exponents of metre, kilogram, second and radian.
using Exponents = std::array<int, 4>;

/// A unit: `kN.m` is 1000 times m2 kg s-2. Two numbers to SI, so that 9 ms is 9/1000 s, the
/// double nearest to 0.009, which 9 times 1e-3 is not.
struct Unit {
  double factor = 1.0;
  Exponents exponents{};
  double divisor = 1.0;

  double to_si(double number) const { return number * factor / divisor; }

  bool operator==(const Unit&) const = default;
};

/// An unknown part of a unit expression.
struct UnknownUnit {
  std::string symbol;
};

/// `g` is the acceleration 9.80665 m/s2, or the gram where a mass is wanted.
enum class GramMeaning { kGravity, kMass };

/// Reads `kN.m`, `kN*m`, `kg.m2`, `m/s^2`, `kN/(m.s)`, `1/s`, `cm4`, `µm`, `%`.
/// A slash divides by the one factor behind it. m, s, Hz, N, Pa and rad take every prefix
/// of SI from n to G.
std::variant<Unit, UnknownUnit> parse_unit(std::string_view text, GramMeaning gram);

/// All symbols that parse_unit knows, for suggestions.
std::vector<std::string> unit_symbols();

}  // namespace trestle::yaml
