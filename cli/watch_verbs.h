#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/watch.h"

namespace trestle {

/// The command line of `watch`.
class WatchVerbs {
 public:
  /// @param app  must live as long as this
  explicit WatchVerbs(CLI::App& app);

  /// Runs the verb if it was parsed. @returns its exit code; nothing: it was another verb
  std::optional<int> run() const;

 private:
  WatchOptions options_;
  CLI::App* watch_;
};

}  // namespace trestle
