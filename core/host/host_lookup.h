#pragma once

#include <string>

namespace trestle::host {

/// Asks this machine for the address of a host. Blocks for as long as the system's resolver
/// takes (seconds): for the set-up of a test, never for a node's thread.
/// @returns why the host is not known, `Name or service not known`; empty: it is known
std::string unknown_host(const std::string& host);

/// One text for every spelling of one address. A scheme is dropped, a port number loses its
/// leading zeros, a host's name becomes its number, and this host under any of its names
/// and numbers becomes `local`. A path becomes canonical. Text of another kind is returned
/// unchanged, and so is a host that the resolver does not know. Blocks as unknown_host().
/// @param address  `HOST:PORT`, `[HOST]:PORT`, `HOST`, `PORT` or a path
std::string canonical_address(const std::string& address);

}  // namespace trestle::host
