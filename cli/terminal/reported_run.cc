#include "cli/terminal/reported_run.h"

#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include "cli/terminal/exit_code.h"
#include "cli/terminal/run_terminal.h"
#include "cli/terminal/software_version.h"
#include "core/base/lasting_file.h"
#include "core/base/twin_notice.h"
#include "core/types/session_id_text.h"
#include "core/yaml/yaml_writer.h"
#include "studies/pretest/run_stability.h"
#include "studies/pretest/stability_factory.h"

namespace trestle::cli {
namespace {

evaluation::RunReport run_on_terminal(
    composition::HybridTestSetup& setup, operators::OperatorServer& operators,
    const composition::IntegratorProcess::Settings& settings, double* wall) {
  RunTerminal terminal(settings.folder, pretest::assess_run(setup));
  composition::IntegratorProcess process(setup, operators, settings);
  evaluation::RunReport report = process.run(terminal);
  *wall = process.wall();
  return report;
}

/// A folder that was deleted while the test ran has its record again by now, and needs the
/// test to be resumed. Where it cannot be written, it is written elsewhere and told.
void restore_effective_test(const std::string& folder,
                            const composition::HybridTestSetup& setup) {
  namespace fs = std::filesystem;
  const std::string path = folder + "/effective.yaml";
  std::error_code none;
  if (fs::exists(path, none)) return;
  const std::string text = yaml::write_yaml(setup.test);
  try {
    keep_file(path, text);
  } catch (const std::runtime_error& error) {
    const std::string beside = (fs::temp_directory_path() /
                                ("effective." + to_hex(setup.integrator.session) + ".yaml"))
                                   .string();
    if (!fs::exists(beside, none)) keep_new_file(beside, text);
    std::fprintf(stderr, "%s; the test is in %s: put it in its place as effective.yaml\n",
                 error.what(), beside.c_str());
  }
}

}  // namespace

report::RunMetadata metadata_of(const composition::HybridTestSetup& setup,
                                const std::string& folder) {
  return {.test = setup.test.test(),
          .mode = name(setup.integrator.mode),
          .folder = folder,
          .session = to_hex(setup.integrator.session),
          .software = software_version(),
          .time_step = setup.integrator.time_step};
}

int run_and_report(composition::HybridTestSetup& setup,
                   operators::OperatorServer& operators, const ReportedRun& run) {
  for (const integrator_node::SiteSpecification& site : setup.integrator.sites)
    if (site.twin) std::fprintf(stderr, "%s\n", twin_notice(site.name).c_str());
  report::RunMetadata facts = metadata_of(setup, run.process.folder);
  evaluation::RunReport report;
  try {
    report = run_on_terminal(setup, operators, run.process, &facts.wall);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
  try {
    restore_effective_test(run.process.folder, setup);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  if (report.over && run.report_over) return run.report_over(report);
  // Known only from the computed loop: growth that the run's limit interrupted.
  if (report.limit_met && report.criteria.stable && !setup.test.undivided())
    report.criteria.stable = !pretest::computed_unstable(setup.test);
  const std::string json = report::summary_json(report, facts);
  try {
    // A run that could not be continued is not over.
    if (!report.withdrawn) keep_file(facts.folder + "/summary.json", json);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fputs(run.json ? json.c_str() : report::format_summary(report, facts).c_str(),
             stdout);
  if (run.json && !report.reason.empty())
    std::fprintf(stderr, "%s\n", report.reason.c_str());
  return exit_code(report.result);
}

}  // namespace trestle::cli
