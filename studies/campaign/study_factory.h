#pragma once

#include <string>
#include <vector>

#include "core/yaml/override.h"
#include "core/yaml/source_map.h"
#include "proto/config/study.pb.h"
#include "studies/campaign/study_plan.h"

namespace trestle {

/// A study as it was written, with the test that it is about.
struct StudyFile {
  config::Study study;
  SourceMap where;
  std::vector<Override> overrides;  ///< of the test: the study's own, then the caller's
  std::string test;                 ///< the effective test, nominal values and all: YAML
  double time_step = 0.0;           ///< of the test [s]
};

/// Reads STUDY.yaml and builds its test once, so that whatever is wrong is told now.
/// @param overrides  of the test
/// @throws ConfigError with the places in both files
StudyFile read_study(const std::string& file, const std::vector<std::string>& overrides,
                     const std::string& software);

/// What the study draws, its nominal values read from the effective test.
/// @throws ConfigError with all problems at once
StudyPlan study_plan(const StudyFile& file);

/// What makes two campaigns the same, so that one may go on with the other's runs: all but
/// the number of runs. One line per part, `what: text`; parts that are long are hashed.
std::vector<std::pair<std::string, std::string>> study_identity(
    const StudyFile& file, const std::string& software);

}  // namespace trestle
