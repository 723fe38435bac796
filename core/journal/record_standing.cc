#include "core/journal/record_standing.h"

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/journal_names.h"
#include "core/journal/journal_reader.h"
#include "core/journal/journal_recorded_session.h"
#include "core/journal/journal_schema.h"
#include "core/journal/leftovers.h"
#include "core/journal/passing_error.h"
#include "core/journal/ring_file.h"
#include "core/journal/sqlite_error.h"
#include "core/types/record_names.h"

namespace trestle::journal {
namespace {

namespace fs = std::filesystem;
using Kind = RecordStanding::Kind;

RecordStanding unknown(const std::string& why) {
  return {.kind = Kind::kUnknown, .why = why};
}

/// A full disk, permissions, another program: it says nothing of the record.
bool is_passing_failure(const std::exception& error) {
  if (const auto* sqlite = dynamic_cast<const SqliteError*>(&error))
    return sqlite->is_passing();
  return dynamic_cast<const PassingError*>(&error) != nullptr ||
         dynamic_cast<const fs::filesystem_error*>(&error) != nullptr;
}

bool is_there(const std::string& path) {
  std::error_code none;
  return fs::exists(path, none);
}

/// Completes a journal by what its killed process left, and by nothing else.
/// @returns false: a process that lives writes it
bool complete(const std::string& journal, std::vector<std::string>& completed) {
  switch (find_leftover(journal)) {
    case Leftover::kInUse:
      return false;
    case Leftover::kRecoverable:
      if (!recover_ring_file(journal)) return false;
      completed.push_back(journal);
      return true;
    case Leftover::kNone:
    case Leftover::kForeign:
      break;
  }
  return true;
}

/// A site of the integrator's process that was asked for a step, or may have been; empty:
/// none.
std::string site_that_moved(const std::string& folder,
                            std::vector<std::string>& completed) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".db" || path.filename() == kIntegratorJournal) continue;
    try {
      if (fs::file_size(path) == 0) return path.string();
      complete(path.string(), completed);
      const JournalRecordedSession record(path.string());
      if (record.last(stream_name::kIntent) >= 0 || record.last(stream_name::kTick) >= 0)
        return path.string();
    } catch (const std::exception& error) {
      if (is_passing_failure(error)) throw;
      return path.string();
    }
  }
  return {};
}

/// The summary of a process that ended says that steps were done, whatever became of their
/// record.
bool summary_says_steps(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  constexpr std::string_view kKey = "\"steps_done\":";  // a quote in a name is escaped
  const std::size_t key = text.find(kKey);
  return key != std::string::npos &&
         std::strtoll(text.c_str() + key + kKey.size(), nullptr, 10) > 0;
}

/// Not begun, if no record beside it contradicts.
RecordStanding not_begun(const std::string& folder, Kind kind,
                         std::vector<std::string>& completed) {
  const std::string summary = folder + "/summary.json";
  if (summary_says_steps(summary))
    return unknown(folder + "/" + kIntegratorJournal + " holds no step" +
                   (kind == Kind::kNothing ? ", for it is gone" : "") + ", but " + summary +
                   " says that some were done");
  const std::string moved = site_that_moved(folder, completed);
  if (moved.empty()) return {.kind = kind};
  return unknown(folder + "/" + kIntegratorJournal + " holds no step, but " + moved +
                 " does, or cannot be read");
}

RecordStanding standing_of_journal(const std::string& folder, const std::string& path,
                                   std::vector<std::string>& completed) {
  const JournalReader reader(path);
  if (reader.schema() < kJournalSchema)
    return unknown("journal " + path + " has schema " + std::to_string(reader.schema()) +
                   ", which does not tell whether its session came to its end; use the "
                   "older program that wrote it");
  const std::string session = reader.meta(meta_key::kSession).value_or("");
  if (reader.meta(meta_key::kEnded)) return {.kind = Kind::kEnded, .session = session};
  const JournalRecordedSession record(path);
  if (record.last(stream_name::kOpening) != RecordedSession::kNone)
    return {.kind = Kind::kUnfinished, .session = session};
  // Session and streams are durable before any site is armed.
  if (!session.empty() && reader.meta(meta_key::kBoot).value_or("") != RingFile::boot_id())
    return unknown("journal " + path +
                   " holds no opening read, but the system was restarted since it was "
                   "written: a loss of power may have taken it");
  return not_begun(folder, Kind::kNotBegun, completed);
}

RecordStanding look_at(const std::string& folder, std::vector<std::string>& completed) {
  const std::string path = folder + "/" + kIntegratorJournal;
  try {
    if (!is_there(path)) {
      for (const std::string& part : {path + "-wal", RingFile::path_beside(path)})
        if (is_there(part)) return unknown(path + " is gone, but " + part + " is there");
      return not_begun(folder, Kind::kNothing, completed);
    }
    // SQLite would take an empty file for a new one, and throw its log away.
    if (fs::file_size(path) == 0) return unknown("journal " + path + " is empty (0 bytes)");
    if (!complete(path, completed)) return {.kind = Kind::kInUse};
    return standing_of_journal(folder, path, completed);
  } catch (const std::exception& error) {
    if (is_passing_failure(error)) return {.kind = Kind::kBlocked, .why = error.what()};
    return unknown(error.what());
  }
}

}  // namespace

RecordStanding standing_of_record(const std::string& folder) {
  std::vector<std::string> completed;
  RecordStanding found = look_at(folder, completed);
  found.completed = std::move(completed);
  return found;
}

}  // namespace trestle::journal
