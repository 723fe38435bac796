#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/numerical/numerical_factory.h"
#include "composition/numerical/test_start.h"
#include "core/ports/site_adapter.h"
#include "core/ports/specimen_model.h"
#include "numerical/node/integrator_settings.h"
#include "proto/config/site.pb.h"
#include "proto/config/site_file.pb.h"
#include "proto/config/test.pb.h"
#include "site-servers/node/site_settings.h"

namespace trestle::composition {

/// From the configuration of a test to the parts of it. All throw SettingError, with the
/// path of the field; `sites[i]...` counts in file order.

/// True if the site's server runs in a separate process, and no twin stands for it.
bool is_remote(const config::Site& site);

/// From one command to the next [s]: Δt, or its part with sites: each-iteration.
double command_step(const config::Test& test);

/// Control ticks in a step of the wall, which in continuous mode is longer than the
/// structure's.
int ticks_per_step(const config::Test& test, const config::Site& site,
                   const std::string& path);

/// The interface DOFs of a site, with the test's limits on their targets.
InterfaceLayout interface_layout(const config::Site& site, const std::string& path);

/// Settings of the integrator node; `steps` are those of the substructure.
integrator_node::IntegratorSettings integrator_settings(const config::Test& test,
                                                        const std::string& software,
                                                        std::int64_t steps);

/// The physical parts that the test file describes: from the rigs, and from the simulated
/// twins of the rehearsal.
NumericalParts numerical_parts(const config::Test& test);

/// Returns the settings of a site in this process: its limits are those of the
/// configuration.
/// @param record_every  keep every n-th control tick
site_node::SiteSettings site_settings(const config::Site& site, const std::string& software,
                                      int record_every, const std::string& path);

/// A laboratory's own file.
/// @throws SettingError also where neither its loading frame nor its rig nor its limits say
///         how many actuators there are
site_node::SiteSettings site_settings(const config::SiteFile& file,
                                      const std::string& software);

/// Requires for real equipment a limit of displacement, rate and force for each actuator,
/// or a person who takes responsibility (arming.without_limits).
/// @param limits  one per actuator, as the file states them
/// @param path    of the site in its file; empty: the file is the site's own
/// @throws SettingError  which are missing; also if a person takes responsibility although
///          none is missing
void require_limits(const RigLimits& limits, const site_node::SiteSettings& site,
                    const RigDescription& rig, const std::string& path);

/// Writes out the presets and rules of every site's control chain (control_presets.h).
void expand_presets(config::Test& test);

/// Checks that involve several sites or fields: a site without an interface, or with two
/// ways to reach it. Reports all problems together. (The model checks whether two sites
/// claim one DOF.) A resumed test keeps keys that have no effect, and its names.
void check_test(const config::Test& test, TestStart start = TestStart::kNew);

}  // namespace trestle::composition
