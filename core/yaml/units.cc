#include "core/yaml/units.h"

#include <cctype>
#include <cmath>
#include <numbers>
#include <optional>

namespace trestle::yaml {
namespace {

struct Symbol {
  std::string_view name;
  Unit unit;
};

constexpr Exponents kPure = {0, 0, 0, 0};
constexpr Exponents kMetre = {1, 0, 0, 0};
constexpr Exponents kKilogram = {0, 1, 0, 0};
constexpr Exponents kSecond = {0, 0, 1, 0};
constexpr Exponents kPerSecond = {0, 0, -1, 0};
constexpr Exponents kRadian = {0, 0, 0, 1};
constexpr Exponents kNewton = {1, 1, -2, 0};
constexpr Exponents kPascal = {-1, 1, -2, 0};

constexpr double kGravity = 9.80665;   // exact, CGPM 1901
constexpr double kPound = 0.45359237;  // exact, 1959
constexpr double kInch = 0.0254;       // exact, 1959
constexpr double kPoundForce = kPound * kGravity;
constexpr double kPsi = kPoundForce / (kInch * kInch);

constexpr Symbol kSymbols[] = {
    {"m", {1, kMetre}},
    {"mm", {1, kMetre, 1e3}},
    {"um", {1, kMetre, 1e6}},
    {"nm", {1, kMetre, 1e9}},
    {"cm", {1, kMetre, 1e2}},
    {"dm", {1, kMetre, 1e1}},
    {"km", {1e3, kMetre}},
    {"in", {254, kMetre, 1e4}},
    {"ft", {3048, kMetre, 1e4}},
    {"s", {1, kSecond}},
    {"ms", {1, kSecond, 1e3}},
    {"us", {1, kSecond, 1e6}},
    {"ns", {1, kSecond, 1e9}},
    {"min", {60, kSecond}},
    {"h", {3600, kSecond}},
    {"Hz", {1, kPerSecond}},
    {"kHz", {1e3, kPerSecond}},
    {"mHz", {1, kPerSecond, 1e3}},
    {"rad", {1, kRadian}},
    {"mrad", {1, kRadian, 1e3}},
    {"urad", {1, kRadian, 1e6}},
    {"deg", {std::numbers::pi, kRadian, 180}},
    {"kg", {1, kKilogram}},
    {"t", {1e3, kKilogram}},
    {"Mg", {1e3, kKilogram}},
    {"lb", {kPound, kKilogram}},
    {"N", {1, kNewton}},
    {"mN", {1, kNewton, 1e3}},
    {"kN", {1e3, kNewton}},
    {"MN", {1e6, kNewton}},
    {"lbf", {kPoundForce, kNewton}},
    {"kip", {1e3 * kPoundForce, kNewton}},
    {"kips", {1e3 * kPoundForce, kNewton}},
    {"Pa", {1, kPascal}},
    {"kPa", {1e3, kPascal}},
    {"MPa", {1e6, kPascal}},
    {"GPa", {1e9, kPascal}},
    {"psi", {kPsi, kPascal}},
    {"ksi", {1e3 * kPsi, kPascal}},
    {"%", {1, kPure, 1e2}},
};

struct Prefix {
  std::string_view name;
  double factor = 1.0;
  double divisor = 1.0;
};

constexpr Prefix kPrefixes[] = {
    {"G", 1e9},    {"M", 1e6},    {"k", 1e3},    {"h", 1e2},    {"da", 1e1},
    {"d", 1, 1e1}, {"c", 1, 1e2}, {"m", 1, 1e3}, {"u", 1, 1e6}, {"n", 1, 1e9},
};

/// Units that take every prefix of SI. The gram does not: `mg` may be 0.001 g of gravity.
constexpr Symbol kPrefixed[] = {
    {"m", {1, kMetre}},  {"s", {1, kSecond}},  {"Hz", {1, kPerSecond}},
    {"N", {1, kNewton}}, {"Pa", {1, kPascal}}, {"rad", {1, kRadian}},
};

/// `GN`, `daN`, `hPa`: a unit of the table with a prefix of SI.
std::optional<Unit> with_prefix(std::string_view name) {
  for (const Symbol& base : kPrefixed)
    for (const Prefix& prefix : kPrefixes)
      if (name.size() == prefix.name.size() + base.name.size() &&
          name.starts_with(prefix.name) && name.ends_with(base.name))
        return Unit{base.unit.factor * prefix.factor, base.unit.exponents,
                    base.unit.divisor * prefix.divisor};
  return std::nullopt;
}

/// Signs that people paste, in the letters of the table.
std::string in_ascii(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"µ", "u"},  {"μ", "u"},  {"·", "*"},  {"⋅", "*"},   {"×", "*"},
      {"²", "^2"}, {"³", "^3"}, {"⁴", "^4"}, {"°", "deg"},
  };
  std::string ascii(text);
  for (const auto& [sign, letters] : kSigns)
    for (auto at = ascii.find(sign); at != std::string::npos; at = ascii.find(sign, at))
      ascii.replace(at, sign.size(), letters);
  return ascii;
}

class Parser {
 public:
  Parser(std::string_view text, GramMeaning gram) : text_(text), gram_(gram) {}

  std::optional<Unit> whole() {
    const auto unit = product();
    if (!unit || next() != '\0') return std::nullopt;
    return unit;
  }

  const std::string& unknown() const { return unknown_; }

 private:
  static constexpr int kDeepest = 8;
  static constexpr int kHighestPower = 9;

  std::optional<Unit> product() {
    auto unit = factor();
    while (unit && (next() == '.' || next() == '*' || next() == '/')) {
      const int sign = text_[position_++] == '/' ? -1 : 1;
      const auto more = factor();
      if (!more) return std::nullopt;
      *unit = times(*unit, *more, sign);
    }
    return unit;
  }

  std::optional<Unit> factor() {
    std::optional<Unit> unit;
    if (next() == '(') {
      if (++depth_ > kDeepest) return std::nullopt;
      ++position_;
      unit = product();
      if (next() != ')') return std::nullopt;
      ++position_;
      --depth_;
    } else if (next() == '1') {
      ++position_;
      return Unit{};
    } else {
      unit = symbol();
    }
    const auto power = exponent();
    if (!unit || !power) return std::nullopt;
    return times({}, *unit, *power);
  }

  std::optional<Unit> symbol() {
    std::string name;
    while (position_ < text_.size() &&
           (std::isalpha(static_cast<unsigned char>(text_[position_])) != 0 ||
            text_[position_] == '%'))
      name += text_[position_++];
    if (name == "g")
      return gram_ == GramMeaning::kMass ? Unit{1, kKilogram, 1e3}
                                         : Unit{kGravity, {1, 0, -2, 0}};
    for (const Symbol& known : kSymbols)
      if (known.name == name) return known.unit;
    if (const auto prefixed = with_prefix(name)) return prefixed;
    unknown_ = name;
    return std::nullopt;
  }

  /// `2`, `^2`, `^-1`, or 1 without an exponent.
  std::optional<int> exponent() {
    int sign = 1;
    bool wanted = false;
    if (position_ < text_.size() && text_[position_] == '^') {
      ++position_;
      wanted = true;
      if (position_ < text_.size() && text_[position_] == '-') {
        ++position_;
        sign = -1;
      }
    }
    int digits = 0;
    int power = 0;
    while (position_ < text_.size() &&
           std::isdigit(static_cast<unsigned char>(text_[position_])) != 0) {
      power = 10 * power + (text_[position_++] - '0');
      if (++digits > 1 || power > kHighestPower) return std::nullopt;
    }
    if (digits == 0) return wanted ? std::nullopt : std::optional<int>(1);
    return sign * power;
  }

  static Unit times(Unit unit, const Unit& more, int power) {
    for (int i = 0; i < std::abs(power); ++i) {
      unit.factor *= power > 0 ? more.factor : more.divisor;
      unit.divisor *= power > 0 ? more.divisor : more.factor;
    }
    for (std::size_t i = 0; i < unit.exponents.size(); ++i)
      unit.exponents[i] += power * more.exponents[i];
    return unit;
  }

  char next() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  std::string_view text_;
  GramMeaning gram_;
  std::size_t position_ = 0;
  int depth_ = 0;
  std::string unknown_;
};

}  // namespace

std::variant<Unit, UnknownUnit> parse_unit(std::string_view text, GramMeaning gram) {
  const std::string ascii = in_ascii(text);
  Parser parser(ascii, gram);
  if (const auto unit = parser.whole()) return *unit;
  return UnknownUnit{parser.unknown().empty() ? std::string(text) : parser.unknown()};
}

std::vector<std::string> unit_symbols() {
  std::vector<std::string> names = {"g"};
  for (const Symbol& symbol : kSymbols) names.emplace_back(symbol.name);
  return names;
}

}  // namespace trestle::yaml
