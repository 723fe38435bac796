#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/conduct.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "core/journal/journal_recorder.h"
#include "core/journal/unfinished_journal.h"
#include "virtual-lab/test_setup.h"

namespace trestle {
namespace {

namespace fs = std::filesystem;

/// What a life that ended before the first step has left: there is nothing in it to go on
/// from.
void remove_records(const std::string& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.find(".db") != std::string::npos || name.ends_with(".ring"))
      fs::remove(entry.path());
  }
}

/// @returns the session of the record that can be gone on with; nothing: it ends before the
/// first step
std::optional<SessionId> session_to_go_on_with(const std::string& folder) {
  const auto unfinished = if_unfinished(folder + "/journal.db");
  if (!unfinished) return std::nullopt;
  const std::optional<SessionId> session = session_of(unfinished->session);
  if (!session) return std::nullopt;
  JournalRecorder recorder(
      {.folder = folder, .name = "journal", .node = "integrator", .facts = {}});
  const std::unique_ptr<Recollection> record = recorder.recall(*session);
  if (record == nullptr || record->last("opening") == Recollection::kNone)
    return std::nullopt;
  return session;
}

}  // namespace

int resume_run(const std::string& folder, const std::string& as, bool json) {
  const std::string effective = folder + "/effective.yaml";
  if (!fs::exists(effective)) {
    std::fprintf(stderr, "%s: there is no run to go on with (no effective.yaml in it)\n",
                 folder.c_str());
    return kExitConfiguration;
  }
  try {
    const bool recorded = fs::exists(folder + "/journal.db");
    if (recorded && fs::exists(folder + "/summary.json") &&
        !if_unfinished(folder + "/journal.db")) {
      std::fprintf(stderr, "%s: this run came to its end; see %s/summary.json\n",
                   folder.c_str(), folder.c_str());
      return kExitConfiguration;
    }
    const std::unique_ptr<TestSetup> setup = set_up_test(effective, {}, software_version());
    const std::optional<SessionId> session = session_to_go_on_with(folder);
    setup->integrator.resume = session.has_value();
    setup->integrator.session = session ? *session : new_session();
    if (!session) {
      std::fprintf(stderr, "%s: nothing had moved yet; the test begins anew\n",
                   folder.c_str());
      remove_records(folder);
    }
    return conduct_and_report(*setup, folder, as, json);
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitConfiguration;
  }
}

}  // namespace trestle
