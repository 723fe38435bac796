#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/audit.h"
#include "cli/verbs.h"

namespace trestle {

/// The command line of the verbs about one test, its sites and its record.
class TestVerbs {
 public:
  /// @param app  must live as long as this
  explicit TestVerbs(CLI::App& app);

  /// Runs the verb that was parsed. @returns its exit code; nothing: it was another verb
  std::optional<int> run() const;

 private:
  void describe_tests();
  void describe_records();

  RunOptions run_options_;
  SiteOptions site_options_;
  CheckOptions check_options_;
  ExportVerbOptions export_options_;
  CollectOptions collect_options_;
  AuditOptions audit_options_;
  CLI::App* run_;
  CLI::App* site_;
  CLI::App* check_;
  CLI::App* export_;
  CLI::App* collect_;
  CLI::App* audit_;
};

}  // namespace trestle
