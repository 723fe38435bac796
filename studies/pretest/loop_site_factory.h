#pragma once

#include <string>

#include "core/ports/loading_frame.h"
#include "studies/pretest/assessment.h"

namespace trestle::config {
class Compensator;
class Site;
class Test;
}  // namespace trestle::config

namespace trestle::pretest {

/// Steps that an answer is late by.
int latency_of(const config::Test& test);

/// As the configuration calls it: "none", "ats", ...
std::string compensator_kind(const config::Compensator& message);

/// A site of the loop with its name and its times.
ClosedLoopSite timed_site(const config::Test& test, const config::Site& message,
                          const std::string& path);

/// The linear maps of its loading frame at zero stroke.
void add_frame(const LoadingFrame& frame, ClosedLoopSite& site);

/// Compensator and controller. @pre add_frame()
/// @returns why it has no linear form, or empty
std::string add_control(const config::Site& message, const std::string& path,
                        ClosedLoopSite& site);

/// A site with actuators and a specimen that they move.
void add_loop_site(const config::Test& test, int index, TestClosedLoop& result);

}  // namespace trestle::pretest
