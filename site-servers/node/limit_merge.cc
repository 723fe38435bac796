#include "site-servers/node/limit_merge.h"

#include <algorithm>
#include <cassert>
#include <cstdio>

#include "core/base/setting_error.h"

namespace trestle::site_node {
namespace {

/// One of the numbers of ActuatorLimits, and how people read it.
struct Field {
  double ActuatorLimits::*member;
  const char* name;     // of the schema
  const char* words;    // in a sentence
  double scale;         // from SI
  const char* unit[2];  // by DofKind
};

constexpr Field kFields[] = {
    {&ActuatorLimits::displacement, "displacement", "displacement", 1e3, {"mm", "mrad"}},
    {&ActuatorLimits::rate, "rate", "rate", 1e3, {"mm/s", "mrad/s"}},
    {&ActuatorLimits::force, "force", "force", 1e-3, {"kN", "kN.m"}},
    {&ActuatorLimits::tracking_error,
     "tracking_error",
     "tracking error",
     1e3,
     {"mm", "mrad"}},
    {&ActuatorLimits::energy_error, "energy_error", "energy error", 1e2, {"%", "%"}},
    {&ActuatorLimits::acceleration,
     "acceleration",
     "acceleration",
     1.0,
     {"m/s2", "rad/s2"}},
};

/// The same of an interface DOF.
struct DofField {
  double InterfaceDof::*member;
  const char* name;
  const char* unit[2];
};

constexpr DofField kDofFields[] = {
    {&InterfaceDof::displacement_limit, "displacement", {"mm", "mrad"}},
    {&InterfaceDof::rate_limit, "rate", {"mm/s", "mrad/s"}},
    {&InterfaceDof::acceleration_limit, "acceleration", {"mm/s2", "mrad/s2"}},
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

void tell(std::vector<std::string>* lines, std::string line, const std::string& field,
          const LimitSourceLookup& place) {
  if (lines == nullptr) return;
  const std::string where = place ? place(field) : std::string();
  if (!where.empty()) line += " (" + where + ")";
  lines->push_back(std::move(line));
}

/// The dwell belongs to the tracking error that it waits for.
double tighter_dwell(const ActuatorLimits& test, const ActuatorLimits& site) {
  if (site.tracking_error == ActuatorLimits::kNone) return test.tracking_dwell;
  if (test.tracking_error == ActuatorLimits::kNone) return site.tracking_dwell;
  return std::min(test.tracking_dwell, site.tracking_dwell);
}

}  // namespace

RigLimits merge_limits(const RigLimits& test, const RigLimits& site,
                       std::vector<std::string>* tightened_limits,
                       const std::vector<DofKind>& kinds, const LimitSourceLookup& place) {
  if (!test.empty() && !site.empty() && test.size() != site.size())
    throw SettingError("limits.actuators",
                       "the test limits " + std::to_string(test.size()) +
                           " actuators, but the site has " + std::to_string(site.size()));
  if (site.empty()) return test;
  RigLimits limits = test.empty() ? RigLimits(site.size()) : test;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    limits[i].tracking_dwell = tighter_dwell(limits[i], site[i]);
    const bool rotation = i < kinds.size() && kinds[i] == DofKind::kRotation;
    for (const Field& field : kFields) {
      double& limit = limits[i].*field.member;
      const double other = site[i].*field.member;
      if (!(other < limit)) continue;
      limit = other;
      tell(tightened_limits,
           "actuator " + std::to_string(i + 1) + " " + field.words + " " +
               number(field.scale * other) + " " + field.unit[rotation ? 1 : 0],
           "actuators[" + std::to_string(i) + "]." + field.name, place);
    }
  }
  return limits;
}

InterfaceLayout merge_limits(const InterfaceLayout& test, const InterfaceLayout& site,
                             std::vector<std::string>* tightened_limits,
                             const LimitSourceLookup& place) {
  assert(test.size() == site.size());
  InterfaceLayout layout = test;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    assert(layout[i].name == site[i].name);
    const bool rotation = layout[i].kind == DofKind::kRotation;
    for (const DofField& field : kDofFields) {
      const double other = site[i].*field.member;
      if (!(other < layout[i].*field.member)) continue;
      layout[i].*field.member = other;
      tell(tightened_limits,
           layout[i].name + " " + field.name + " " + number(1e3 * other) + " " +
               field.unit[rotation ? 1 : 0],
           "interface[" + std::to_string(i) + "]." + field.name, place);
    }
  }
  return layout;
}

}  // namespace trestle::site_node
