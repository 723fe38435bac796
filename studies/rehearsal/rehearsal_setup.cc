#include "studies/rehearsal/rehearsal_setup.h"

#include <algorithm>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/link_factory.h"
#include "composition/hybrid_test/rig_factory.h"
#include "composition/hybrid_test/substructure_factory.h"
#include "composition/processes/hybrid_test_setup.h"
#include "core/base/setting_error.h"
#include "core/yaml/config_error_collector.h"
#include "studies/rehearsal/simulated_process.h"

namespace trestle::rehearsal {
namespace {

std::string path(std::size_t site) {
  return "sites[" + std::to_string(site) + "]";
}

/// All sites brought here.
void bring_home(config::Test& test) {
  if (test.undivided())
    throw SettingError("undivided", "an undivided structure has no sites to rehearse");
  for (int i = 0; i < test.sites_size(); ++i) {
    config::Site& site = *test.mutable_sites(i);
    if (!composition::is_remote(site) && !site.has_adapter()) continue;
    if (!site.has_rig())
      throw SettingError(path(static_cast<std::size_t>(i)),
                         "site " + site.name() +
                             " has its own rig; to rehearse the test give it a twin here: "
                             "the `rig:` of its laboratory's file");
    site.clear_address();
    site.clear_remote();
    site.clear_adapter();
  }
}

}  // namespace

RehearsalSetup::RehearsalSetup(const std::string& file,
                               const std::vector<yaml::Override>& overrides,
                               const std::string& software, std::int64_t steps)
    : software_(software) {
  std::unique_ptr<composition::HybridTestSetup> setup =
      composition::load_hybrid_test(file, overrides, software);
  test_ = setup->test;
  yaml::ConfigErrorCollector problems(setup->where);
  problems.attempt([&] { bring_home(test_); });
  problems.throw_if_any();
  substructure_ = composition::make_substructure(test_, nullptr);
  integrator_ = composition::integrator_settings(test_, software, substructure_->steps());
  integrator_.arming = {};  // one simulated person, who has no list
  integrator_.session = rehearsal_session();
  integrator_.pace.virtual_clock = true;
  whole_steps_ = integrator_.steps;
  integrator_.steps = std::min(integrator_.steps, steps);
  for (std::size_t i = 0; i < integrator_.sites.size(); ++i) {
    sites_.push_back(integrator_.sites[i].name);
    integrator_.sites[i].shares_clock = false;  // each process has its own
    const config::Site& site = test_.sites(static_cast<int>(i));
    links_.push_back(nullptr);
    if (site.has_link())
      links_.back() = std::make_unique<network::LinkSettings>(composition::make_link(
          site.link(), test_.seed(), site.name(), path(i) + ".link"));
  }
}

site_node::SiteSettings RehearsalSetup::site(std::size_t site) const {
  return composition::site_settings(test_.sites(static_cast<int>(site)), software_, 1,
                                    path(site));
}

std::unique_ptr<SiteAdapter> RehearsalSetup::rig(std::size_t site) const {
  return composition::make_rig(test_.sites(static_cast<int>(site)), path(site));
}

ExpectedRigBehaviour RehearsalSetup::habits(std::size_t at) const {
  const site_node::SiteSettings settings = site(at);
  ExpectedRigBehaviour habits;
  habits.moves_before_start = !settings.start_checks.polarity_motion.empty();
  if (settings.safe_action.kind == safety::SafeAction::Kind::kRampHome)
    habits.after_fault = FaultResponse::kGoesHome;
  if (settings.safe_action.kind == safety::SafeAction::Kind::kUnload)
    habits.after_fault = FaultResponse::kUnloads;
  return habits;
}

const network::LinkSettings* RehearsalSetup::link(std::size_t site) const noexcept {
  return links_[site].get();
}

}  // namespace trestle::rehearsal
