#include "observe/live/held_record.h"

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "core/base/refused_target.h"
#include "core/base/shell_word.h"
#include "core/base/time.h"
#include "core/base/utc_text.h"
#include "core/journal/journal_reader.h"
#include "core/journal/ring_file.h"
#include "core/session/audit_actions.h"
#include "core/types/record_names.h"

namespace trestle::live {
namespace {

constexpr std::string_view kHolding = "HOLDING: ";

bool is_file(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

/// When a person held the test first since it ran last; 0: none did.
std::int64_t held_since(const journal::JournalReader& journal) {
  std::int64_t since = 0;
  for (const journal::AuditRecord& act : journal.audit()) {
    if (act.entry.what == session::audit_what::kHeld && since == 0) since = act.utc_ns;
    if (act.entry.what == session::audit_what::kResumed) since = 0;
  }
  return since;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace

std::string HeldRecord::sentence() const {
  char at[48];
  std::snprintf(at, sizeof at, ", at %.2f s of the test", test_time);
  std::string text = reason.starts_with("held") ? capitalised(reason) : "Held: " + reason;
  while (text.ends_with('.') || text.ends_with('\n')) text.pop_back();
  text += at;
  // Whole seconds: a person reads it.
  if (utc_ns > 0) text += ", since " + utc_text(utc_ns).substr(0, 19) + "Z";
  return text;
}

std::string HeldRecord::help() const {
  if (of_a_run && is_refused_target(reason))
    return "No resume continues it: " + std::string(kRefusedTargetHelp);
  return of_a_run ? "Resume it: trestle resume " + shell_word(run)
                  : "Start the server of this site again, then at the integrator: trestle "
                    "resume RUN-FOLDER";
}

std::optional<HeldRecord> find_held_record(
    const std::string& folder, const std::string& journal,
    const std::optional<journal::JournalEvent>& last) {
  if (!last || is_file(journal::RingFile::path_beside(journal))) return std::nullopt;
  const bool held = last->kind == "fault" || last->text.starts_with(kHolding);
  if (!held) return std::nullopt;
  const journal::JournalReader reader(journal);
  if (reader.meta(meta_key::kEnded)) return std::nullopt;
  const bool of_a_run = reader.meta(meta_key::kNode) == kIntegratorNode;
  if (of_a_run && !is_file(folder + "/summary.json")) return std::nullopt;
  HeldRecord record{.reason = last->text,
                    .test_time = seconds(last->time.time_since_epoch()),
                    .utc_ns = held_since(reader),
                    .of_a_run = of_a_run,
                    .run = of_a_run ? folder : std::string()};
  if (record.reason.starts_with(kHolding)) record.reason.erase(0, kHolding.size());
  return record;
}

}  // namespace trestle::live
