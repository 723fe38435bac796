#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/numerical/numerical_factory.h"
#include "core/ports/site_adapter.h"
#include "core/ports/specimen_model.h"
#include "numerical/node/integrator_settings.h"
#include "proto/config/site.pb.h"
#include "proto/config/site_file.pb.h"
#include "proto/config/test.pb.h"
#include "site-servers/node/site_settings.h"

namespace trestle {

/// From the configuration of a test to the parts of it. All throw SettingError, with the
/// path of the field; `sites[i]...` counts in file order.

/// The site's server runs in a process of its own.
bool is_remote(const config::Site& site);

/// Control ticks in a step of the wall, which in continuous mode is longer than the
/// structure's.
int ticks_per_step(const config::Test& test, const config::Site& site,
                   const std::string& path);

/// The interface DOFs of a site, with the test's limits on their targets.
InterfaceLayout interface_layout(const config::Site& site, const std::string& path);

/// Settings of the integrator node; `steps` are those of the substructure.
IntegratorSettings integrator_settings(const config::Test& test,
                                       const std::string& software, std::int64_t steps);

/// What stands in the laboratories, as far as the test file knows it: from the rigs, and
/// from the rehearsal's twins.
NumericalParts numerical_parts(const config::Test& test);

/// A site of the test that lives in this process: its limits came with the configuration.
/// @param record_every  keep every n-th control tick
SiteSettings site_settings(const config::Site& site, const std::string& software,
                           int record_every, const std::string& path);

/// A laboratory's own file.
/// @throws SettingError also where neither its loading frame nor its rig nor its limits say
///         how many actuators there are
SiteSettings site_settings(const config::SiteFile& file, const std::string& software);

/// Real equipment needs a limit of displacement, rate and force for each actuator, or
/// somebody who answers for it (arming.without_limits).
/// @param limits  one per actuator, as the file states them
/// @param path    of the site in its file; empty: the file is the site's own
/// @throws SettingError  which are missing; also where somebody answers for nothing
void require_limits(const RigLimits& limits, const SiteSettings& site,
                    const RigDescription& rig, const std::string& path);

/// Writes out the presets and rules of every site's control chain (control_presets.h).
void expand_presets(config::Test& test);

/// Checks across sites, and what cannot be said per field: a site without an interface, or
/// with two ways to reach it. All problems at once. (Two sites that claim one DOF are the
/// model's to find.)
void check_test(const config::Test& test);

}  // namespace trestle
