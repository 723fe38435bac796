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

/// "1.force reads 0.0123 kN sd 0.0042 kN, at most 0.2 kN: ok". A contact that is not closed
/// is marked, whatever it means, but for one that stops the rig when it is closed: if an
/// interlock is active, the site refuses to arm.
std::string reading_line(const ArmingReading& one) {
  std::string text = one.channel + " reads " + reading_value_text(one.mean, one.unit);
  if (std::isfinite(one.deviation))
    text += " sd " + reading_value_text(one.deviation, one.unit);
  if (const std::string mark = contact_mark(one.mean, one.unit, one.stops_closed);
      !mark.empty())
    return text + ": " + mark;
  if (!std::isfinite(one.bound)) return text;
  return text + ", at most " + reading_value_text(one.bound, one.unit) +
         (one.is_within() ? ": ok" : ": NOT OK");
}

}  // namespace

std::vector<std::string> arming_lines(const ArmingStatus& arming) {
  std::vector<std::string> lines;
  for (const ArmingSite& site : arming.sites) {
    lines.push_back(
        "site " + site.name + ", " +
        (site.real_equipment ? "real equipment"
         : site.twin         ? "a TWIN, SIMULATED"
                             : "simulated") +
        ", its clock " +
        (std::isfinite(site.clock_bound)
             ? "known within " + reading_value_text(1e6 * site.clock_bound, "us")
             : "not compared"));
    for (const ArmingActuator& one : site.actuators)
      lines.push_back("site " + site.name + ", " + actuator_line(one));
    for (const ArmingReading& one : site.readings)
      lines.push_back("site " + site.name + ", " + reading_line(one));
    for (const std::string& sentence : site.expired)
      lines.push_back("CALIBRATION EXPIRED: " + sentence);
    if (site.readings.empty() && site.real_equipment)
      lines.push_back("site " + site.name + " has reported no readings yet");
  }
  return lines;
}

}  // namespace trestle::operators
