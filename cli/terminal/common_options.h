#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace trestle::cli {

/// Declares `--as NAME` of a command by which a person acts; TRESTLE_AS if it is not given.
/// @param name  lives as long as the command
void add_person_option(CLI::App& verb, std::string& name);

/// Declares `--set PATH=VALUE`, which may be repeated.
/// @param overrides  live as long as the command
void add_override_option(CLI::App& verb, std::vector<std::string>& overrides);

}  // namespace trestle::cli
