#include "core/journal/unfinished_journal.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "core/journal/database.h"
#include "core/journal/journal_names.h"
#include "core/journal/journal_reader.h"
#include "core/journal/journal_schema.h"

namespace trestle {
namespace {

namespace fs = std::filesystem;

/// When its session was begun [ns since 1970]; nothing where it is no journal that tells.
std::optional<std::int64_t> begun(const std::string& path) {
  try {
    const JournalReader reader(path);
    const std::optional<std::string> when = reader.meta(meta_key::kBegun);
    if (reader.schema() < kJournalSchema || !when || !reader.meta(meta_key::kSession))
      return std::nullopt;
    return std::strtoll(when->c_str(), nullptr, 10);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

/// Its writer was killed before its first transaction was whole.
bool holds_nothing(const std::string& path) {
  Database database(path, Database::Access::kRead);
  return database.number("SELECT count(*) FROM sqlite_schema") == 0;
}

}  // namespace

std::optional<UnfinishedJournal> if_unfinished(const std::string& path) {
  if (!fs::exists(path) || holds_nothing(path)) return std::nullopt;
  const JournalReader reader(path);
  const std::optional<std::string> session = reader.meta(meta_key::kSession);
  if (reader.schema() < kJournalSchema || !session || reader.meta(meta_key::kEnded))
    return std::nullopt;
  return UnfinishedJournal{path, *session};
}

std::optional<UnfinishedJournal> newest_if_unfinished(const std::string& folder) {
  std::string newest;
  std::int64_t latest = 0;
  if (!fs::is_directory(folder)) return std::nullopt;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".db") continue;
    const std::optional<std::int64_t> when = begun(entry.path().string());
    if (!when || *when <= latest) continue;
    latest = *when;
    newest = entry.path().string();
  }
  return newest.empty() ? std::nullopt : if_unfinished(newest);
}

}  // namespace trestle
