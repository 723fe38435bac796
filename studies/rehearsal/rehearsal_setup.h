#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/network/link_settings.h"
#include "core/ports/numerical_substructure.h"
#include "core/ports/site_adapter.h"
#include "core/yaml/override.h"
#include "numerical/node/integrator_settings.h"
#include "proto/config/test.pb.h"
#include "site-servers/node/site_settings.h"
#include "studies/rehearsal/rig_monitor.h"

namespace trestle::rehearsal {

/// A test from which scenarios are made, one after the other, on one thread. Sites that
/// live elsewhere are rehearsed by their twins, the rigs of the test file.
class RehearsalSetup {
 public:
  /// @param steps  of each scenario, at most
  /// @throws ConfigError with everything that is wrong with the test, and where a site
  ///         elsewhere has no rig in the file
  RehearsalSetup(const std::string& file, const std::vector<yaml::Override>& overrides,
                 const std::string& software, std::int64_t steps);

  /// `steps` are those of a scenario, `session` the rehearsal's.
  const integrator_node::IntegratorSettings& integrator() const noexcept {
    return integrator_;
  }
  /// Returns the number of steps of the test itself.
  std::int64_t whole_steps() const noexcept { return whole_steps_; }
  const std::vector<std::string>& sites() const noexcept { return sites_; }

  /// One for all scenarios; its prepare() resets it.
  NumericalSubstructure& substructure() noexcept { return *substructure_; }
  site_node::SiteSettings site(std::size_t site) const;
  std::unique_ptr<SiteAdapter> rig(std::size_t site) const;
  /// Returns the expected behaviour of a rig beside following targets.
  ExpectedRigBehaviour habits(std::size_t site) const;
  /// Null: none.
  const network::LinkSettings* link(std::size_t site) const noexcept;

 private:
  config::Test test_;
  std::string software_;
  integrator_node::IntegratorSettings integrator_;
  std::int64_t whole_steps_ = 0;
  std::vector<std::string> sites_;
  std::vector<std::unique_ptr<network::LinkSettings>> links_;
  std::unique_ptr<NumericalSubstructure> substructure_;
};

}  // namespace trestle::rehearsal
