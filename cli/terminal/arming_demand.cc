#include "cli/terminal/arming_demand.h"

#include <algorithm>
#include <exception>

#include "core/base/shell_word.h"
#include "core/yaml/yaml_reader.h"
#include "gateway/operator/reading_text.h"

namespace trestle::cli {
namespace {

using operators::reading_value_text;

// Two seconds or so: somebody waits to arm.
constexpr double kMostWork = 2e7;  // channels of the structure times steps

/// What is asked for is above its limit, or no number, of one quantity; empty: it is not.
std::string excess(const char* what, double asked, double limit) {
  return asked <= limit ? "" : what;
}

std::string against_limits(const ActuatorLimits& asked, const ArmingActuator& agreed) {
  std::string above;
  for (const std::string& one :
       {excess("displacement", asked.displacement, agreed.displacement),
        excess("rate", asked.rate, agreed.rate),
        excess("force", asked.force, agreed.force)})
    if (!one.empty()) above += (above.empty() ? "" : ", ") + one;
  return above.empty() ? "within its limits" : "ABOVE ITS LIMIT of " + above;
}

std::string actuator_line(const ActuatorLimits& asked, const ArmingActuator& agreed) {
  const bool turns = agreed.unit == "rad";
  return "actuator " + agreed.name + " is asked for up to " +
         reading_value_text(asked.displacement, agreed.unit) + ", " +
         reading_value_text(asked.rate, agreed.unit) + "/s, " +
         reading_value_text(asked.force, turns ? "N.m" : "N") +
         " (linear estimate): " + against_limits(asked, agreed);
}

}  // namespace

std::vector<std::string> demand_lines(const ArmingStatus& arming,
                                      const std::vector<pretest::SiteDemand>& demands) {
  std::vector<std::string> lines;
  for (const ArmingSite& site : arming.sites) {
    const auto found =
        std::find_if(demands.begin(), demands.end(),
                     [&site](const auto& demand) { return demand.site == site.name; });
    if (found == demands.end() || !found->known) {
      lines.push_back("site " + site.name +
                      ": what the test asks of it is not known; its specimen is not in the "
                      "test's file");
      continue;
    }
    const std::size_t count = std::min(site.actuators.size(), found->actuators.size());
    for (std::size_t i = 0; i < count; ++i)
      lines.push_back("site " + site.name + ", " +
                      actuator_line(found->actuators[i], site.actuators[i]));
  }
  return lines;
}

std::vector<std::string> demand_lines(const ArmingStatus& arming,
                                      const std::string& folder) {
  if (arming.sites.empty()) return {};
  try {
    config::Test test;
    yaml::SourceMap where;
    yaml::read_yaml(folder + "/effective.yaml", {}, test, where);
    const auto demands = pretest::estimate_demand(test, kMostWork);
    if (!demands)
      return {
          "what the test asks of the sites is not estimated here, because it takes too "
          "long: trestle check " +
          shell_word(folder + "/effective.yaml") + " tells it"};
    return demand_lines(arming, *demands);
  } catch (const std::exception& error) {
    return {"what the test asks of the sites cannot be estimated: " +
            std::string(error.what())};
  }
}

}  // namespace trestle::cli
