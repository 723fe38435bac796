#include "observe/live/quantity_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

namespace trestle::live {
namespace {

struct Scale {
  const char* name;
  double per_si;
};

// Each from the smallest unit to the largest; the usual one is named beside.
constexpr std::array<Scale, 3> kLengths{{{"um", 1e6}, {"mm", 1e3}, {"m", 1.0}}};
constexpr std::array<Scale, 3> kAngles{{{"urad", 1e6}, {"mrad", 1e3}, {"rad", 1.0}}};
constexpr std::array<Scale, 3> kForces{{{"N", 1.0}, {"kN", 1e-3}, {"MN", 1e-6}}};
constexpr std::array<Scale, 3> kMoments{{{"Nm", 1.0}, {"kNm", 1e-3}, {"MNm", 1e-6}}};
constexpr std::size_t kUsual = 1;

// The largest value in the smaller of two units; 250 kN is 0.25 MN and stays in kN.
constexpr double kMostInUnit = 9999.0;
// Below this the next smaller unit says more.
constexpr double kLeastInUnit = 0.5;

std::span<const Scale> scales(Quantity quantity, DofKind kind) {
  const bool turns = kind == DofKind::kRotation;
  if (quantity == Quantity::kForce) return turns ? std::span(kMoments) : std::span(kForces);
  return turns ? std::span(kAngles) : std::span(kLengths);
}

const char* per_time(Quantity quantity) {
  if (quantity == Quantity::kRate) return "/s";
  return quantity == Quantity::kAcceleration ? "/s2" : "";
}

/// So that the largest value shows four digits that count.
int decimals_for(double largest) {
  if (!(largest > 0.0)) return 2;
  return std::clamp(3 - static_cast<int>(std::floor(std::log10(largest))), 0, 3);
}

}  // namespace

DisplayUnit display_unit(Quantity quantity, DofKind kind, double largest) {
  if (quantity == Quantity::kRatio) return {"%", 100.0, 1};
  const std::span<const Scale> all = scales(quantity, kind);
  std::size_t place = kUsual;
  const double known = std::isfinite(largest) ? std::abs(largest) : 0.0;
  if (known > 0.0) {
    while (place + 1 < all.size() && known * all[place].per_si > kMostInUnit) ++place;
    while (place > 0 && known * all[place].per_si < kLeastInUnit) --place;
  }
  return {std::string(all[place].name) + per_time(quantity), all[place].per_si,
          decimals_for(known * all[place].per_si)};
}

std::string number_in(const DisplayUnit& unit, double value) {
  if (!std::isfinite(value)) return "-";
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", unit.decimals, value * unit.per_si);
  // -0.00 is a zero that has just moved.
  if (std::string_view(text).find_first_not_of("-0.") == std::string_view::npos &&
      text[0] == '-')
    return text + 1;
  return text;
}

std::string quantity_in(const DisplayUnit& unit, double value) {
  return number_in(unit, value) + " " + unit.name;
}

std::string time_text(double seconds) {
  constexpr double kMinute = 60.0;
  constexpr double kHour = 3600.0;
  char text[40];
  if (!std::isfinite(seconds)) return "-";
  if (seconds < 10.0)
    std::snprintf(text, sizeof text, "%.1f s", std::max(seconds, 0.0));
  else if (seconds < 2 * kMinute)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 2 * kHour)
    std::snprintf(text, sizeof text, "%.0f min", seconds / kMinute);
  else
    std::snprintf(text, sizeof text, "%.1f h", seconds / kHour);
  return text;
}

}  // namespace trestle::live
