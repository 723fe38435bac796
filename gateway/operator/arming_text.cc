#include "gateway/operator/arming_text.h"

#include <cmath>

#include "gateway/operator/reading_text.h"

namespace trestle::operators {
namespace {

std::string limit_text(double value, const std::string& unit, const char* what) {
  return std::isfinite(value) ? reading_value_text(value, unit)
                              : std::string("no limit of ") + what;
}

std::string actuator_line(const ArmingActuator& one) {
  const bool turns = one.unit == "rad";
  std::string text = "actuator " + one.name + ": at most " +
                     limit_text(one.displacement, one.unit, "displacement") + ", " +
                     limit_text(one.rate, one.unit, "rate") +
                     (std::isfinite(one.rate) ? "/s" : "") + ", " +
                     limit_text(one.force, turns ? "N.m" : "N", "force");
  if (std::isfinite(one.delay))
    text += "; the loop bears " + reading_value_text(1e3 * one.delay, "ms") + " of delay";
  return text;
}

}  // namespace

std::vector<std::string> arming_lines(const ArmingStatus& arming) {
  std::vector<std::string> lines;
  for (const ArmingSite& site : arming.sites) {
    lines.push_back(
        "site " + site.name + ", " +
        (site.real_equipment ? "real equipment" : "simulated") + ", its clock " +
        (std::isfinite(site.clock_bound)
             ? "known within " + reading_value_text(1e6 * site.clock_bound, "us")
             : "not compared"));
    for (const ArmingActuator& one : site.actuators)
      lines.push_back("site " + site.name + ", " + actuator_line(one));
  }
  return lines;
}

}  // namespace trestle::operators
