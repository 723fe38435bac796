#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

struct RehearseOptions {
  std::string test;                    ///< TEST.yaml
  std::vector<std::string> overrides;  ///< path=value
  std::int64_t faults = 1000;          ///< scenarios
  std::uint64_t seed = 1;
  std::int64_t steps = 40;               ///< of each scenario, at most
  std::optional<std::int64_t> scenario;  ///< this one alone, told
  int jobs = 0;                          ///< threads; 0: as many as there are cores
  bool json = false;
  std::string report;  ///< FILE.html; may be empty
};
int rehearse(const RehearseOptions& options);

/// The command line of `trestle rehearse`.
class RehearseVerb {
 public:
  /// @param app  must live as long as this
  explicit RehearseVerb(CLI::App& app);

  /// Runs the verb where it was parsed. @returns its exit code; nothing: it was another
  std::optional<int> run() const;

 private:
  RehearseOptions options_;
  CLI::App* verb_;
};

}  // namespace trestle
