#include "composition/hybrid_test/rig_factory.h"

// What moves the specimens: the rigs of a test, and a laboratory's own.
#include "adapters/decorators/real_equipment_emulation.h"
#include "composition/hybrid_test/contacts_factory.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/interface_factory.h"
#include "composition/hybrid_test/unused_keys.h"
#include "composition/rigs/bond_graph_specimen.h"
#include "composition/rigs/plugin_factory.h"
#include "composition/rigs/simulated_factory.h"
#include "core/base/setting_error.h"
#include "core/timing/monotonic_clock.h"

namespace trestle::composition {
namespace {

/// Makes the adapter of a laboratory's own rig.
std::unique_ptr<SiteAdapter> make_adapter(const config::Adapter& adapter,
                                          const PluginSite& site, const std::string& path) {
  if (adapter.has_plugin())
    return make_plugin_rig(adapter.plugin(), site,
                           std::make_unique<timing::MonotonicClock>(), path);
  throw SettingError(path, "has no kind; give it one: plugin");
}

PluginSite plugin_site(const config::SiteFile& file) {
  return {.name = file.site(),
          .hardware_watchdog = file.hardware_watchdog(),
          .limits = file.limits(),
          .control_thread = file.control_thread()};
}

/// The rig of an adapter as a laboratory's file wants it.
std::unique_ptr<SiteAdapter> as_file_states(std::unique_ptr<SiteAdapter> adapter,
                                            const config::SiteFile& file) {
  if (file.as_real_equipment())
    adapter = std::make_unique<decorators::RealEquipmentEmulation>(
        std::move(adapter), file.hardware_watchdog());
  return with_contacts(std::move(adapter), file);
}

}  // namespace

std::unique_ptr<SiteAdapter> make_rig(const config::Site& site, const std::string& path) {
  if (site.has_adapter() && !site.twin()) {
    auto adapter = make_adapter(site.adapter(),
                                {.name = site.name(),
                                 .limits = site.limits(),
                                 .control_thread = site.control_thread()},
                                path + ".adapter");
    if (site.as_real_equipment())
      adapter =
          std::make_unique<decorators::RealEquipmentEmulation>(std::move(adapter), true);
    return with_contacts(std::move(adapter), site, path + ".");
  }
  if (!site.has_rig())
    throw SettingError(path,
                       "site " + site.name() +
                           " has neither a rig nor an address; give it a rig to simulate "
                           "it here, an adapter, or an address where its server listens");
  auto rig =
      make_simulated_rig(site.rig(), site.name(), loading_frame(site, path), path + ".rig",
                         {.layout = make_interface_layout(site),
                          .graph = graph_side_of(site.rig(), path + ".rig")});
  if (!site.as_real_equipment()) return rig;
  return std::make_unique<decorators::RealEquipmentEmulation>(std::move(rig), true);
}

std::unique_ptr<SiteAdapter> make_rig(const config::SiteFile& file) {
  if (file.has_rig() == file.has_adapter())
    throw SettingError("site", file.has_rig()
                                   ? "site " + file.site() +
                                         " has both a rig and an adapter; one of them "
                                         "moves its specimen"
                                   : "site " + file.site() +
                                         " has neither a rig, which is simulated, nor an "
                                         "adapter; give it one of them");
  if (file.has_adapter())
    return as_file_states(make_adapter(file.adapter(), plugin_site(file), "adapter"), file);
  std::vector<SettingIssue> unused;
  refuse_unused_keys(file, unused);
  if (!unused.empty()) throw SettingError(std::move(unused));
  auto rig = make_simulated_rig(file.rig(), file.site(), loading_frame(file), "rig",
                                {.graph = graph_side_of(file.rig(), "rig")});
  if (!file.as_real_equipment()) return rig;
  return std::make_unique<decorators::RealEquipmentEmulation>(std::move(rig),
                                                              file.hardware_watchdog());
}

std::unique_ptr<SiteAdapter> describe_rig(const config::SiteFile& file) {
  if (file.has_rig() || !file.adapter().has_plugin()) return make_rig(file);
  auto adapter = describe_plugin_rig(file.adapter().plugin(), plugin_site(file),
                                     std::make_unique<timing::MonotonicClock>(), "adapter");
  return adapter == nullptr ? nullptr : as_file_states(std::move(adapter), file);
}

}  // namespace trestle::composition
