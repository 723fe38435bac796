#pragma once

#include <string>

#include "core/session/session_contract.h"

namespace trestle::session {

/// Returns every line of a contract, in order; what is no line `key: value` is left out.
ContractEntries parse_contract_lines(const std::string& contract);

}  // namespace trestle::session
