#include "studies/characterisation/characterisation_setup.h"

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error_collector.h"
#include "studies/characterisation/characterise_factory.h"

namespace trestle::characterisation {
namespace {

/// In a test the integrator asks for it.
void require_hardware_watchdog(const config::SiteFile& file, const RigDescription& rig) {
  if (!rig.real_equipment || rig.hardware_watchdog ||
      file.arming().without_hardware_watchdog())
    return;
  throw SettingError("hardware_watchdog",
                     "site " + file.site() +
                         " is real equipment that nothing stops when this program dies (no "
                         "hardware watchdog); wire one and say so (hardware_watchdog: "
                         "true), or set arming.without_hardware_watchdog");
}

}  // namespace

CharacterisationSetup load_characterisation(const std::string& file,
                                            const std::vector<std::string>& overrides,
                                            const std::string& software) {
  CharacterisationSetup setup;
  setup.site = composition::load_rig(file, overrides, software);
  const composition::SiteSetup& site = *setup.site;
  yaml::ConfigErrorCollector problems(site.where);
  const RigDescription rig = site.rig->description();
  problems.attempt(
      [&] { setup.settings = characterise_settings(site.file, site.where, rig); });
  problems.throw_if_any();
  problems.attempt([&] {
    composition::require_limits(site.settings->limits, *site.settings, rig, "");
    composition::require_actuators(*site.settings, rig, site.file);
    require_hardware_watchdog(site.file, rig);
  });
  problems.throw_if_any();
  setup.limits = site.settings->limits;
  if (setup.limits.empty()) setup.limits.resize(rig.actuators.size());
  return setup;
}

}  // namespace trestle::characterisation
