#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trestle {

struct ReportOptions {
  std::vector<std::string> folders;  ///< of one run, or of two
  std::string out;                   ///< FILE.html; empty: in the first folder
  bool pdf = false;                  ///< also as PDF, by Chromium
};

/// Writes a run as one HTML document, or two runs laid over each other.
int report(const ReportOptions& options);

/// The command line of `trestle report`.
class ReportVerb {
 public:
  /// @param app  must live as long as this
  explicit ReportVerb(CLI::App& app);

  /// Runs the verb if it was parsed. @returns its exit code; nothing: it was another
  std::optional<int> run() const;

 private:
  ReportOptions options_;
  CLI::App* verb_;
};

}  // namespace trestle
