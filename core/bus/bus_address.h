#pragma once

#include <string>

namespace trestle::bus {

enum class AddressUse { kCalled, kListened };

/// Checks the form of a bus address: `tcp://HOST:PORT`, `ipc://PATH` or `inproc://NAME`.
/// @returns what is wrong and what would be right; empty: nothing. Does not ask the network
std::string address_problem(const std::string& address, AddressUse use);

/// @returns the host of `tcp://HOST:PORT`; empty for every other address
std::string host_of_address(const std::string& address);

}  // namespace trestle::bus
