#include "composition/processes/run_resumption.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "composition/hybrid_test/model_hash.h"
#include "core/base/journal_names.h"
#include "core/base/set_aside.h"
#include "core/bus/memory_network.h"
#include "core/journal/journal_reader.h"
#include "core/journal/journal_recorder.h"
#include "core/journal/record_standing.h"
#include "core/timing/virtual_clock.h"
#include "core/types/record_names.h"
#include "core/types/session_id_text.h"
#include "numerical/node/integrator_node.h"
#include "numerical/node/recorded_stop.h"

namespace trestle::composition {
namespace {

namespace record_fs = std::filesystem;

RunResumption refused(std::string sentence) {
  return {.refusal = std::move(sentence)};
}

/// Returns the records that a process left which ended before the first step.
std::vector<std::string> records_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const record_fs::directory_entry& entry : record_fs::directory_iterator(folder)) {
    std::string name = entry.path().filename();
    if (entry.is_regular_file() && (name.find(".db") != std::string::npos ||
                                    name.ends_with(".ring") || name == "summary.json"))
      names.push_back(std::move(name));
  }
  return names;
}

bool has_summary(const std::string& folder) {
  std::error_code none;
  const auto size = record_fs::file_size(folder + "/summary.json", none);
  return !none && size > 0;
}

/// What has become of the record by looking at it.
std::string changes_of(const journal::RecordStanding& record) {
  if (record.completed.empty()) return "nothing is begun or changed here";
  std::string journals;
  for (const std::string& path : record.completed)
    journals += (journals.empty() ? "" : ", ") + path;
  return "nothing is begun here; what the killed process had not written yet was copied "
         "into " +
         journals + ", and nothing else is changed";
}

/// Returns true if the summary names a person who has ended the test: "stopped by ada@lab",
/// or "east: stopped by ada@lab" at a site.
bool is_summary_of_stop(const std::string& folder) {
  std::ifstream file(folder + "/summary.json");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.find("\n  \"result\": \"stopped\"") == std::string::npos) return false;
  constexpr std::string_view kReason = "\n  \"reason\": \"";
  const std::size_t begin = text.find(kReason);
  if (begin == std::string::npos) return false;
  const std::size_t from = begin + kReason.size();
  const std::string reason = text.substr(from, text.find('\n', from) - from);
  const std::size_t by = reason.find("stopped by ");
  return by == 0 || (by != std::string::npos && by == reason.find(": ") + 2);
}

/// Why a test that did not begin is not begun again: a person has ended it. Its summary
/// says so; or its audit, if the process died before the end.
/// @returns empty: nobody has
std::string stop_before_begin(const journal::RecordStanding& record,
                              const std::string& folder) {
  std::string stopped;
  if (record.kind == journal::RecordStanding::Kind::kNotBegun &&
      record_fs::exists(folder + "/" + kIntegratorJournal)) {
    std::vector<AuditEntry> audit;
    for (const journal::AuditRecord& each :
         journal::JournalReader(folder + "/" + kIntegratorJournal).audit())
      audit.push_back(each.entry);
    stopped = integrator_node::recorded_stop(audit);
  }
  if (stopped.empty() && is_summary_of_stop(folder))
    stopped = "stopped; see " + folder + "/summary.json";
  if (stopped.empty()) return {};
  return "this test did not begin, and was " + stopped + "; " + changes_of(record) +
         ". To run it after all: trestle run " + folder + "/effective.yaml --out FOLDER";
}

/// Why nothing can be done with a record of this kind; empty: something can.
std::string refusal_of(const journal::RecordStanding& record, const std::string& folder) {
  using Kind = journal::RecordStanding::Kind;
  switch (record.kind) {
    case Kind::kInUse:
      return "another program writes its record; end that one first";
    case Kind::kBlocked:
      return record.why + ". That says nothing against the record; " + changes_of(record) +
             ". See to it (a full disk: make room), then: trestle resume " + folder;
    case Kind::kUnknown:
      return record.why + "; so nobody can tell whether a rig has moved, and " +
             changes_of(record) +
             ". See to the rigs; end the test where a site keeps its rig for it (trestle "
             "stop SITE; where its server was started again: trestle rig set-aside SITE); "
             "then run the test into a separate folder: trestle run " +
             folder + "/effective.yaml --out FOLDER";
    case Kind::kEnded:
      return has_summary(folder)
                 ? "this run came to its end; see " + folder + "/summary.json"
                 : "";
    case Kind::kNothing:
    case Kind::kNotBegun:
      return stop_before_begin(record, folder);
    case Kind::kUnfinished:
      break;
  }
  return {};
}

/// Why the session ended, as the integrator wrote it down.
std::string reason_on_record(const std::string& folder) {
  std::string reason;
  for (const journal::JournalEvent& event :
       journal::JournalReader(folder + "/" + kIntegratorJournal).events())
    if (event.kind == "fault") reason = event.text;
  return reason;
}

/// Goes through the record once more, with no rig and no site.
evaluation::RunReport retold(HybridTestSetup& setup, journal::JournalRecorder& recorder) {
  setup.integrator.retell = true;
  setup.integrator.model = model_hash(setup.test);
  bus::MemoryNetwork no_sites(0);
  timing::VirtualClock clock;
  integrator_node::IntegratorNode integrator(setup.integrator, *setup.substructure,
                                             no_sites.integrator(), recorder.recording(),
                                             clock);
  while (!integrator.finished()) integrator.tick(clock.now());
  return integrator.report();
}

bool has_steps(journal::JournalRecorder& recorder, const SessionId& session) {
  const std::unique_ptr<RecordedSession> record = recorder.open_session(session);
  return record != nullptr && record->last(stream_name::kAnswer) >= 0;
}

/// Of steps that were answered and whose rows were not yet written. In real time a row
/// waits for late answers, and no site can be asked for them any more.
/// Leaves the record open.
void complete_rows(HybridTestSetup& setup, journal::JournalRecorder& recorder) {
  setup.integrator.completes_rows = true;
  const evaluation::RunReport report = retold(setup, recorder);
  setup.integrator.completes_rows = false;
  if (report.result == evaluation::RunResult::kRejected)
    throw std::runtime_error(
        "the test is over at a site, and its record cannot be ended: " + report.reason +
        "; nothing is closed here");
}

}  // namespace

RunResumption prepare_resumption(const std::string& folder, const std::string& software) {
  using Kind = journal::RecordStanding::Kind;
  const journal::RecordStanding record = journal::standing_of_record(folder);
  if (std::string refusal = refusal_of(record, folder); !refusal.empty())
    return refused(std::move(refusal));
  RunResumption next;
  next.setup =
      load_hybrid_test(folder + "/effective.yaml", {}, software, TestStart::kResumed);
  if (record.kind == Kind::kNothing || record.kind == Kind::kNotBegun) {
    next.action = RunResumption::Action::kBegin;
    next.set_aside = set_aside(folder, records_in(folder));
    next.setup->integrator.session = new_session();
    return next;
  }
  const std::optional<SessionId> session = parse_session_id(record.session);
  if (!session)
    return refused("its record holds a session `" + record.session + "`, which is none; " +
                   changes_of(record));
  next.setup->integrator.session = *session;
  next.action = record.kind == Kind::kEnded ? RunResumption::Action::kSummarise
                                            : RunResumption::Action::kResume;
  next.setup->integrator.resume = record.kind != Kind::kEnded;
  return next;
}

RunResumption end_recorded_run(const std::string& folder, const std::string& software,
                               const SessionId& session, const std::string& why) {
  journal::JournalRecorder recorder(
      {.folder = folder, .name = "journal", .node = "integrator", .facts = {}});
  RunResumption next{.action = RunResumption::Action::kSummarise};
  next.setup =
      load_hybrid_test(folder + "/effective.yaml", {}, software, TestStart::kResumed);
  next.setup->integrator.session = session;
  if (has_steps(recorder, session))
    complete_rows(*next.setup, recorder);
  else
    recorder.resume(session, {}, {});
  if (recorder.failed()) throw std::runtime_error(recorder.error_message());
  recorder.event(0, "fault", why);
  recorder.audit({"integrator", "by itself", "stopped", why});
  recorder.close();
  if (recorder.failed()) throw std::runtime_error(recorder.error_message());
  // The replay has moved it.
  next.setup =
      load_hybrid_test(folder + "/effective.yaml", {}, software, TestStart::kResumed);
  next.setup->integrator.session = session;
  return next;
}

evaluation::RunReport report_from_record(HybridTestSetup& setup,
                                         const std::string& folder) {
  journal::JournalRecorder recorder(
      {.folder = folder, .name = "journal", .node = "integrator", .facts = {}});
  evaluation::RunReport report = retold(setup, recorder);
  if (report.result == evaluation::RunResult::kStopped)
    report.reason = reason_on_record(folder);
  report.warnings.push_back(
      "this summary was made again from the record; the times of its steps are not in it");
  return report;
}

}  // namespace trestle::composition
