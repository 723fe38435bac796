#pragma once

#include <string>

#include "core/types/message.h"

namespace trestle::session {

/// Comparisons of contracts. Each refusal is one sentence with the line that differs, or
/// empty: go on.

/// "line 17: limits.actuators[0].rate_m_s: the integrator has 0.3, the site has 0.2". Empty
/// where the texts are the same.
std::string first_difference(const std::string& ours, const std::string& theirs,
                             const std::string& we = "the integrator",
                             const std::string& they = "the site");

/// Integrator, on Configured: its own text against the site's.
std::string compare_contracts(const std::string& site, const std::string& ours,
                              const std::string& theirs);

/// Integrator, on Configured: no limit may be wider than the test requested.
std::string check_limits_not_widened(const std::string& site, const Configure& configure,
                                     const Configured& configured);

/// Site, on Arm and on Resume: the hash that is named against the text it agreed to.
/// @param what  "arm", "resume"
std::string check_contract_hash(const std::string& what, const std::string& contract,
                                const std::string& named);

/// Either end, on resume: the contract that was journalled against today's.
std::string check_contract_unchanged(const std::string& journalled, const std::string& now);

}  // namespace trestle::session
