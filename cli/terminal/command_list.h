#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trestle::cli {

/// The commands of the program with what each does.
class CommandList {
 public:
  /// @param verb  declared on the command line; lives as long as this
  /// @param run   returns the exit code; keeps the options of the command alive
  void add(CLI::App* verb, std::function<int()> run);

  /// Runs the command that was parsed. @returns its exit code; nothing: none was parsed
  std::optional<int> run() const;

 private:
  std::vector<std::pair<CLI::App*, std::function<int()>>> commands_;
};

}  // namespace trestle::cli
