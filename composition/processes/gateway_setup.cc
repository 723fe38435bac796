#include "composition/processes/gateway_setup.h"

#include <limits>
#include <utility>

#include "composition/hybrid_test/gateway_factory.h"
#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/model_hash.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error_collector.h"
#include "core/yaml/yaml_reader.h"

namespace trestle::composition {
namespace {

// Duration of the sites' motion to one target.
constexpr double kUsualStep = 0.01;  // [s]
// The number of steps that a client will send is unknown.
constexpr std::int64_t kOpenEnd = 1'000'000'000'000;

config::Test as_test(const config::GatewayFile& file) {
  config::Test test;
  test.set_test(file.gateway());
  test.set_mode(file.mode());
  test.set_time_step(file.has_time_step() ? file.time_step() : kUsualStep);
  test.set_seed(file.seed());
  test.set_clock(config::WALL);
  test.mutable_excitation()->set_record("none");  // it is the client's
  *test.mutable_sites() = file.sites();
  test.set_listen(file.listen());
  *test.mutable_deadlines() = file.deadlines();
  *test.mutable_recording() = file.recording();
  *test.mutable_pseudo_dynamic() = file.pseudo_dynamic();
  *test.mutable_arming() = file.arming();
  if (file.has_security()) *test.mutable_security() = file.security();
  return test;
}

void check_mode(const config::GatewayFile& file) {
  if (file.mode() == config::SIMULATED || file.mode() == config::PSEUDO_DYNAMIC) return;
  throw SettingError("mode",
                     "a client sets no pace that sites could follow in this mode; take "
                     "`simulated` or `pseudo-dynamic`");
}

/// Block by block; size zero if a specimen is not known here.
Eigen::MatrixXd known_stiffness(const config::Test& test) {
  const NumericalParts parts = numerical_parts(test);
  Eigen::Index size = 0;
  for (int i = 0; i < test.sites_size(); ++i) {
    if (!test.sites(i).rig().has_specimen()) return {};
    size += test.sites(i).interface_size();
  }
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(size, size);
  Eigen::Index at = 0;
  for (int i = 0; i < test.sites_size(); ++i) {
    const Eigen::Index dofs = test.sites(i).interface_size();
    stiffness.block(at, at, dofs, dofs) =
        parts.experimental[static_cast<std::size_t>(i)].stiffness.topLeftCorner(dofs, dofs);
    at += dofs;
  }
  return stiffness;
}

}  // namespace

std::unique_ptr<GatewaySetup> set_up_gateway(const std::string& file,
                                             const std::vector<std::string>& overrides,
                                             bool datagrams, const std::string& software) {
  auto setup = std::make_unique<GatewaySetup>();
  setup->software = software;
  yaml::read_yaml(file, overrides, setup->file, setup->where);
  setup->test = as_test(setup->file);
  yaml::ConfigErrorCollector problems(setup->where);
  problems.attempt([&] { check_mode(setup->file); });
  problems.attempt([&] { check_test(setup->test); });
  problems.attempt([&] { expand_presets(setup->test); });
  problems.attempt([&] {
    setup->integrator = integrator_settings(setup->test, software, kOpenEnd);
    setup->integrator.model = model_hash(setup->test);
    std::vector<InterfaceLayout> layouts;
    for (const integrator_node::SiteSpecification& site : setup->integrator.sites)
      layouts.push_back(site.layout);
    setup->settings =
        make_gateway(setup->file, layouts, known_stiffness(setup->test), datagrams);
  });
  for (int i = 0; i < setup->test.sites_size(); ++i) {
    setup->remote.push_back(is_remote(setup->test.sites(i)));
    if (!setup->remote.back())
      problems.attempt([&] {
        LocalSite here = make_local_site(setup->test, i, software);
        if (here.claim != nullptr) setup->claims.push_back(std::move(here.claim));
      });
  }
  problems.throw_if_any();
  return setup;
}

std::vector<LocalSite> gateway_sites(const GatewaySetup& setup) {
  std::vector<LocalSite> sites;
  for (int i = 0; i < setup.test.sites_size(); ++i)
    if (!is_remote(setup.test.sites(i)))
      sites.push_back(make_local_site(setup.test, i, setup.software));
  return sites;
}

}  // namespace trestle::composition
