#pragma once

#include <vector>

#include "core/base/setting_error.h"
#include "core/types/execution_mode.h"
#include "numerical/node/integrator_settings.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"
#include "site-servers/node/control_thread.h"

namespace trestle::composition {

/// From the configuration of a test to its pace, with the defaults that the schema states.

ExecutionMode mode_of(const config::Test& test);
PacingSettings make_pacing(const config::Test& test);
integrator_node::MissedResponseSettings make_missed_response_settings(
    const config::Test& test);
Duration clock_bound_of(const config::Test& test);

site_node::ControlThreadSettings control_thread_of(const config::ControlThread& thread);
Duration overrun_threshold(const config::ControlThread& thread);  ///< zero: one tick
std::int64_t most_overruns_of(const config::ControlThread& thread);

/// Adds the problems that involve several fields.
void check_pace(const config::Test& test, std::vector<SettingIssue>& problems);

}  // namespace trestle::composition
