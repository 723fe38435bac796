#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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
#include "cli/terminal/problems.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/run_folder.h"
#include "composition/processes/stop_signals.h"
#include "core/base/lasting_file.h"
#include "core/host/freed_memory.h"
#include "core/yaml/config_error.h"
#include "studies/campaign/campaign.h"
#include "studies/campaign/campaign_merge.h"
#include "studies/campaign/campaign_page.h"
#include "studies/campaign/campaign_share.h"
#include "studies/campaign/campaign_status.h"
#include "studies/campaign/campaign_tables.h"
#include "studies/campaign/campaign_team.h"
#include "studies/campaign/campaign_worker.h"
#include "studies/campaign/slurm_script.h"
#include "studies/campaign/study_factory.h"
#include "studies/cluster/launch.h"
#include "studies/cluster/mpi_ring.h"

namespace trestle::cli {
namespace {

struct CampaignOptions {
  std::string study;                   ///< STUDY.yaml
  std::string out;                     ///< folder; empty: runs/campaign-<study>
  std::vector<std::string> overrides;  ///< of the test: path=value
  int jobs = 0;         ///< threads; 0: as many as there are cores, of a rank of MPI one
  int runs = 0;         ///< 0: the study's
  std::string samples;  ///< CSV, in place of the study's design; empty: none
  std::optional<std::int64_t> run;  ///< this one alone, as `trestle run`
  std::string share;                ///< a/b or `array`; empty: all runs
  std::string slurm;                ///< what a job asks for; empty: run here
  bool mpi = false;                 ///< a rank of MPI, whatever the environment says
  double grace = 10.0;              ///< for runs that have begun, at a stop [s]
  bool status = false;              ///< say how far it is, and nothing else
  bool force = false;               ///< sensitivities although many runs were unstable
  bool json = false;
  std::string batches = "on";  ///< many runs in the lanes of one core: on or off
};

struct Files {
  std::string folder;

  std::string test() const { return folder + "/effective.yaml"; }
  std::string store(const campaign::CampaignShare& share) const {
    return folder + "/" + share.stem() + ".db";
  }
};

/// A study that was read, and what it plans.
struct ReadStudy {
  campaign::StudyFile file;
  campaign::StudyPlan plan;
  Files files;
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

int jobs_of(const CampaignOptions& options, bool has_ranks) {
  if (options.jobs > 0) return options.jobs;
  return has_ranks ? 1
                   : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

campaign::PoolSettings work_of(const CampaignOptions& options, bool has_ranks) {
  return {.jobs = jobs_of(options, has_ranks), .batches = options.batches == "on"};
}

campaign::TeamTimes team_times(const CampaignOptions& options) {
  campaign::TeamTimes times;
  times.grace =
      std::chrono::milliseconds(static_cast<std::int64_t>(std::round(1e3 * options.grace)));
  return times;
}

int conduct(const ReadStudy& study, const CampaignOptions& options,
            const campaign::CampaignShare& share, campaign::CampaignTeam& team) {
  using composition::StopSignals;
  const Files& files = study.files;
  const campaign::CampaignIdentity identity =
      campaign::study_identity(study.file, software_version());
  campaign::CampaignStore store(files.store(share), identity);
  keep_effective_test(files, study.file.test);
  campaign::Campaign campaign(study.plan, files.test(), software_version(), store, share);
  const StopSignals signals(
      [](void*) {}, nullptr,
      team.is_alone() ? StopSignals::Scope::kUsual : StopSignals::Scope::kTest);
  CampaignProgressLine line;
  campaign::StatusFile status(files.folder, share, [&store] {
    return campaign::RunNumbers{
        .done = store.finished(),
        .unstable = store.finished(campaign::RunOutcome::kUnstable),
        .impossible = store.finished(campaign::RunOutcome::kInvalid)};
  });
  team.greet(identity);
  const bool complete = campaign.run(
      work_of(options, !team.is_alone()),
      [&](const campaign::CampaignProgress& progress) {
        if (!options.json) line.show(progress);
        status.show(progress);
        return !StopSignals::asked();
      },
      team);
  line.end();
  status.end(campaign.progress(), complete);
  team.stop(std::chrono::milliseconds{0});  // nobody need wait for the tables
  if (!complete) {
    std::fprintf(stderr,
                 "STOPPED    the operator asked for a stop; %zu runs are kept in %s: start "
                 "it again to go on\n",
                 store.finished().size(), files.folder.c_str());
    return kExitStopped;
  }
  int code = kExitComplete;
  if (share.is_whole())
    code = write_campaign(study.plan, options, files, store);
  else
    std::fprintf(options.json ? stderr : stdout,
                 "COMPLETE   share %lld of %lld: %lld runs in %s\n"
                 "next       trestle campaign merge %s --out %s%s    once all shares are\n",
                 static_cast<long long>(share.part), static_cast<long long>(share.of),
                 static_cast<long long>(campaign.progress().planned),
                 files.store(share).c_str(), options.study.c_str(), files.folder.c_str(),
                 typed_again(options).c_str());
  const std::int64_t computed = campaign.computed_here();
  if (!options.json && computed > 0)
    std::printf("%s%s\n", campaign::batches_text(campaign.batches(), computed).c_str(),
                team.is_alone() ? "" : " (those of rank 0)");
  return code;
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

ReadStudy read_study(const CampaignOptions& options) {
  ReadStudy read{
      campaign::read_study(options.study, options.overrides, software_version()), {}, {}};
  config::Study& study = read.file.study;
  if (!options.samples.empty()) {
    study.mutable_design()->mutable_file()->set_samples(options.samples);
    study.clear_runs();
    study.clear_sensitivity();
  }
  if (options.runs > 0) study.set_runs(static_cast<std::uint32_t>(options.runs));
  read.plan = campaign::study_plan(read.file);
  read.files.folder = options.out.empty()
                          ? "runs/campaign-" + composition::to_folder_name(read.plan.name)
                          : options.out;
  return read;
}

/// What is done in one process, whatever started it.
int run_here(const CampaignOptions& options, bool merging) {
  const ReadStudy study = read_study(options);
  if (options.status) return print_campaign_status(study.plan, options, study.files);
  make_folders(study.files.folder);
  if (!options.slurm.empty()) return print_slurm_script(study.plan, options, study.files);
  if (merging) return merge(study.plan, study.file, options, study.files);
  if (options.run) return repeat(study.plan, study.file, options, study.files);
  const campaign::CampaignShare share =
      options.share.empty() ? campaign::CampaignShare{}
                            : campaign::parse_share(options.share, environment);
  if (const auto why = campaign::several_copies(environment); why && options.share.empty())
    throw std::runtime_error(*why);
  cluster::SoleRing alone;
  campaign::CampaignTeam team(alone, {});
  return conduct(study, options, share, team);
}

/// Rank 0.
int lead(cluster::TaskRing& ring, const CampaignOptions& options) {
  campaign::CampaignTeam team(ring, team_times(options), [](const std::string& line) {
    std::fprintf(stderr, "%s\n", line.c_str());
  });
  int code = kExitInternal;
  try {
    const ReadStudy study = read_study(options);
    make_folders(study.files.folder);
    code = conduct(study, options, {}, team);
  } catch (const yaml::ConfigError& error) {
    print_problems(error.lines());
    code = kExitConfiguration;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = kExitConfiguration;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  if (team.dismiss()) return code;
  std::fflush(nullptr);
  _exit(code);  // MPI would wait for the rank that is missing
}

/// Any other rank. Only rank 0 writes, to files and to the screen.
int serve(cluster::TaskRing& ring, const CampaignOptions& options) {
  using composition::StopSignals;
  const StopSignals signals([](void*) {}, nullptr, StopSignals::Scope::kTest);
  campaign::CampaignWorker worker(ring, team_times(options));
  campaign::RankStudy mine;
  std::string problem;
  try {
    ReadStudy study = read_study(options);
    mine = {.plan = std::move(study.plan),
            .identity = campaign::study_identity(study.file, software_version()),
            .test_file = study.files.test(),
            .test = std::move(study.file.test),
            .software = software_version(),
            .work = work_of(options, true)};
  } catch (const yaml::ConfigError& error) {
    problem = error.lines().front();
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  const auto end = problem.empty() ? worker.serve(mine, [] { return StopSignals::asked(); })
                                   : worker.refuse(problem);
  if (end == campaign::CampaignWorker::End::kRankMissing) _exit(kExitComplete);
  if (end == campaign::CampaignWorker::End::kLeaderLost) {
    std::fprintf(stderr, "rank %d: rank 0 is silent; start the campaign again\n",
                 ring.rank());
    std::fflush(nullptr);
    _exit(kExitStopped);  // MPI would wait for it
  }
  ring.close();
  return kExitComplete;
}

int run_ranks(const CampaignOptions& options, const cluster::Launch& launch) {
  try {
    if (!options.share.empty())
      throw std::runtime_error(
          "--share and the ranks of MPI (" + launch.variable +
          ") both divide the campaign; leave --share away, or start one process");
    cluster::MpiRing ring(environment("TRESTLE_MPI").value_or(""), launch);
    return ring.rank() == 0 ? lead(ring, options) : serve(ring, options);
  } catch (const std::runtime_error& error) {
    if (launch.rank.value_or(0) == 0) std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

int run_campaign(const CampaignOptions& options, bool merging) {
  if (options.study.empty()) {
    std::fprintf(stderr, "STUDY.yaml is missing: trestle campaign STUDY.yaml\n");
    return kExitConfiguration;
  }
  host::keep_freed_memory();
  auto launch = cluster::launch_of(environment);
  if (options.mpi && !launch) launch = cluster::Launch{"--mpi", {}, {}};
  const bool is_divided = launch && (launch->size != 1 || options.mpi);
  const bool one_process =
      options.status || !options.slurm.empty() || options.run || merging;
  // srun says nothing of the size where it starts a share.
  const bool shares = !options.share.empty() && launch && !launch->size;
  if (is_divided && !one_process && !shares) return run_ranks(options, *launch);
  try {
    return run_here(options, merging);
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
  verb->add_option("--jobs", options->jobs,
                   "threads; default all cores, and 1 of each rank of MPI")
      ->check(CLI::Range(1, 4096));
  verb->add_option(
          "--batches", options->batches,
          "on: compute many runs in the lanes of one core, where the test can; off: "
          "each run alone, with the same results; default on")
      ->check(CLI::IsMember({"on", "off"}));
  verb->add_flag("--mpi", options->mpi,
                 "a rank of MPI, also where no launcher that we know is seen");
  verb->add_option("--grace", options->grace,
                   "seconds that runs of ranks of MPI get to end when a stop is asked; "
                   "default 10")
      ->check(CLI::Range(0.0, 3600.0));
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
