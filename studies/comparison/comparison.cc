#include "studies/comparison/comparison.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "core/types/record_names.h"
#include "core/yaml/config_error.h"
#include "observe/records/calibration_table.h"
#include "studies/campaign/in_memory_run.h"
#include "studies/comparison/seed_spread.h"
#include "studies/pretest/stability_factory.h"

namespace trestle::comparison {
namespace {

std::unique_ptr<composition::HybridTestSetup> set_up(
    const std::string& file, const std::vector<std::string>& overrides,
    const std::string& software) {
  auto setup = composition::load_hybrid_test(
      file, yaml::parse_command_line_overrides(overrides), software);
  campaign::check_all_here(*setup);
  return setup;
}

/// The changes that give a test a later seed, and its noise the sequences of it.
std::vector<std::string> with_seed(std::vector<std::string> overrides,
                                   const config::Test& test, std::uint64_t later) {
  std::erase_if(overrides,
                [](const std::string& change) { return change.starts_with("seed="); });
  overrides.push_back("seed=" + std::to_string(test.seed() + later));
  for (const config::Site& site : test.sites())
    for (int i = 0; i < site.rig().noise_size(); ++i)
      if (site.rig().noise(i).has_sequence())
        overrides.push_back(
            "sites." + site.name() + ".rig.noise[" + std::to_string(i) +
            "].sequence=" + std::to_string(site.rig().noise(i).sequence().seed() + later));
  return overrides;
}

/// Returns nothing where `may_continue` ended it.
std::optional<ComparisonEntry> run_test(composition::HybridTestSetup& setup,
                                        const std::function<bool()>& may_continue) {
  int ticks = 1;
  for (const integrator_node::SiteSpecification& site : setup.integrator.sites)
    ticks = std::max(ticks, site.ticks_per_step);
  campaign::InMemoryRun run =
      campaign::run_in_memory(setup, {.target_limits = {}, .may_continue = may_continue});
  if (run.abandoned) return std::nullopt;
  const auto steps = static_cast<double>(run.report.steps_done);
  ComparisonEntry entry;
  entry.name = setup.test.test();
  entry.complete = run.report.result == evaluation::RunResult::kComplete;
  entry.stable = run.stable;
  entry.unstable = !run.report.criteria.stable ||
                   (run.report.limit_met && pretest::computed_unstable(setup.test));
  entry.reason = std::move(run.reason);
  entry.ended_at = steps * setup.integrator.time_step;
  entry.tick = steps > 0.0 ? run.processor / (steps * ticks) : 0.0;
  entry.results = std::move(run.results);
  return entry;
}

/// One test of the runs of several seeds.
ComparisonEntry summary_of(std::vector<ComparisonEntry> runs) {
  const auto unsteady = std::find_if(
      runs.begin(), runs.end(), [](const ComparisonEntry& run) { return !run.stable; });
  ComparisonEntry all = unsteady == runs.end() ? runs.front() : *unsteady;
  all.tick = 0.0;
  for (ComparisonEntry& run : runs) {
    if (!run.stable) ++all.unstable_seeds;
    all.complete = all.complete && run.complete;
    all.unstable = all.unstable || run.unstable;
    all.tick += run.tick / static_cast<double>(runs.size());
    all.of_seeds.push_back(std::move(run.results));
  }
  for (campaign::NamedResult& result : all.results)
    result.value = seed_spread(values_of_seeds(all.of_seeds, result.name)).mean;
  return all;
}

/// The results of summary.json, if it is of this very session.
void read_summary(const std::string& session, ComparisonEntry& entry) {
  std::ifstream file(entry.file + "/summary.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto summary = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!summary.is_object() || summary.value("session", "") != session) {
    entry.reason = "has no summary.json of its session";
    return;
  }
  entry.results = campaign::results_of(text);
  const double* const steps = campaign::find_result(entry.results, "steps_done");
  if (steps != nullptr) entry.ended_at = *steps * summary.value("time_step_s", 0.0);
  const double* const stable = campaign::find_result(entry.results, "criteria.stable");
  entry.complete = summary.value("result", "") == "complete";
  entry.unstable = stable != nullptr && *stable != 1.0;
  entry.stable = entry.complete && !entry.unstable;
  if (entry.unstable)
    entry.reason = "its criteria say that it was not stable";
  else if (!entry.complete)
    entry.reason = summary.value("reason", "did not come to its end");
}

}  // namespace

std::vector<ComparisonEntry> run_comparison(const std::vector<std::string>& files,
                                            const std::vector<std::string>& overrides,
                                            const std::string& software,
                                            const std::function<bool()>& may_continue,
                                            int seeds) {
  std::vector<std::unique_ptr<composition::HybridTestSetup>> setups;
  std::vector<std::string> wrong;
  for (const std::string& file : files) {
    try {
      setups.push_back(set_up(file, overrides, software));
    } catch (const yaml::ConfigError& error) {
      for (const std::string& line : error.lines())  // two may include one file
        if (std::find(wrong.begin(), wrong.end(), line) == wrong.end())
          wrong.push_back(line);
    }
  }
  if (!wrong.empty()) throw yaml::ConfigError(std::move(wrong));
  std::vector<ComparisonEntry> tests;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const config::Test test = setups[i]->test;
    std::vector<ComparisonEntry> runs;
    for (int k = 0; k < seeds; ++k) {
      auto setup =
          k == 0
              ? std::move(setups[i])
              : set_up(files[i], with_seed(overrides, test, static_cast<std::uint64_t>(k)),
                       software);
      std::optional<ComparisonEntry> run = run_test(*setup, may_continue);
      if (!run) return tests;
      run->file = files[i];
      if (seeds > 1 && !run->stable)
        run->reason = "seed " + std::to_string(setup->test.seed()) + ": " + run->reason;
      runs.push_back(std::move(*run));
    }
    tests.push_back(seeds == 1 ? std::move(runs.front()) : summary_of(std::move(runs)));
  }
  return tests;
}

std::vector<ComparisonEntry> read_comparison(const std::vector<std::string>& folders) {
  std::vector<ComparisonEntry> tests;
  std::vector<records::RecordedCalibrations> first;
  for (const std::string& folder : folders) {
    const records::RunRecord run(folder);
    const journal::JournalReader& journal = run.integrator();
    ComparisonEntry entry;
    entry.name = journal.meta(meta_key::kTest).value_or(folder);
    entry.file = folder;
    entry.recorded = true;
    read_summary(journal.required_meta(meta_key::kSession), entry);
    std::vector<records::RecordedCalibrations> calibrations =
        records::calibrations_of(journal);
    if (tests.empty())
      first = std::move(calibrations);
    else
      entry.calibration_changes = records::calibration_changes(first, calibrations);
    tests.push_back(std::move(entry));
  }
  return tests;
}

}  // namespace trestle::comparison
