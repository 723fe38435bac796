#pragma once

#include <string>

namespace trestle::bus {

/// ipc, inproc and tcp to a loopback address.
bool is_local_address(const std::string& address);

/// @returns why a plain socket must not use this address; empty: it may
std::string validate_plain_address(const std::string& address, bool insecure);

}  // namespace trestle::bus
