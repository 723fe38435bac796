#include "core/yaml/dimensions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/suggestion.h"
#include "core/yaml/arithmetic.h"
#include "core/yaml/units.h"

namespace trestle::yaml {
namespace {

/// One kind of unit that a dimension accepts.
struct Alternative {
  Exponents exponents;  // m, kg, s, rad
  UnitClass unit_class = UnitClass::kNone;
  double factor = 1.0;
};

struct Accepted {
  std::vector<Alternative> alternatives;
  std::string_view description;
};

constexpr UnitClass kTranslation = UnitClass::kTranslation;
constexpr UnitClass kRotation = UnitClass::kRotation;
constexpr UnitClass kCoupling = UnitClass::kCoupling;

Accepted accepted_kinematic(config::Dimension dimension) {
  switch (dimension) {
    case config::RATIO:
      return {{{{0, 0, 0, 0}}}, "a ratio (a plain number, or %)"};
    case config::TIME:
      return {{{{0, 0, 1, 0}}}, "a time (s, ms, us, min, h)"};
    case config::FREQUENCY:
      return {
          {{{0, 0, -1, 0}}, {{0, 0, -1, 1}, UnitClass::kNone, 0.5 * std::numbers::inv_pi}},
          "a frequency (Hz, kHz, rad/s)"};
    case config::LENGTH:
      return {{{{1, 0, 0, 0}}}, "a length (m, mm, cm, in, ft, ...)"};
    case config::ANGLE:
      return {{{{0, 0, 0, 1}}}, "an angle (rad, mrad, urad, deg)"};
    case config::MOTION:
      return {{{{1, 0, 0, 0}, kTranslation}, {{0, 0, 0, 1}, kRotation}},
              "a length or an angle (m, mm, in, rad, mrad, ...)"};
    case config::VELOCITY:
      return {{{{1, 0, -1, 0}}}, "a velocity (m/s, mm/s, in/s, ...)"};
    case config::MOTION_RATE:
      return {{{{1, 0, -1, 0}, kTranslation}, {{0, 0, -1, 1}, kRotation}},
              "a velocity or an angular velocity (m/s, mm/s, rad/s, mrad/s, ...)"};
    case config::ACCELERATION:
      return {{{{1, 0, -2, 0}}}, "an acceleration (m/s2, g, in/s2, ...)"};
    case config::MOTION_ACCELERATION:
      return {{{{1, 0, -2, 0}, kTranslation}, {{0, 0, -2, 1}, kRotation}},
              "an acceleration or an angular acceleration (m/s2, g, rad/s2, ...)"};
    default:
      return {{}, "a plain number"};
  }
}

Accepted accepted(config::Dimension dimension) {
  switch (dimension) {
    case config::MASS:
      return {{{{0, 1, 0, 0}}}, "a mass (kg, t, g, lb, ...)"};
    case config::ROTATIONAL_INERTIA:
      return {{{{2, 1, 0, 0}}}, "a rotational inertia (kg.m2, t.m2, ...)"};
    case config::MASS_PER_LENGTH:
      return {{{{-1, 1, 0, 0}}}, "a mass per length (kg/m, t/m, lb/ft, ...)"};
    case config::DENSITY:
      return {{{{-3, 1, 0, 0}}}, "a density (kg/m3, t/m3, g/cm3, ...)"};
    case config::FORCE:
      return {{{{1, 1, -2, 0}}}, "a force (N, kN, lbf, kip, ...)"};
    case config::FORCE_PER_LENGTH:
      return {{{{0, 1, -2, 0}}}, "a force per length (N/m, kN/m, kip/ft, ...)"};
    case config::MOMENT:
      return {{{{2, 1, -2, 0}}}, "a moment (N.m, kN.m, kip.in, ...)"};
    case config::GENERALISED_FORCE:
      return {{{{1, 1, -2, 0}, kTranslation}, {{2, 1, -2, 0}, kRotation}},
              "a force or moment (N, kN, kip, N.m, ...)"};
    case config::STRESS:
      return {{{{-1, 1, -2, 0}}}, "a stress (Pa, MPa, GPa, N/mm2, ksi, ...)"};
    case config::AREA:
      return {{{{2, 0, 0, 0}}}, "an area (m2, cm2, mm2, in2, ...)"};
    case config::SECOND_MOMENT:
      return {{{{4, 0, 0, 0}}}, "a second moment of area (m4, cm4, mm4, in4, ...)"};
    case config::STIFFNESS:
      return {{{{0, 1, -2, 0}, kTranslation},
               {{2, 1, -2, -1}, kRotation},
               {{1, 1, -2, -1}, kCoupling}},
              "a stiffness (N/m, kN/mm, kip/in, N.m/rad, N/rad, ...)"};
    case config::DAMPING:
      return {{{{0, 1, -1, 0}, kTranslation},
               {{2, 1, -1, -1}, kRotation},
               {{1, 1, -1, -1}, kCoupling}},
              "a damping (N.s/m, kN.s/m, N.m.s/rad, N.s/rad, ...)"};
    case config::GENERALISED_MASS:
      return {{{{0, 1, 0, 0}, kTranslation}, {{2, 1, 0, 0}, kRotation}},
              "a mass or a rotational inertia (kg, t, kg.m2, ...)"};
    default:
      return accepted_kinematic(dimension);
  }
}

Error wrong(std::string detail) {
  return {ErrorCode::kMalformed, std::move(detail)};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<Quantity> converted(double number, const Unit& unit, const Accepted& fits) {
  for (const Alternative& alternative : fits.alternatives)
    if (alternative.exponents == unit.exponents)
      return Quantity{unit.to_si(number) * alternative.factor, alternative.unit_class};
  return std::nullopt;
}

bool is_fitting(const std::string& symbol, const Accepted& fits) {
  const auto unit = parse_unit(symbol, GramMeaning::kGravity);
  const auto* const known = std::get_if<Unit>(&unit);
  return known != nullptr && converted(1.0, *known, fits).has_value();
}

/// Returns the nearest unit that fits here, `kN.m` for `kNm`; empty: none is near.
std::string unit_meant(const std::string& unknown, const Accepted& fits) {
  constexpr std::string_view kMoment = "Nm";
  if (unknown.ends_with(kMoment)) {
    std::string moment = unknown.substr(0, unknown.size() - kMoment.size()) + "N.m";
    if (is_fitting(moment, fits)) return moment;
  }
  std::vector<std::string> fitting;
  for (const std::string& symbol : unit_symbols())
    for (const char* prefix : {"", "m", "c", "k", "M", "G"})
      if (std::string unit = prefix + symbol; is_fitting(unit, fits))
        fitting.push_back(std::move(unit));
  return nearest(unknown, fitting);
}

// No structure has a larger quantity in SI. A larger one is a wrong exponent, and would
// otherwise be reported as another error (a mechanism, a singular matrix).
constexpr double kLargest = 1e30;
// A thousand times diamond's modulus.
constexpr double kLargestStress = 1e15;

double largest(config::Dimension dimension) {
  if (dimension == config::PLAIN) return std::numeric_limits<double>::max();
  return dimension == config::STRESS ? kLargestStress : kLargest;
}

/// Below it, a section's property is a slip of the exponent; zero is told by its range.
double smallest(config::Dimension dimension) {
  constexpr double kSmallestStress = 1e-6;  // [Pa]; a jelly has 1e3
  constexpr double kSmallest = 1e-30;       // [m2], [m4]; a thread of 1 um has 1e-24 m4
  if (dimension == config::STRESS) return kSmallestStress;
  const bool section = dimension == config::AREA || dimension == config::SECOND_MOMENT;
  return section ? kSmallest : 0.0;
}

bool looks_infinite(std::string_view text) {
  std::string word;
  for (const char letter : text)
    if (letter != '.' && letter != '+' && letter != '-')
      word += static_cast<char>(letter | 0x20);
  return word == "inf" || word == "nan" || word == "infinity";
}

}  // namespace

std::string description(config::Dimension dimension) {
  return std::string(accepted(dimension).description);
}

Result<Quantity> read_quantity(std::string_view text, config::Dimension dimension) {
  const Accepted fits = accepted(dimension);
  const std::string must = "; must be " + std::string(fits.description);
  text = trimmed(text);
  const std::string as_written = quote(text);
  const std::string finite = "is " + as_written + ", which is not finite" + must;
  if (looks_infinite(text)) return wrong(finite);

  const auto number = read_leading_number(text);
  if (!number) return wrong("is " + as_written + must);
  const std::string_view symbol = trimmed(text.substr(number->length));
  Quantity quantity{number->value, UnitClass::kNone};
  if (!symbol.empty()) {
    const auto unit = parse_unit(symbol, GramMeaning::kGravity);
    if (const auto* const unknown = std::get_if<UnknownUnit>(&unit)) {
      const std::string meant = unit_meant(unknown->symbol, fits);
      if (meant.empty()) return wrong("is " + as_written + must);
      return wrong("has the unknown unit " + quote(unknown->symbol) + "; did you mean " +
                   quote(meant) + "?");
    }
    auto fitting = converted(number->value, std::get<Unit>(unit), fits);
    if (!fitting) {
      // `g` may have been the gram.
      const auto with_gram = parse_unit(symbol, GramMeaning::kMass);
      if (const auto* const grams = std::get_if<Unit>(&with_gram))
        fitting = converted(number->value, *grams, fits);
    }
    if (!fitting) return wrong("is given in " + std::string(symbol) + must);
    quantity = *fitting;
  }
  if (!std::isfinite(quantity.value)) return wrong(finite);
  std::array<char, 32> limit{};
  if (const double most = largest(dimension); std::abs(quantity.value) > most) {
    std::snprintf(limit.data(), limit.size(), "%.0e", most);
    return wrong("is " + as_written + ", larger than any structure has; must be at most " +
                 limit.data() + " in SI");
  }
  const double least = smallest(dimension);
  if (quantity.value != 0.0 && std::abs(quantity.value) < least) {
    std::snprintf(limit.data(), limit.size(), "%.0e", least);
    return wrong("is " + as_written +
                 ", smaller than any structure has; must be at least " + limit.data() +
                 " in SI");
  }
  return quantity;
}

}  // namespace trestle::yaml
