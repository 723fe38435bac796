#pragma once

#include "site-servers/node/agreed_test.h"
#include "site-servers/node/timed_steps.h"

namespace trestle::site_node {

/// Makes motion and sequence of the agreed mode. In lock-step both are empty: the motion is
/// the control loop's own. Nothing else at a site tests a mode by its name.
TimedSteps make_timed_steps(const AgreedTest& agreed);

}  // namespace trestle::site_node
