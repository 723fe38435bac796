#include "site-servers/node/spoken_quantity.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace trestle::site_node {
namespace {

constexpr std::string_view kAroundEntries = " \t";
constexpr std::string_view kPerSecond = "/s";

struct SpokenUnit {
  std::string_view name;
  double factor;
  DofKind kind;
};

constexpr double kOneDegree = 0.017453292519943295;
constexpr std::array<SpokenUnit, 8> kMotionUnits{{{"m", 1.0, DofKind::kTranslation},
                                                  {"cm", 1e-2, DofKind::kTranslation},
                                                  {"mm", 1e-3, DofKind::kTranslation},
                                                  {"um", 1e-6, DofKind::kTranslation},
                                                  {"rad", 1.0, DofKind::kRotation},
                                                  {"mrad", 1e-3, DofKind::kRotation},
                                                  {"urad", 1e-6, DofKind::kRotation},
                                                  {"deg", kOneDegree, DofKind::kRotation}}};
constexpr std::array<SpokenUnit, 6> kForceUnits{{{"N", 1.0, DofKind::kTranslation},
                                                 {"kN", 1e3, DofKind::kTranslation},
                                                 {"MN", 1e6, DofKind::kTranslation},
                                                 {"N.m", 1.0, DofKind::kRotation},
                                                 {"kN.m", 1e3, DofKind::kRotation},
                                                 {"MN.m", 1e6, DofKind::kRotation}}};

std::string_view without_blanks(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kAroundEntries);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kAroundEntries) + 1 - from);
}

template <std::size_t kCount>
const SpokenUnit* unit_named(const std::array<SpokenUnit, kCount>& units,
                             std::string_view name, DofKind kind) {
  for (const SpokenUnit& unit : units)
    if (unit.name == name && unit.kind == kind) return &unit;
  return nullptr;
}

const SpokenUnit* unit_of(std::string_view name, SpokenKind what, DofKind kind) {
  if (what == SpokenKind::kForce) return unit_named(kForceUnits, name, kind);
  if (what == SpokenKind::kRate) {
    if (!name.ends_with(kPerSecond)) return nullptr;
    name.remove_suffix(kPerSecond.size());
  }
  return unit_named(kMotionUnits, name, kind);
}

}  // namespace

std::optional<double> read_spoken(std::string_view text, SpokenKind what, DofKind kind) {
  const std::string number(without_blanks(text));
  // strtod() takes hexadecimal numbers, which no person writes on purpose.
  if (number.find_first_of("xX") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (end == number.c_str() || !std::isfinite(value)) return std::nullopt;
  const SpokenUnit* const unit = unit_of(without_blanks(end), what, kind);
  if (unit == nullptr || !std::isfinite(value * unit->factor)) return std::nullopt;
  return value * unit->factor;
}

std::vector<std::string> spoken_list(std::string_view text) {
  std::vector<std::string> entries;
  for (;;) {
    const std::size_t end = text.find_first_of(",;");
    entries.emplace_back(without_blanks(text.substr(0, end)));
    if (end == std::string_view::npos) return entries;
    text.remove_prefix(end + 1);
  }
}

std::string spoken_text(double value, SpokenKind what, DofKind kind) {
  const bool turns = kind == DofKind::kRotation;
  char digits[64];
  if (what == SpokenKind::kForce)
    std::snprintf(digits, sizeof digits, "%.6g %s", 1e-3 * value, turns ? "kN.m" : "kN");
  else
    std::snprintf(digits, sizeof digits, "%.6g %s%s", 1e3 * value, turns ? "mrad" : "mm",
                  what == SpokenKind::kRate ? "/s" : "");
  return digits;
}

}  // namespace trestle::site_node
