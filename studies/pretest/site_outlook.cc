#include "studies/pretest/site_outlook.h"

#include <optional>

#include "adapters/plugin/adapter_loader.h"
#include "adapters/plugin/shipped_adapter.h"
#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/rig_factory.h"
#include "composition/hybrid_test/site_name.h"
#include "composition/processes/site_setup.h"
#include "composition/rigs/simulated_factory.h"
#include "composition/sites/calibration_factory.h"
#include "core/base/setting_error.h"
#include "core/bus/bus_address.h"
#include "core/yaml/config_error.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"
#include "site-servers/node/agreed_limits.h"
#include "studies/pretest/plausibility.h"

namespace trestle::pretest {
namespace {

std::string load_plugin(const config::PluginAdapter& plugin) {
  const std::string path = "adapter.plugin";
  if (!plugin.has_name() && !plugin.has_file())
    throw SettingError(
        path,
        "names no plug-in; give it `file: X.so`, or `name:` of one that came "
        "with this program");
  const std::string file = plugin.has_name()
                               ? plugin::bundled_adapter_path(plugin.name(), path + ".name")
                               : plugin.file();
  return plugin::LoadedAdapter(file, path).file();
}

/// An invalid address stays invalid, whatever keys are given.
bool is_address(yaml::ConfigErrorCollector& problems, const std::string& address,
                const std::string& path, bus::AddressUse use) {
  return problems.attempt([&] {
    const std::string wrong = address.empty() ? "" : bus::address_problem(address, use);
    if (!wrong.empty()) throw SettingError(path, wrong);
  });
}

/// Keys are often stored beside the file, or given by --set, where the site is started.
std::vector<std::string> why_unreached(const config::SiteFile& file,
                                       const yaml::SourceMap& where) {
  try {
    yaml::ConfigErrorCollector endpoint(where);
    endpoint.attempt([&] { composition::site_endpoint(file); });
    endpoint.throw_if_any();
  } catch (const yaml::ConfigError& error) {
    return error.lines();
  }
  return {};
}

void look_at_limits(const site_node::SiteSettings& settings, SiteOutlook& outlook) {
  for (std::size_t i = 0; i < outlook.actuators; ++i) {
    const ActuatorLimits limit =
        i < settings.limits.size() ? settings.limits[i] : ActuatorLimits{};
    const std::string number = " " + std::to_string(i + 1);
    if (limit.displacement > site_node::kFarthest)
      outlook.without_limit.push_back("displacement" + number);
    if (limit.rate > site_node::kFastest) outlook.without_limit.push_back("rate" + number);
    if (limit.force > site_node::kStrongest)
      outlook.without_limit.push_back("force" + number);
  }
  if (settings.without_limits)
    outlook.answered_for =
        settings.without_limits->by + " answers for it: " + settings.without_limits->reason;
}

/// As the site server does: a missing limit of real equipment is a refusal, an answer for
/// limits that are all stated is a mistake in the file.
void judge_limits(const site_node::SiteSettings& settings, const RigDescription& rig,
                  const yaml::SourceMap& where, SiteOutlook& outlook) {
  const std::string why = site_node::refusal_without_limits(settings.limits, rig.actuators,
                                                            settings.without_limits);
  if (!rig.real_equipment || why.empty())
    return composition::require_limits(settings.limits, settings, rig, "");
  const std::string place = where.location("limits");
  outlook.must_change.push_back((place.empty() ? where.location("site") : place) +
                                ": site " + outlook.site + ": " + why);
}

void look_at_calibrations(const site_node::SiteSettings& settings, bool may_be_real,
                          SiteOutlook& outlook) {
  outlook.expired = session::expired_today(settings.name, settings.stated);
  if (may_be_real)
    outlook.uncalibrated = session::uncalibrated_channels(
        session::read_calibrations(settings.stated), outlook.actuators, outlook.load_cells);
}

}  // namespace

SiteOutlook outlook_of_site(const std::string& file,
                            const std::vector<std::string>& overrides,
                            const std::string& software) {
  config::SiteFile site;
  yaml::SourceMap where;
  yaml::read_yaml(file, overrides, site, where);
  SiteOutlook outlook;
  outlook.site = site.site();
  outlook.listen = site.listen();
  outlook.integrator = site.integrator();
  outlook.doubtful = doubtful_numbers(site, where);
  yaml::ConfigErrorCollector problems(where);
  const bool named = problems.attempt([&] {
    const std::string wrong = composition::site_name_problem(site.site());
    if (!wrong.empty()) throw SettingError("site", wrong);
  });
  problems.attempt([&] { composition::require_one_way_to_reach(site); });
  std::optional<RigDescription> rig;
  problems.attempt([&] {
    if (site.has_adapter() && !site.has_rig() && site.adapter().has_plugin())
      outlook.plugin = load_plugin(site.adapter().plugin());
    if (const auto made = composition::describe_rig(site)) rig = made->description();
    outlook.described = rig.has_value();
  });
  const bool addressed =
      is_address(problems, site.listen(), "listen", bus::AddressUse::kListened) && named &&
      is_address(problems, site.integrator(), "integrator", bus::AddressUse::kCalled);
  if (addressed) outlook.unreached = why_unreached(site, where);
  problems.attempt([&] {
    const site_node::SiteSettings settings = composition::site_settings(site, software);
    outlook.actuators = rig ? rig->actuators.size()
                            : static_cast<std::size_t>(settings.loading_frame->actuators());
    if (rig) outlook.load_cells = static_cast<std::size_t>(rig->reactions);
    look_at_limits(settings, outlook);
    const bool may_be_real = rig ? rig->real_equipment : !outlook.plugin.empty();
    look_at_calibrations(settings, may_be_real || site.as_real_equipment(), outlook);
    if (!rig) return;
    judge_limits(settings, *rig, where, outlook);
    if (outlook.must_change.empty()) composition::require_actuators(settings, *rig, site);
    composition::require_known_channels(settings.stated, *rig, "calibration");
  });
  problems.throw_if_any();
  return outlook;
}

std::size_t actuators_of_rig_file(const std::string& file,
                                  const std::vector<std::string>& overrides) {
  config::Rig rig;
  yaml::SourceMap where;
  yaml::read_yaml(file, overrides, rig, where);
  return static_cast<std::size_t>(composition::rig_actuators(rig));
}

}  // namespace trestle::pretest
