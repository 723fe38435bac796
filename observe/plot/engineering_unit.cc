#include "observe/plot/engineering_unit.h"

#include <array>
#include <cmath>

#include "observe/plot/number_format.h"

namespace trestle::plot {
namespace {

/// One way to write a quantity, for values from `from` on.
struct UnitRange {
  const char* si;
  double from;
  double factor;
  const char* name;
};

// The units of each SI unit from large to small; the last one has no lower end.
constexpr std::array<UnitRange, 26> kUnitRanges{
    {{"m", 2.0, 1.0, "m"},         {"m", 2e-5, 1e3, "mm"},
     {"m", 0.0, 1e6, "µm"},        {"rad", 2.0, 1.0, "rad"},
     {"rad", 2e-5, 1e3, "mrad"},   {"rad", 0.0, 1e6, "µrad"},
     {"N", 2e6, 1e-6, "MN"},       {"N", 1e3, 1e-3, "kN"},
     {"N", 0.0, 1.0, "N"},         {"N.m", 2e6, 1e-6, "MN·m"},
     {"N.m", 1e3, 1e-3, "kN·m"},   {"N.m", 0.0, 1.0, "N·m"},
     {"J", 1e6, 1e-6, "MJ"},       {"J", 1e3, 1e-3, "kJ"},
     {"J", 0.0, 1.0, "J"},         {"s", 1.0, 1.0, "s"},
     {"s", 1e-3, 1e3, "ms"},       {"s", 0.0, 1e6, "µs"},
     {"m/s", 2.0, 1.0, "m/s"},     {"m/s", 0.0, 1e3, "mm/s"},
     {"rad/s", 2.0, 1.0, "rad/s"}, {"rad/s", 0.0, 1e3, "mrad/s"},
     {"m/s^2", 0.0, 1.0, "m/s²"},  {"rad/s^2", 0.0, 1.0, "rad/s²"},
     {"m.s", 0.0, 1e3, "mm·s"},    {"rad.s", 0.0, 1e3, "mrad·s"}}};

}  // namespace

EngineeringUnit engineering_unit(const std::string& si_unit, double largest) {
  // Nothing moved: the usual unit of the field, not the smallest one.
  const double size = largest > 0.0 && std::isfinite(largest)
                          ? largest
                          : (si_unit == "m" || si_unit == "rad" ? 1e-3 : 1.0);
  for (const UnitRange& range : kUnitRanges)
    if (si_unit == range.si && size >= range.from) return {range.factor, range.name};
  return {1.0, si_unit};
}

std::string format_quantity(double value, const std::string& si_unit, int digits) {
  if (!std::isfinite(value)) return format_significant(value, digits);
  const EngineeringUnit unit = engineering_unit(si_unit, std::abs(value));
  const std::string number = format_significant(value * unit.factor, digits);
  return unit.name.empty() ? number : number + " " + unit.name;
}

}  // namespace trestle::plot
