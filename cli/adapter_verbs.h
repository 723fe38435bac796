#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

struct AdapterCheckOptions {
  std::string file;                   ///< X.so, or a SITE.yaml with an adapter
  std::vector<std::string> settings;  ///< path=value
  double tick_s = 0.0;                ///< 0: the shortest that it allows
  int ticks = 2000;
  double amplitude = 1e-3;
  bool write = false;  ///< to real equipment, too: that it stay where it is
};
/// @returns the exit code: 0 where every rule is kept, 3 where one is broken
int check_adapter(const AdapterCheckOptions& options);

/// `trestle adapter new NAME` and `trestle adapter check FILE`: for those who write
/// plug-ins.
class AdapterVerbs {
 public:
  /// @param app  must live as long as this
  explicit AdapterVerbs(CLI::App& app);

  /// Runs the verb where it was parsed. @returns its exit code; nothing: it was another
  std::optional<int> run() const;

 private:
  std::string name_;
  std::string folder_;
  AdapterCheckOptions check_options_;
  CLI::App* new_ = nullptr;
  CLI::App* check_ = nullptr;
};

}  // namespace trestle
