#pragma once

#include <string>

#include "core/base/time.h"
#include "core/types/fault.h"
#include "numerical/node/integrator_settings.h"

namespace trestle::run_text {

/// "2.5 s".
std::string duration(Duration duration);

/// ` (limit of the test, test.yaml:41:44)` where it is the test's limit that was met.
std::string test_limit_note(const SiteInTest& site, const Fault& fault);

}  // namespace trestle::run_text
