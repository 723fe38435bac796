#pragma once

#include <string>

namespace trestle {

/// Asks this machine for the address of a host. Blocks for as long as the system's resolver
/// takes (seconds): for the set-up of a test, never for a node's thread.
/// @returns why the host is not known, `Name or service not known`; empty: it is known
std::string unknown_host(const std::string& host);

}  // namespace trestle
