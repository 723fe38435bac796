#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>

#include "cli/commands/commands.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/software_version.h"
#include "core/base/lasting_file.h"
#include "core/yaml/config_error.h"
#include "studies/campaign/campaign_point.h"
#include "studies/campaign/study_factory.h"

namespace trestle::cli {
namespace {

struct PointOptions {
  std::string study;                   ///< STUDY.yaml
  std::string values;                  ///< file of the parameters' values
  std::string results;                 ///< file to write
  std::vector<std::string> overrides;  ///< of the test: path=value
  double unstable_value = std::numeric_limits<double>::quiet_NaN();  ///< NaN: FAIL
};

/// A folder that is gone at its end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "trestle-point-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error(name +
                               ": cannot be made; set TMPDIR to a folder on a disk "
                               "with free space");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

int run_point_command(const PointOptions& options) {
  campaign::StudyFile study =
      campaign::read_study(options.study, options.overrides, software_version());
  // The values come from elsewhere. A file of samples stays: parameters may rely on it.
  study.study.clear_sensitivity();
  if (!study.study.design().has_file()) study.study.clear_design();
  study.study.set_runs(1);
  const campaign::StudyPlan plan = campaign::study_plan(study);
  std::vector<std::string> names;
  for (const campaign::Parameter& parameter : plan.parameters)
    names.push_back(parameter.name);
  try {
    const auto values = campaign::read_point(options.values, names);
    if (!values) throw std::runtime_error(values.error().detail);
    const ScratchFolder folder;
    const campaign::PointOutcome outcome = campaign::run_point(
        plan, values.value(), study.test, software_version(), folder.path());
    keep_file(options.results, campaign::point_text(outcome, options.unstable_value));
    if (!outcome.usable) std::fprintf(stderr, "not usable: %s\n", outcome.reason.c_str());
    return kExitComplete;
  } catch (const yaml::ConfigError&) {
    throw;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

}  // namespace

void add_campaign_point_command(CLI::App& campaign, CommandList& commands) {
  const auto options = std::make_shared<PointOptions>();
  CLI::App* const verb = campaign.add_subcommand(
      "point", "one run with given values, for Dakota, quoFEM and others");
  verb->add_option("study", options->study, "STUDY.yaml")->required();
  verb->add_option("--values", options->values,
                   "file of the parameters: lines `name value` or `value name`")
      ->required();
  verb->add_option(
          "--results", options->results,
          "file to write: the results that the study lists, one a line; FAIL where "
          "the run was not stable")
      ->required();
  add_override_option(*verb, options->overrides);
  verb->add_option("--unstable-value", options->unstable_value,
                   "this number for each result in place of FAIL");
  commands.add(verb, [options] { return run_point_command(*options); });
}

}  // namespace trestle::cli
