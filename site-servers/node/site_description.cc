#include "site-servers/node/site_description.h"

#include <string>
#include <vector>

#include "site-servers/node/agreed_test.h"

namespace trestle::site_node {

SiteDescription describe_site(const SiteSettings& settings, const RigDescription& rig) {
  std::vector<std::string> modes = all_execution_modes();
  if (rig.real_equipment)
    std::erase_if(modes,
                  [](const std::string& mode) { return !rules_named(mode)->timed_loop; });
  return {settings.name,
          settings.software,
          settings.loading_frame->interface_dofs(),
          rig.actuators,
          modes,
          rig.real_equipment,
          rig.hardware_watchdog,
          rig.shortest_tick};
}

}  // namespace trestle::site_node
