#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
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
#include "studies/campaign/campaign_merge.h"
#include "studies/campaign/campaign_page.h"
#include "studies/campaign/campaign_share.h"
#include "studies/campaign/campaign_status.h"
#include "studies/campaign/campaign_tables.h"
#include "studies/campaign/slurm_script.h"
#include "studies/campaign/study_factory.h"

namespace trestle::cli {
namespace {

struct CampaignOptions {
  std::string study;                   ///< STUDY.yaml
  std::string out;                     ///< folder; empty: runs/campaign-<study>
  std::vector<std::string> overrides;  ///< of the test: path=value
  int jobs = 0;                        ///< threads; 0: as many as there are cores
  int runs = 0;                        ///< 0: the study's
  std::string samples;                 ///< CSV, in place of the study's design; empty: none
  std::optional<std::int64_t> run;     ///< this one alone, as `trestle run`
  std::string share;                   ///< a/b or `array`; empty: all runs
  std::string slurm;                   ///< what a job asks for; empty: run here
  bool status = false;                 ///< say how far it is, and nothing else
  bool force = false;                  ///< sensitivities although many runs were unstable
  bool json = false;
};

struct Files {
  std::string folder;

  std::string test() const { return folder + "/effective.yaml"; }
  std::string store(const campaign::CampaignShare& share) const {
    return folder + "/" + share.stem() + ".db";
  }
};

std::optional<std::string> environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// Options that are part of what one types again.
std::string typed_again(const CampaignOptions& options) {
  std::string text;
  for (const std::string& change : options.overrides)
    text += " --set " + campaign::shell_quoted(change);
  if (!options.samples.empty())
    text += " --design " + campaign::shell_quoted(options.samples);
  if (options.runs > 0) text += " --runs " + std::to_string(options.runs);
  return text;
}

/// Every run reads the effective test, so it must not become another one under the shares
/// of another campaign that are being computed.
void keep_effective_test(const Files& files, const std::string& test) {
  std::ifstream stream(files.test(), std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(stream), {}};
  if (stream.is_open() && there == test) return;
  if (stream.is_open() && !campaign::share_files(files.folder).empty())
    throw std::runtime_error(files.folder +
                             " holds shares of a campaign with another test "
                             "(effective.yaml); name another folder with --out");
  keep_file(files.test(), test);
}

int repeat(const campaign::StudyPlan& plan, const campaign::StudyFile& study,
           const CampaignOptions& options, const Files& files) {
  if (*options.run < 0 || *options.run > plan.runs) {
    std::fprintf(stderr, "there is no run %lld; this study has 0 (nominal) to %lld\n",
                 static_cast<long long>(*options.run), static_cast<long long>(plan.runs));
    return kExitConfiguration;
  }
  if (std::filesystem::exists(files.store({}))) {  // it is this campaign's, or this throws
    const campaign::CampaignStore same(files.store({}),
                                       campaign::study_identity(study, software_version()));
  }
  keep_effective_test(files, study.test);
  const RunOptions run_options{.test = files.test(),
                               .out = files.folder + "/run-" + std::to_string(*options.run),
                               .overrides = campaign::drawn_overrides(plan, *options.run),
                               .person = {},
                               .json = options.json};
  std::string command = "trestle run " + files.test();
  for (const std::string& change : run_options.overrides)
    command += " --set " + campaign::shell_quoted(change);
  std::fprintf(options.json ? stderr : stdout, "the same     %s\n", command.c_str());
  return run(run_options);
}

/// Tables, summary and report of a complete campaign.
int write_campaign(const campaign::StudyPlan& plan, const CampaignOptions& options,
                   const Files& files, campaign::CampaignStore& store) {
  const campaign::CampaignRecord record = store.read(plan.runs);
  const campaign::CampaignFacts facts{
      files.folder, options.study + typed_again(options), software_version(),
      campaign::sensitivity_of(plan, record, options.force)};
  const exports::NumberTable table = campaign::campaign_table(plan, record, facts);
  const std::string json = campaign::campaign_json(plan, record, facts);
  exports::write_table_csv(table, files.folder + "/results.csv");
  exports::write_table_hdf5(table, files.folder + "/results.h5");
  exports::write_table_mat(table, files.folder + "/results.mat");
  if (plan.sensitivity.kind != campaign::SensitivityPlan::Kind::kNone)
    keep_file(files.folder + "/sensitivity.csv",
              campaign::sensitivity_csv(plan, facts.sensitivity));
  keep_file(files.folder + "/summary.json", json);
  keep_file(files.folder + "/report.html",
            campaign::campaign_page(plan, record, facts, "trestle " + software_version()));
  std::fputs(
      options.json ? json.c_str() : campaign::campaign_text(plan, record, facts).c_str(),
      stdout);
  const std::string why = campaign::why_none_could_run(record);
  if (why.empty()) return kExitComplete;
  std::fprintf(stderr, "%s: %s; correct the study or its test, then start it again\n",
               options.study.c_str(), why.c_str());
  return kExitConfiguration;
}

int conduct(const campaign::StudyPlan& plan, const campaign::StudyFile& study,
            const CampaignOptions& options, const Files& files,
            const campaign::CampaignShare& share) {
  campaign::CampaignStore store(files.store(share),
                                campaign::study_identity(study, software_version()));
  keep_effective_test(files, study.test);
  campaign::Campaign campaign(plan, files.test(), software_version(), store, share);
  const composition::StopSignals signals([](void*) {}, nullptr);
  CampaignProgressLine line;
  campaign::StatusFile status(files.folder, share);
  const int jobs =
      options.jobs > 0
          ? options.jobs
          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const bool complete = campaign.run(jobs, [&](const campaign::CampaignProgress& progress) {
    if (!options.json) line.show(progress);
    status.show(progress);
    return !composition::StopSignals::asked();
  });
  line.end();
  status.end(campaign.progress(), complete);
  if (!complete) {
    std::fprintf(stderr,
                 "STOPPED    the operator asked for a stop; %zu runs are kept in %s: start "
                 "it again to go on\n",
                 store.finished().size(), files.folder.c_str());
    return kExitStopped;
  }
  if (share.is_whole()) return write_campaign(plan, options, files, store);
  std::fprintf(options.json ? stderr : stdout,
               "COMPLETE   share %lld of %lld: %lld runs in %s\n"
               "next       trestle campaign merge %s --out %s%s    once all shares are\n",
               static_cast<long long>(share.part), static_cast<long long>(share.of),
               static_cast<long long>(campaign.progress().planned),
               files.store(share).c_str(), options.study.c_str(), files.folder.c_str(),
               typed_again(options).c_str());
  return kExitComplete;
}

int merge(const campaign::StudyPlan& plan, const campaign::StudyFile& study,
          const CampaignOptions& options, const Files& files) {
  const std::vector<std::string> shares = campaign::share_files(files.folder);
  if (shares.empty()) {
    std::fprintf(stderr, "%s has no share-*.db; run shares first, with --share 1/4\n",
                 files.folder.c_str());
    return kExitConfiguration;
  }
  const auto identity = campaign::study_identity(study, software_version());
  campaign::CampaignStore store(files.store({}), identity);
  keep_effective_test(files, study.test);
  campaign::merge_stores(store, files.store({}), shares, identity, plan.runs);
  std::int64_t count = 0;
  const std::string missing = campaign::missing_runs(store, plan.runs, count);
  if (missing.empty()) return write_campaign(plan, options, files, store);
  std::fprintf(stderr,
               "INCOMPLETE %lld of %lld runs are missing after %zu shares: %s; start the "
               "shares that have them again, then merge again\n",
               static_cast<long long>(count), static_cast<long long>(plan.runs),
               shares.size(), missing.c_str());
  return kExitStopped;
}

int print_campaign_status(const campaign::StudyPlan& plan, const CampaignOptions& options,
                          const Files& files) {
  const std::vector<campaign::CampaignStatus> parts = campaign::read_status(files.folder);
  if (parts.empty()) {
    std::fprintf(stderr,
                 "%s has no status of a campaign; was it started with this --out?\n",
                 files.folder.c_str());
    return kExitConfiguration;
  }
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
          .count();
  std::fputs((options.json ? campaign::status_json(parts, plan.runs, now)
                           : campaign::status_text(parts, plan.runs, now))
                 .c_str(),
             stdout);
  return kExitComplete;
}

int print_slurm_script(const campaign::StudyPlan& plan, const CampaignOptions& options,
                       const Files& files) {
  namespace fs = std::filesystem;
  const campaign::SlurmCampaign campaign{
      .name = plan.name,
      .program = fs::read_symlink("/proc/self/exe").string(),
      .study = fs::absolute(options.study).string(),
      .folder = fs::absolute(files.folder).string(),
      .directory = fs::current_path().string(),
      .options = typed_again(options)};
  std::fputs(campaign::slurm_script(campaign::parse_slurm_request(options.slurm), campaign)
                 .c_str(),
             stdout);
  return kExitComplete;
}

int run_campaign(const CampaignOptions& options, bool merging) {
  if (options.study.empty()) {
    std::fprintf(stderr, "STUDY.yaml is missing: trestle campaign STUDY.yaml\n");
    return kExitConfiguration;
  }
  campaign::StudyFile study =
      campaign::read_study(options.study, options.overrides, software_version());
  if (!options.samples.empty()) {
    study.study.mutable_design()->mutable_file()->set_samples(options.samples);
    study.study.clear_runs();
    study.study.clear_sensitivity();
  }
  if (options.runs > 0) study.study.set_runs(static_cast<std::uint32_t>(options.runs));
  const campaign::StudyPlan plan = campaign::study_plan(study);
  const Files files{options.out.empty()
                        ? "runs/campaign-" + composition::to_folder_name(plan.name)
                        : options.out};
  try {
    if (options.status) return print_campaign_status(plan, options, files);
    make_folders(files.folder);
    if (!options.slurm.empty()) return print_slurm_script(plan, options, files);
    if (merging) return merge(plan, study, options, files);
    if (options.run) return repeat(plan, study, options, files);
    const campaign::CampaignShare share =
        options.share.empty() ? campaign::CampaignShare{}
                              : campaign::parse_share(options.share, environment);
    if (const auto why = campaign::several_copies(environment);
        why && options.share.empty())
      throw std::runtime_error(*why);
    return conduct(plan, study, options, files, share);
  } catch (const yaml::ConfigError&) {
    throw;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

void add_study_options(CLI::App& verb, CampaignOptions& options) {
  verb.add_option("--out", options.out,
                  "folder of the results; default runs/campaign-<study>");
  add_override_option(verb, options.overrides);
  verb.add_option("--runs", options.runs, "in place of the study's number")
      ->check(CLI::Range(1, 100'000'000));
  verb.add_option("--design", options.samples,
                  "SAMPLES.csv: values drawn elsewhere, in place of the study's design; "
                  "a column a parameter, row n is run n");
  verb.add_flag("--force", options.force,
                "give sensitivities although many rows have an unstable run");
  verb.add_flag("--json", options.json, "print the summary as JSON, and nothing else");
}

void add_merge_command(CLI::App& campaign, CommandList& commands) {
  const auto options = std::make_shared<CampaignOptions>();
  CLI::App* const verb = campaign.add_subcommand(
      "merge", "join the shares of a campaign, and write its tables");
  verb->add_option("study", options->study, "STUDY.yaml")->required();
  add_study_options(*verb, *options);
  commands.add(verb, [options] { return run_campaign(*options, true); });
}

}  // namespace

void add_campaign_command(CLI::App& app, CommandList& commands) {
  const auto options = std::make_shared<CampaignOptions>();
  CLI::App* const verb =
      app.add_subcommand("campaign", "run a test many times, with random draws");
  add_merge_command(*verb, commands);  // before the verb, which it is parsed with
  add_campaign_point_command(*verb, commands);
  verb->add_option("study", options->study, "STUDY.yaml");
  add_study_options(*verb, *options);
  verb->add_option("--jobs", options->jobs, "threads; default all cores")
      ->check(CLI::Range(1, 4096));
  verb->add_option("--run", options->run,
                   "this run alone, with its whole record; 0 is the nominal one");
  verb->add_option(
      "--share", options->share,
      "a/b: of each b runs the one with number a, for `campaign merge`; array: "
      "the task of a Slurm job array says which");
  verb->add_option("--slurm", options->slurm,
                   "nodes=4,tasks=48,time=2h,account=ABC: print a script for sbatch, which "
                   "runs shares, and nothing else");
  verb->add_flag("--status", options->status, "how far the campaign is; reads only");
  commands.add(verb, [options] { return run_campaign(*options, false); });
}

}  // namespace trestle::cli
