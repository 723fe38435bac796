#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

struct CharacteriseOptions {
  std::string site;  ///< SITE.yaml
  std::string out = "transfer_system.yaml";
  std::string folder;  ///< of real equipment: its record, and the operators' channel
  std::vector<std::string> overrides;
  bool json = false;
  std::string report;  ///< FILE.html; may be empty
};
int characterise(const CharacteriseOptions& options);

/// The command line of the verbs about a laboratory's own rig.
class RigVerbs {
 public:
  /// @param app  must live as long as this
  explicit RigVerbs(CLI::App& app);

  /// Runs the verb that was parsed. @returns its exit code; nothing: it was another verb
  std::optional<int> run() const;

 private:
  CharacteriseOptions characterise_options_;
  CLI::App* characterise_;
};

}  // namespace trestle
