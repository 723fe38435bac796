#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "cli/commands/commands.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/reported_run.h"
#include "cli/terminal/software_version.h"
#include "composition/processes/opening_signals.h"
#include "composition/processes/run_resumption.h"
#include "core/base/lasting_file.h"
#include "gateway/operator/operator_server.h"
#include "observe/report/run_summary.h"

namespace trestle::cli {
namespace {

int refuse(const std::string& folder, const std::string& sentence) {
  std::fprintf(stderr, "%s: %s\n", folder.c_str(), sentence.c_str());
  return kExitConfiguration;
}

/// The session ended, and its summary is missing: it is made again from the record.
int summarise(composition::HybridTestSetup& setup, const std::string& folder,
              bool json_wanted) {
  const evaluation::RunReport report = composition::report_from_record(setup, folder);
  if (report.result == evaluation::RunResult::kRejected)
    return refuse(folder, report.reason);
  const report::RunMetadata facts = metadata_of(setup, folder);
  const std::string json = report::summary_json(report, facts);
  keep_file(folder + "/summary.json", json);
  std::fputs(json_wanted ? json.c_str() : report::format_summary(report, facts).c_str(),
             stdout);
  return report.result == evaluation::RunResult::kComplete ? kExitComplete : kExitStopped;
}

/// A site has ended the test of this run: so is its record, and the summary is made of it.
int end_run(const std::string& folder, const SessionId& session, const std::string& why,
            bool json_wanted) {
  const composition::RunResumption ended =
      composition::end_recorded_run(folder, software_version(), session, why);
  return summarise(*ended.setup, folder, json_wanted);
}

int resume_served(operators::OperatorServer& operators, const ReportedRun& run) {
  using Action = composition::RunResumption::Action;
  const std::string& folder = run.process.folder;
  composition::OpeningSignals opening(kExitStopped);
  const composition::RunResumption next =
      composition::prepare_resumption(folder, software_version());
  if (next.action == Action::kRefuse) return refuse(folder, next.refusal);
  if (next.action == Action::kSummarise) return summarise(*next.setup, folder, run.json);
  if (next.action == Action::kBegin)
    std::fprintf(stderr, "%s: %s; the test begins again%s%s\n", folder.c_str(),
                 next.set_aside.empty()
                     ? "there is no record in it, so nothing shows that a step was done; "
                       "see to the rigs before you arm"
                     : "no step had begun",
                 next.set_aside.empty() ? "" : "; what was recorded of it is in ",
                 next.set_aside.c_str());
  ReportedRun reported = run;
  const SessionId session = next.setup->integrator.session;
  reported.report_over = [&folder, session, &run](const evaluation::RunReport& report) {
    return end_run(folder, session, report.reason, run.json);
  };
  return run_and_report(*next.setup, operators, reported);
}

}  // namespace

int resume_run(const std::string& folder, const std::string& person, bool json,
               bool unattended) {
  if (!std::filesystem::exists(folder + "/effective.yaml"))
    return refuse(folder, "there is no run to resume (no effective.yaml in it)");
  try {
    operators::OperatorServer operators({.folder = folder});  // no other process resumes it
    return resume_served(operators, {{folder, person, unattended}, json});
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

}  // namespace trestle::cli
