#pragma once

#include <string>

namespace trestle::driver_program {

/// The most private memory of a driver and its plug-in [byte].
constexpr unsigned long kMostMemory = 1UL << 30;

/// Whether a plug-in's settings (lines `path: value`) name an address in a network: a
/// setting `target`, `server`, `address`, `host`, `listen`, `device`, `socket` or `port`
/// whose value is not the path of a file.
bool names_an_address(const std::string& settings);

/// Bounds this process and all that is loaded later, without any privilege, and without a
/// way back: its private memory; no other process; and, unless it has the network, no
/// socket but those of this host's files (Unix sockets). What is refused returns an error
/// to the plug-in, as any failed call. Call before the first thread.
/// @returns what this host does not allow to bound, a sentence; empty: nothing
std::string confine(bool network);

}  // namespace trestle::driver_program
