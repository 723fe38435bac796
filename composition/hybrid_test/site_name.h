#pragma once

#include <string>

namespace trestle::composition {

/// Checks the name of a site, which becomes the name of a file (`west.db`), of columns
/// (`west.1.command_m`) and of a node on the bus.
/// @returns what is wrong and what would be right; empty: nothing
std::string site_name_problem(const std::string& name);

}  // namespace trestle::composition
