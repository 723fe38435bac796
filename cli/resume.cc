#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/conduct.h"
#include "cli/exit_code.h"
#include "cli/run_folder.h"
#include "cli/verbs.h"
#include "composition/hybrid_test/model_hash.h"
#include "composition/processes/hybrid_test_setup.h"
#include "core/base/journal_names.h"
#include "core/base/set_aside.h"
#include "core/bus/memory_network.h"
#include "core/journal/journal_reader.h"
#include "core/journal/journal_recorder.h"
#include "core/journal/record_standing.h"
#include "core/timing/virtual_clock.h"
#include "numerical/node/integrator_node.h"
#include "observe/report/run_summary.h"

namespace trestle {
namespace {

namespace fs = std::filesystem;
using Kind = RecordStanding::Kind;

int refuse(const std::string& folder, const std::string& sentence) {
  std::fprintf(stderr, "%s: %s\n", folder.c_str(), sentence.c_str());
  return kExitConfiguration;
}

/// What a life that ended before the first step has left.
std::vector<std::string> records_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::string name = entry.path().filename();
    if (entry.is_regular_file() && (name.find(".db") != std::string::npos ||
                                    name.ends_with(".ring") || name == "summary.json"))
      names.push_back(std::move(name));
  }
  return names;
}

bool has_summary(const std::string& folder) {
  std::error_code none;
  const auto size = fs::file_size(folder + "/summary.json", none);
  return !none && size > 0;
}

/// Why the session ended, as the integrator wrote it down.
std::string reason_on_record(const std::string& folder) {
  std::string reason;
  for (const JournalEvent& event :
       JournalReader(folder + "/" + kIntegratorJournal).events())
    if (event.kind == "fault") reason = event.text;
  return reason;
}

/// The session came to its end, and its summary did not: it is made again from the record.
int tell_again(HybridTestSetup& setup, const std::string& folder, bool json_wanted) {
  setup.integrator.retell = true;
  setup.integrator.model = model_hash(setup.test);
  JournalRecorder recorder(
      {.folder = folder, .name = "journal", .node = "integrator", .facts = {}});
  MemoryNetwork nobody(0);
  VirtualClock clock;
  IntegratorNode integrator(setup.integrator, *setup.substructure, nobody.integrator(),
                            recorder.recording(), clock);
  while (!integrator.finished()) integrator.tick(clock.now());
  RunReport report = integrator.report();
  if (report.result == RunResult::kRejected) return refuse(folder, report.reason);
  if (report.result == RunResult::kStopped) report.reason = reason_on_record(folder);
  report.warnings.push_back(
      "this summary was made again from the record; the times of its steps are not in it");
  const RunMetadata facts{.test = setup.test.test(),
                          .mode = name(setup.integrator.mode),
                          .folder = folder,
                          .session = to_hex(setup.integrator.session),
                          .software = software_version(),
                          .time_step = setup.integrator.time_step};
  const std::string json = summary_json(report, facts);
  write_file(folder + "/summary.json", json);
  std::fputs(json_wanted ? json.c_str() : format_summary(report, facts).c_str(), stdout);
  return report.result == RunResult::kComplete ? kExitComplete : kExitStopped;
}

int begin_anew(HybridTestSetup& setup, OperatorServer& operators,
               const ConductOptions& options) {
  const std::string aside = set_aside(options.folder, records_in(options.folder));
  std::fprintf(stderr, "%s: nothing had moved yet; the test begins anew%s%s\n",
               options.folder.c_str(),
               aside.empty() ? "" : "; what was recorded of it is in ", aside.c_str());
  setup.integrator.session = new_session();
  return run_and_report(setup, operators, options);
}

int go_on_from(const RecordStanding& record, OperatorServer& operators,
               const ConductOptions& options) {
  const std::string& folder = options.folder;
  switch (record.kind) {
    case Kind::kInUse:
      return refuse(folder, "another program writes its record; end that one first");
    case Kind::kUnknown:
      return refuse(
          folder, record.why +
                      "; so nobody can tell whether a rig has moved, and nothing is begun "
                      "or changed here. See to the rigs; then run the test into a folder "
                      "of its own: trestle run " +
                      folder + "/effective.yaml --out FOLDER");
    case Kind::kEnded:
      if (has_summary(folder))
        return refuse(folder, "this run came to its end; see " + folder + "/summary.json");
      break;
    case Kind::kNothing:
    case Kind::kNotBegun:
    case Kind::kUnfinished:
      break;
  }
  const std::unique_ptr<HybridTestSetup> setup =
      load_hybrid_test(folder + "/effective.yaml", {}, software_version());
  if (record.kind == Kind::kNothing || record.kind == Kind::kNotBegun)
    return begin_anew(*setup, operators, options);
  const std::optional<SessionId> session = parse_session_id(record.session);
  if (!session)
    return refuse(folder, "its record holds a session `" + record.session +
                              "`, which is none; nothing is begun or changed here");
  setup->integrator.session = *session;
  if (record.kind == Kind::kEnded) return tell_again(*setup, folder, options.json);
  setup->integrator.resume = true;
  return run_and_report(*setup, operators, options);
}

}  // namespace

int resume_run(const std::string& folder, const std::string& as, bool json,
               bool unattended) {
  if (!fs::exists(folder + "/effective.yaml"))
    return refuse(folder, "there is no run to go on with (no effective.yaml in it)");
  try {
    OperatorServer operators({.folder = folder});  // nobody else goes on with it
    return go_on_from(standing_of_record(folder), operators,
                      {folder, as, json, unattended});
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

}  // namespace trestle
