#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

#include "cli/verbs.h"

namespace trestle {

/// How a changed value is explained to people, by every verb that takes `--set`.
inline constexpr const char* kSetHelp =
    "change a value as if it stood so in the file: sites.west.compensator.kind=ats";

/// The command line of the verbs that take whole tests as a unit of work.
class StudyVerbs {
 public:
  /// @param app  must live as long as this
  explicit StudyVerbs(CLI::App& app);

  /// Runs the verb that was parsed. @returns its exit code; nothing: it was another verb
  std::optional<int> run() const;

 private:
  CampaignOptions campaign_options_;
  CompareOptions compare_options_;
  IdentifyOptions identify_options_;
  CLI::App* campaign_;
  CLI::App* compare_;
  CLI::App* identify_;
};

}  // namespace trestle
