#pragma once

#include <string>

namespace trestle {

/// ipc, inproc and tcp to a loopback address.
bool stays_on_this_machine(const std::string& address);

/// @returns why a plain socket must not use this address; empty: it may
std::string plain_refusal(const std::string& address, bool insecure);

}  // namespace trestle
