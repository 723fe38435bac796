#pragma once

#include <string>
#include <vector>

#include "core/yaml/override.h"
#include "core/yaml/source_map.h"
#include "proto/config/study.pb.h"
#include "studies/campaign/study_plan.h"

namespace trestle::campaign {

/// A study as it was written, with the test that it is about.
struct StudyFile {
  config::Study study;
  yaml::SourceMap where;
  std::vector<yaml::Override>
      overrides;           ///< of the test: the study's own, then the caller's
  std::string test;        ///< the effective test, nominal values and all: YAML
  double time_step = 0.0;  ///< of the test [s]
};

/// Reads STUDY.yaml and builds its test once, so that all problems are reported now.
/// @param overrides  of the test
/// @throws ConfigError with the places in both files
StudyFile read_study(const std::string& file, const std::vector<std::string>& overrides,
                     const std::string& software);

/// Returns the plan of the draws, with nominal values read from the effective test.
/// @throws ConfigError with all problems
StudyPlan study_plan(const StudyFile& file);

/// Identifies a campaign: one with the same identity may reuse the other's runs. Contains
/// everything but the number of runs, one line per part, `what: text`; long parts are
/// hashed.
std::vector<std::pair<std::string, std::string>> study_identity(
    const StudyFile& file, const std::string& software);

}  // namespace trestle::campaign
