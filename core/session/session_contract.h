#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/types/message.h"

namespace trestle::session {

using ContractEntries = std::vector<std::pair<std::string, std::string>>;  ///< key, value

/// The parts of a contract that no message carries, or carries only as bytes.
struct ContractDescriptions {
  std::string compensator{};  ///< config.Compensator, readable; empty: the default
  std::string controller{};   ///< config.ActuatorController, readable; empty: the default
  /// Facts that only the site knows: {"safe_action", "hold {}"}. The integrator copies them
  /// from the site's text by parse_site_entries().
  ContractEntries stated{};
};

/// The facts on which integrator and site agree for one test, as one text: a line `key:
/// value` per fact, in a fixed order, with units in the keys and numbers as the shortest
/// decimals that read back as the same doubles (docs/reference/session-contract.md). Both
/// ends compose it from the messages that they sent and received, so their texts are equal.
/// A resumed test has the same text. For the cold path only.
/// @param site        from its Hello
/// @param configure   as the integrator requested
/// @param configured  as the site answered, with the limits that apply. Its own `contract`
///                    and `tightened` are not looked at
std::string contract_text(const SiteDescription& site, const Configure& configure,
                          const Configured& configured, const ContractDescriptions& words);

/// SHA-256 of the text, 64 hexadecimal digits.
std::string contract_hash(const std::string& text);

/// ContractDescriptions::stated of a contract that was received.
ContractEntries parse_site_entries(const std::string& contract);

}  // namespace trestle::session
