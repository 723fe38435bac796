#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/terminal/campaign_progress_line.h"
#include "cli/terminal/common_options.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/run_folder.h"
#include "composition/processes/stop_signals.h"
#include "core/base/lasting_file.h"
#include "core/yaml/config_error.h"
#include "studies/campaign/campaign.h"
#include "studies/campaign/campaign_page.h"
#include "studies/campaign/campaign_tables.h"
#include "studies/campaign/study_factory.h"

namespace trestle {
namespace {

struct CampaignOptions {
  std::string study;                   ///< STUDY.yaml
  std::string out;                     ///< folder; empty: runs/campaign-<study>
  std::vector<std::string> overrides;  ///< of the test: path=value
  int jobs = 0;                        ///< threads; 0: as many as there are cores
  int runs = 0;                        ///< 0: the study's
  std::optional<std::int64_t> run;     ///< this one alone, as `trestle run`
  bool json = false;
};

struct Files {
  std::string folder;

  std::string test() const { return folder + "/effective.yaml"; }
  std::string store() const { return folder + "/campaign.db"; }
};

/// For a shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

int repeat(const StudyPlan& plan, const StudyFile& study, const CampaignOptions& options,
           const Files& files) {
  if (*options.run < 0 || *options.run > plan.runs) {
    std::fprintf(stderr, "there is no run %lld; this study has 0 (nominal) to %lld\n",
                 static_cast<long long>(*options.run), static_cast<long long>(plan.runs));
    return kExitConfiguration;
  }
  if (std::filesystem::exists(files.store())) {  // it is this campaign's, or this throws
    const CampaignStore same(files.store(), study_identity(study, software_version()));
  }
  keep_file(files.test(), study.test);
  const RunOptions run_options{.test = files.test(),
                               .out = files.folder + "/run-" + std::to_string(*options.run),
                               .overrides = drawn_overrides(plan, *options.run),
                               .person = {},
                               .json = options.json};
  std::string command = "trestle run " + files.test();
  for (const std::string& change : run_options.overrides)
    command += " --set " + quoted(change);
  std::fprintf(options.json ? stderr : stdout, "the same     %s\n", command.c_str());
  return run(run_options);
}

int conduct(const StudyPlan& plan, const StudyFile& study, const CampaignOptions& options,
            const Files& files) {
  CampaignStore store(files.store(), study_identity(study, software_version()));
  keep_file(files.test(), study.test);
  Campaign campaign(plan, files.test(), software_version(), store);
  const StopSignals signals([](void*) {}, nullptr);
  CampaignProgressLine line;
  const int jobs =
      options.jobs > 0
          ? options.jobs
          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const bool complete = campaign.run(jobs, [&](const CampaignProgress& progress) {
    if (!options.json) line.show(progress);
    return !StopSignals::asked();
  });
  line.end();
  if (!complete) {
    std::fprintf(stderr,
                 "STOPPED    the operator asked for a stop; %zu runs are kept in %s: start "
                 "it again to go on\n",
                 store.finished().size(), files.folder.c_str());
    return kExitStopped;
  }
  const CampaignRecord record = store.read(plan.runs);
  std::string again = options.study;
  for (const std::string& change : options.overrides) again += " --set " + quoted(change);
  const CampaignFacts facts{files.folder, again, software_version()};
  const NumberTable table = campaign_table(plan, record, facts);
  const std::string json = campaign_json(plan, record, facts);
  write_table_csv(table, files.folder + "/results.csv");
  write_table_hdf5(table, files.folder + "/results.h5");
  write_table_mat(table, files.folder + "/results.mat");
  keep_file(files.folder + "/summary.json", json);
  keep_file(files.folder + "/report.html",
            campaign_page(plan, record, facts, "trestle " + software_version()));
  std::fputs(options.json ? json.c_str() : campaign_text(plan, record, facts).c_str(),
             stdout);
  const std::string why = why_none_could_run(record);
  if (why.empty()) return kExitComplete;
  std::fprintf(stderr, "%s: %s; correct the study or its test, then start it again\n",
               options.study.c_str(), why.c_str());
  return kExitConfiguration;
}

int run_campaign(const CampaignOptions& options) {
  StudyFile study = read_study(options.study, options.overrides, software_version());
  if (options.runs > 0) study.study.set_runs(static_cast<std::uint32_t>(options.runs));
  const StudyPlan plan = study_plan(study);
  const Files files{options.out.empty() ? "runs/campaign-" + to_folder_name(plan.name)
                                        : options.out};
  try {
    make_folders(files.folder);
    return options.run ? repeat(plan, study, options, files)
                       : conduct(plan, study, options, files);
  } catch (const ConfigError&) {
    throw;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

}  // namespace

void add_campaign_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<CampaignOptions>();
  CLI::App* const verb =
      app.add_subcommand("campaign", "run a test many times, with random draws");
  verb->add_option("study", options->study, "STUDY.yaml")->required();
  verb->add_option("--out", options->out,
                   "folder of the results; default runs/campaign-<study>");
  add_override_option(*verb, options->overrides);
  verb->add_option("--jobs", options->jobs, "threads; default all cores")
      ->check(CLI::Range(1, 4096));
  verb->add_option("--runs", options->runs, "in place of the study's number")
      ->check(CLI::Range(1, 100'000'000));
  verb->add_option("--run", options->run,
                   "this run alone, with its whole record; 0 is the nominal one");
  verb->add_flag("--json", options->json, "print the summary as JSON, and nothing else");
  commands.add(verb, [options] { return run_campaign(*options); });
}

}  // namespace trestle
