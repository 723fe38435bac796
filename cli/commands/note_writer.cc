#include "cli/commands/note_writer.h"

#include <cmath>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "cli/terminal/exit_code.h"
#include "core/base/journal_names.h"
#include "core/host/person.h"
#include "core/journal/journal_reader.h"
#include "core/types/record_names.h"
#include "gateway/operator/operator_client.h"
#include "gateway/operator/operator_json.h"
#include "gateway/operator/operator_request.h"
#include "observe/records/late_note.h"

namespace trestle::cli {
namespace {

/// Records the note in the journal of a run that no process serves.
NoteOutcome write_late(const std::string& folder, const Note& note,
                       const std::string& person) {
  NoteOutcome outcome;
  std::error_code none;
  if (!std::filesystem::exists(folder + "/" + kIntegratorJournal, none)) {
    outcome.code = kExitPeerLost;
    outcome.problem = folder + " has no " + kIntegratorJournal +
                      " and no process serves it; a note is added later at the run: "
                      "trestle note RUN-FOLDER";
    return outcome;
  }
  try {
    const records::LateNote added =
        records::add_late_note(folder, note, host::this_person(person).text);
    outcome.problem = added.refusal;
    outcome.code = outcome.problem.empty() ? kExitComplete : kExitStopped;
    outcome.said = added.said;
  } catch (const std::exception& error) {
    outcome.code = kExitPeerLost;
    outcome.problem = error.what();
  }
  return outcome;
}

}  // namespace

NoteOutcome write_note(const std::string& folder, const Note& note,
                       const std::string& person, Duration patience) {
  NoteOutcome outcome;
  const Result<std::string> line = operators::send_operator_request(
      folder,
      {.verb = operators::OperatorVerb::kNote, .reason = {}, .as = person, .note = note},
      patience);
  if (!line && line.error().code == ErrorCode::kUnavailable)
    return write_late(folder, note, person);
  if (!line) {
    outcome.code = line.error().code == ErrorCode::kRefused ? kExitStopped : kExitPeerLost;
    outcome.problem = line.error().detail;
    return outcome;
  }
  outcome.answer = line.value();
  const Result<operators::OperatorReply> reply = operators::read_answer(line.value());
  if (!reply) {
    outcome.code = kExitPeerLost;
    outcome.problem = folder + ": " + reply.error().detail;
    return outcome;
  }
  outcome.problem = reply.value().refusal;
  outcome.code = outcome.problem.empty() ? kExitComplete : kExitStopped;
  outcome.said = reply.value().said;
  return outcome;
}

std::int64_t step_at(const std::string& folder, double time, Duration patience) {
  double time_step = 0.0;
  const Result<std::string> line = operators::send_operator_request(
      folder, {.verb = operators::OperatorVerb::kStatus, .reason = {}}, patience);
  if (line) {
    const Result<operators::OperatorReply> reply = operators::read_answer(line.value());
    if (reply && reply.value().standing) time_step = reply.value().standing->time_step;
  } else {
    time_step = journal::JournalReader(folder + "/" + kIntegratorJournal)
                    .required_number(meta_key::kTimeStep);
  }
  if (!(time_step > 0.0))
    throw std::runtime_error(folder +
                             " does not say how long a step is; give the step: --step");
  // A time that is a step's own, but for the rounding of its decimals, is that step.
  constexpr double kRounding = 1e-6;
  return static_cast<std::int64_t>(std::floor(time / time_step + kRounding));
}

}  // namespace trestle::cli
