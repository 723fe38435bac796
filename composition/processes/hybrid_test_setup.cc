#include "composition/processes/hybrid_test_setup.h"

#include <cstdio>
#include <functional>
#include <random>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "composition/hybrid_test/substructure_factory.h"
#include "composition/hybrid_test/unit_checks.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"

namespace trestle::composition {
namespace {

/// Returns the place of a limit of site `index` in the test file: for a target by its DOF's
/// own index.
std::function<std::string(const std::string&)> limit_place(const yaml::SourceMap& where,
                                                           std::size_t index) {
  const std::string path = "sites[" + std::to_string(index) + "].limits.";
  return [&where, path](const std::string& field) {
    const bool target = field.starts_with("interface");
    return where.location(path + (target ? "interface" : field));
  };
}

/// Session time is counted in whole nanoseconds.
void require_measurable_step(const config::Test& test) {
  constexpr double kShortest = 1e-6;  // [s]
  const double step = command_step(test);
  if (step >= kShortest) return;
  char text[120];
  if (step == test.time_step())
    std::snprintf(text, sizeof text, "time_step is %.4g s; must be at least 1 us", step);
  else
    std::snprintf(text, sizeof text,
                  "time_step is %.4g s, and its commands are %.4g s apart; must be at "
                  "least 1 us",
                  test.time_step(), step);
  throw SettingError("time_step", text);
}

}  // namespace

std::unique_ptr<HybridTestSetup> load_hybrid_test(
    const std::string& file, const std::vector<yaml::Override>& overrides,
    const std::string& software, TestStart start) {
  auto setup = std::make_unique<HybridTestSetup>();
  yaml::read_edited_yaml(file, overrides, setup->test, setup->where);
  config::Test& test = setup->test;
  yaml::ConfigErrorCollector problems(setup->where);
  problems.attempt([&] { require_measurable_step(test); });
  problems.throw_if_any();  // nothing of the rest could be computed
  problems.attempt([&] { check_units(test, setup->where); });
  problems.attempt([&] { check_test(test, start); });
  problems.attempt([&] { expand_presets(test); });
  const bool parts_stand = problems.attempt(
      [&] { setup->substructure = make_substructure(test, &setup->report, start); });
  problems.attempt([&] {
    const std::int64_t steps = parts_stand ? setup->substructure->steps() : 0;
    setup->integrator = integrator_settings(test, software, steps);
    for (std::size_t i = 0; i < setup->integrator.sites.size(); ++i)
      setup->integrator.sites[i].limit_place = limit_place(setup->where, i);
  });
  if (!test.undivided()) {
    for (int i = 0; i < test.sites_size(); ++i) {
      setup->remote.push_back(is_remote(test.sites(i)));
      if (!setup->remote.back())
        problems.attempt(
            [&] { setup->sites_here.push_back(make_local_site(test, i, software)); });
    }
  }
  problems.throw_if_any();
  return setup;
}

SessionId new_session() {
  std::random_device device;
  SessionId id{};
  for (std::uint8_t& byte : id) byte = static_cast<std::uint8_t>(device() & 0xFFu);
  return id;
}

}  // namespace trestle::composition
