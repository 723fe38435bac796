#include "cli/check_site.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "adapters/plugin/adapter_loader.h"
#include "adapters/plugin/shipped_adapter.h"
#include "cli/exit_code.h"
#include "cli/run_folder.h"
#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "core/base/setting_error.h"
#include "core/bus/bus_address.h"
#include "core/yaml/config_error.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"

namespace trestle {
namespace {

/// What a look at a laboratory's file found.
struct SiteLook {
  std::string plugin;  ///< file of the plug-in that was loaded; empty: a simulated rig
  std::size_t actuators = 0;
  std::vector<std::string> without_limit;  ///< "rate 1": what no limit is stated for
  std::vector<std::string> unreached;      ///< why the site server would not listen or call
};

std::string load_plugin(const config::PluginAdapter& plugin) {
  const std::string path = "adapter.plugin";
  if (!plugin.has_name() && !plugin.has_file())
    throw SettingError(
        path,
        "names no plug-in; give it `file: X.so`, or `name:` of one that came "
        "with this program");
  const std::string file = plugin.has_name()
                               ? bundled_adapter_path(plugin.name(), path + ".name")
                               : plugin.file();
  return LoadedAdapter(file, path).file();
}

/// An address that is none stays none, whatever keys come.
bool is_address(ConfigErrorCollector& problems, const std::string& address,
                const std::string& path, AddressUse use) {
  return problems.attempt([&] {
    const std::string wrong = address.empty() ? "" : address_problem(address, use);
    if (!wrong.empty()) throw SettingError(path, wrong);
  });
}

SiteLook look_at(const config::SiteFile& file, const SourceMap& where) {
  SiteLook look;
  ConfigErrorCollector problems(where);
  if (file.listen().empty() == file.integrator().empty())
    problems.attempt([] {
      throw SettingError(
          "site",
          "give the site exactly one of `listen` (the integrator calls in here) and "
          "`integrator` (call the integrator there)");
    });
  problems.attempt([&] {
    if (file.has_adapter() && !file.has_rig() && file.adapter().has_plugin())
      look.plugin = load_plugin(file.adapter().plugin());
    else
      make_rig(file);
  });
  const bool addressed =
      is_address(problems, file.listen(), "listen", AddressUse::kListened) &&
      is_address(problems, file.integrator(), "integrator", AddressUse::kCalled);
  // Keys are often laid beside the file, or given by --set, where the site is started.
  if (addressed) try {
      ConfigErrorCollector endpoint(where);
      endpoint.attempt([&] { site_endpoint(file); });
      endpoint.throw_if_any();
    } catch (const ConfigError& error) {
      look.unreached = error.lines();
    }
  problems.attempt([&] {
    const SiteSettings settings = site_settings(file, software_version());
    look.actuators = static_cast<std::size_t>(settings.loading_frame->actuators());
    for (std::size_t i = 0; i < look.actuators; ++i) {
      const ActuatorLimits limit =
          i < settings.limits.size() ? settings.limits[i] : ActuatorLimits{};
      const std::string number = " " + std::to_string(i + 1);
      if (std::isinf(limit.displacement))
        look.without_limit.push_back("displacement" + number);
      if (std::isinf(limit.rate)) look.without_limit.push_back("rate" + number);
      if (std::isinf(limit.force)) look.without_limit.push_back("force" + number);
    }
  });
  problems.throw_if_any();
  return look;
}

void print(const config::SiteFile& file, const SiteLook& look) {
  std::printf("site %s    %zu actuator%s\n", file.site().c_str(), look.actuators,
              look.actuators == 1 ? "" : "s");
  std::printf("reached    %s\n",
              file.listen().empty()
                  ? ("calls the integrator at " + file.integrator()).c_str()
                  : ("listens at " + file.listen()).c_str());
  if (look.plugin.empty())
    std::printf("rig        simulated\n");
  else
    std::printf(
        "rig        plug-in %s: loaded, not opened; `trestle adapter check` asks it what "
        "its settings are worth\n",
        look.plugin.c_str());
  std::string without;
  for (const std::string& one : look.without_limit)
    without += (without.empty() ? "" : ", ") + one;
  if (!without.empty() && look.plugin.empty())
    std::printf("question   no limit of: %s; the gate lets everything pass there\n",
                without.c_str());
  else if (!without.empty())
    std::printf(
        "question   no limit of: %s; if the plug-in drives real equipment, `trestle site` "
        "refuses it: state them in limits.actuators\n",
        without.c_str());
  for (const std::string& line : look.unreached)
    std::printf("question   %s\n", line.c_str());
  const bool limited = look.plugin.empty() || without.empty();
  std::printf("verdict    %s\n",
              look.unreached.empty()
                  ? (limited ? "may serve" : "may serve equipment that is not real")
                  : "may serve where keys are given; as the file stands `trestle site` "
                    "refuses it");
}

}  // namespace

int check_site(const CheckOptions& options) {
  config::SiteFile file;
  SourceMap where;
  read_yaml(options.test, options.overrides, file, where);
  const SiteLook look = look_at(file, where);
  if (!options.json) {
    print(file, look);
    return kExitComplete;
  }
  nlohmann::ordered_json json{{"site", file.site()}, {"actuators", look.actuators}};
  if (!look.plugin.empty()) json["plug_in"] = look.plugin;
  json["without_limit"] = look.without_limit;
  json["questions"] = look.unreached;
  json["verdict"] = look.unreached.empty() ? "may serve" : "may serve where keys are given";
  std::printf("%s\n", json.dump(2).c_str());
  return kExitComplete;
}

}  // namespace trestle
