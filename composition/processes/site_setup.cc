#include "composition/processes/site_setup.h"

#include <optional>

#include "composition/hybrid_test/endpoint_factory.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/rig_factory.h"
#include "composition/processes/rig_opening.h"
#include "composition/sites/calibration_factory.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"

namespace trestle::composition {
namespace {

/// The claim comes first: a plug-in's open() may take the rig away from the process that
/// drives it.
void open_rig(SiteSetup& setup) {
  setup.claim = claim_rig(setup.file);
  std::optional<RigOpening> opening;
  if (setup.claim != nullptr) opening.emplace();
  setup.rig = make_rig(setup.file);
  if (opening) opening->opened(setup.rig->description().real_equipment);
  keep_if_real(setup.claim, setup.rig->description().real_equipment);
}

}  // namespace

void require_one_way_to_reach(const config::SiteFile& file) {
  if (file.listen().empty() != file.integrator().empty()) return;
  throw SettingError("site",
                     "give the site exactly one of `listen` (the integrator calls in here) "
                     "and `integrator` (call the integrator there)");
}

void require_actuators(const site_node::SiteSettings& settings, const RigDescription& rig,
                       const config::SiteFile& file) {
  const int moved = settings.loading_frame->actuators();
  const auto there = static_cast<int>(rig.actuators.size());
  if (moved == there) return;
  const std::string has =
      "the rig has " + std::to_string(there) + (there == 1 ? " actuator" : " actuators");
  if (!file.has_loading_frame())
    throw SettingError("limits.actuators", "limits.actuators has " + std::to_string(moved) +
                                               (moved == 1 ? " entry; " : " entries; ") +
                                               has);
  throw SettingError("loading_frame", "loading_frame moves " + std::to_string(moved) +
                                          (moved == 1 ? " actuator; " : " actuators; ") +
                                          has);
}

std::unique_ptr<SiteSetup> load_site(const std::string& file,
                                     const std::vector<std::string>& overrides,
                                     const std::string& software) {
  auto setup = std::make_unique<SiteSetup>();
  yaml::read_yaml(file, overrides, setup->file, setup->where);
  yaml::ConfigErrorCollector problems(setup->where);
  problems.attempt([&] { require_one_way_to_reach(setup->file); });
  problems.attempt([&] { open_rig(*setup); });
  problems.attempt([&] { setup->endpoint = site_endpoint(setup->file); });
  problems.attempt([&] {
    setup->settings =
        std::make_unique<site_node::SiteSettings>(site_settings(setup->file, software));
  });
  if (setup->rig != nullptr && setup->settings != nullptr)
    problems.attempt([&] {
      require_limits(setup->settings->limits, *setup->settings, setup->rig->description(),
                     "");
      require_actuators(*setup->settings, setup->rig->description(), setup->file);
    });
  if (setup->rig != nullptr && setup->settings != nullptr)
    problems.attempt([&] {
      require_known_channels(setup->settings->stated, setup->rig->description(),
                             "calibration");
    });
  problems.throw_if_any();
  const yaml::SourceMap* where = &setup->where;
  setup->settings->limit_place = [where](const std::string& field) {
    return where->location("limits." + field);
  };
  return setup;
}

std::unique_ptr<SiteSetup> load_rig(const std::string& file,
                                    const std::vector<std::string>& overrides,
                                    const std::string& software) {
  auto setup = std::make_unique<SiteSetup>();
  yaml::read_yaml(file, overrides, setup->file, setup->where);
  yaml::ConfigErrorCollector problems(setup->where);
  problems.attempt([&] { open_rig(*setup); });
  problems.attempt([&] {
    setup->settings =
        std::make_unique<site_node::SiteSettings>(site_settings(setup->file, software));
  });
  problems.throw_if_any();
  return setup;
}

}  // namespace trestle::composition
