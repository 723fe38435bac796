#pragma once

#include "adapters/plugin/conformance/rule_checks.h"

namespace trestle::conformance {

/// Checks the rules about digital inputs and outputs (R18 to R20). A plug-in without them
/// keeps them all.
void check_contacts(RuleChecks& checks);

}  // namespace trestle::conformance
