#pragma once

#include <string>
#include <vector>

namespace trestle::bond_graph {

/// The sentence with its code behind it: `... [E_PORTS]`.
std::string coded(const std::string& sentence, const char* code);

/// @throws SettingError(path, coded(sentence, code))
[[noreturn]] void fail(const char* code, const std::string& path,
                       const std::string& sentence);

/// `a`, `b` and `c`, each in backquotes.
std::string quoted(const std::vector<std::string>& names);

}  // namespace trestle::bond_graph
