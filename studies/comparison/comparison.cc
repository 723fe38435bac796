#include "studies/comparison/comparison.h"

#include <algorithm>
#include <memory>

#include "core/yaml/config_error.h"
#include "studies/campaign/in_memory_run.h"
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

}  // namespace

std::vector<ComparisonEntry> run_comparison(const std::vector<std::string>& files,
                                            const std::vector<std::string>& overrides,
                                            const std::string& software,
                                            const std::function<bool()>& may_continue) {
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
    composition::HybridTestSetup& setup = *setups[i];
    int ticks = 1;
    for (const integrator_node::SiteSpecification& site : setup.integrator.sites)
      ticks = std::max(ticks, site.ticks_per_step);
    campaign::InMemoryRun run =
        campaign::run_in_memory(setup, {.target_limits = {}, .may_continue = may_continue});
    if (run.abandoned) break;
    const auto steps = static_cast<double>(run.report.steps_done);
    tests.push_back(
        {.name = setup.test.test(),
         .file = files[i],
         .complete = run.report.result == evaluation::RunResult::kComplete,
         .stable = run.stable,
         .unstable = !run.report.criteria.stable ||
                     (run.report.limit_met && pretest::computed_unstable(setup.test)),
         .reason = std::move(run.reason),
         .ended_at = steps * setup.integrator.time_step,
         .tick = steps > 0.0 ? run.processor / (steps * ticks) : 0.0,
         .results = std::move(run.results)});
    setups[i].reset();
  }
  return tests;
}

}  // namespace trestle::comparison
