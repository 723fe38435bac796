#include "numerical/node/limit_origins.h"

#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/types/limits.h"

namespace trestle::integrator_node {
namespace {

struct LimitName {
  double ActuatorLimits::*member;
  const char* field;  // of the schema
  const char* words;  // in what a site tells
};
constexpr std::array<LimitName, 6> kLimits{{
    {&ActuatorLimits::displacement, "displacement", "displacement"},
    {&ActuatorLimits::rate, "rate", "rate"},
    {&ActuatorLimits::acceleration, "acceleration", "acceleration"},
    {&ActuatorLimits::force, "force", "force"},
    {&ActuatorLimits::tracking_error, "tracking_error", "tracking error"},
    {&ActuatorLimits::energy_error, "energy_error", "energy error"},
}};

/// "site_west.yaml:12" of "lab/site_west.yaml:12:5": folders and columns say nothing to a
/// reader of the record.
std::string file_and_line(std::string place) {
  const std::size_t folder = place.rfind('/');
  if (folder != std::string::npos) place.erase(0, folder + 1);
  const std::size_t line = place.find(':');
  if (line == std::string::npos) return place;
  const std::size_t column = place.find(':', line + 1);
  return column == std::string::npos ? place : place.substr(0, column);
}

/// "site.yaml:12:5" of "actuator 1 force 250 kN (site.yaml:12:5)".
std::string place_of(const std::string& told) {
  const std::size_t open = told.rfind(" (");
  if (open == std::string::npos || !told.ends_with(')')) return {};
  return told.substr(open + 2, told.size() - open - 3);
}

/// What a site tells of a limit that it made tighter; empty: nothing.
std::string told_of(const std::vector<std::string>& tightened, std::size_t actuator,
                    const char* words) {
  const std::string begin = "actuator " + std::to_string(actuator + 1) + " " + words + " ";
  for (const std::string& line : tightened)
    if (line.starts_with(begin) && line.size() > begin.size() &&
        std::isdigit(static_cast<unsigned char>(line[begin.size()])) != 0)
      return line;
  return {};
}

std::string origin(const SitePeer& peer, std::size_t actuator, const LimitName& limit,
                   const std::string& path) {
  const std::string told = told_of(peer.agreement.tightened_limits, actuator, limit.words);
  if (!told.empty()) return place_of(told);
  const SiteSpecification& asked = peer.expected();
  if (!asked.limit_place || actuator >= asked.limits.size() ||
      !std::isfinite(asked.limits[actuator].*limit.member))
    return {};
  return asked.limit_place(path);
}

}  // namespace

std::string limit_origins(const SitePeer& peer) {
  std::string lines;
  const RigLimits& limits = peer.agreement.limits;
  for (std::size_t i = 0; i < limits.size(); ++i)
    for (const LimitName& limit : kLimits) {
      if (!std::isfinite(limits[i].*limit.member)) continue;
      const std::string path = "actuators[" + std::to_string(i) + "]." + limit.field;
      const std::string place = file_and_line(origin(peer, i, limit, path));
      if (!place.empty()) lines += path + ": " + place + "\n";
    }
  return lines;
}

}  // namespace trestle::integrator_node
