#pragma once

#include <string>

#include "core/base/time.h"
#include "core/types/fault.h"
#include "numerical/node/integrator_settings.h"
#include "numerical/node/step_exchange.h"

namespace trestle::run_text {

/// "2.5 s".
std::string duration(Duration duration);

/// ` (limit of the test, test.yaml:41:44)` where it is the test's limit that was met.
std::string test_limit_note(const SiteInTest& site, const Fault& fault);

/// Of a site that answered with something that nobody can use.
std::string bad_answer(AnswerVerdict verdict, const SitePeer& peer,
                       const StepResponse& response);
std::string too_many_misses(const MissPolicy& misses, const StepExchange::TooManyMisses& by,
                            const std::string& name, std::int64_t step);

/// What the clocks are known to, where that is too little; or empty.
std::string clocks(const IntegratorSettings& settings, const SitePeers& peers,
                   TimePoint now);
/// Why real equipment is not armed, or empty: an unstable loop may be rehearsed, but not
/// with it.
std::string refusal_to_arm(const IntegratorSettings& settings, const SitePeers& peers);

}  // namespace trestle::run_text
