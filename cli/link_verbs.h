#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

struct LinkOptions {
  std::string file;                    ///< LINK.yaml
  std::vector<std::string> overrides;  ///< path=value
  std::optional<double> duration;      ///< ends by itself after so long [s]
};
int link_relay(const LinkOptions& options);

/// The command line of the verb that puts a network between two processes.
class LinkVerbs {
 public:
  /// @param app  must live as long as this
  explicit LinkVerbs(CLI::App& app);

  /// Runs the verb that was parsed. @returns its exit code; nothing: it was another verb
  std::optional<int> run() const;

 private:
  LinkOptions options_;
  CLI::App* link_;
};

}  // namespace trestle
