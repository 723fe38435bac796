#include "core/journal/unfinished_journal.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "core/journal/journal_reader.h"
#include "core/journal/journal_schema.h"
#include "core/journal/sqlite_database.h"
#include "core/types/record_names.h"

namespace trestle::journal {
namespace {

namespace fs = std::filesystem;

/// The order of journals: their number; journals of older programs have none and are
/// ordered by their start by the system clock.
using Order = std::pair<std::int64_t, std::int64_t>;

std::int64_t number_of(const JournalReader& reader, const char* key) {
  return std::strtoll(reader.meta(key).value_or("0").c_str(), nullptr, 10);
}

/// Calls `look` with every journal right in the folder.
template <typename Look>
void for_each_journal(const std::string& folder, const Look& look) {
  if (!fs::is_directory(folder)) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".db") continue;
    try {
      const JournalReader reader(entry.path().string());
      if (reader.schema() >= kJournalSchema && reader.meta(meta_key::kSession))
        look(reader);
    } catch (const std::runtime_error&) {  // NOLINT(bugprone-empty-catch): no journal
    }
  }
}

/// Its writer was killed before its first transaction was whole.
bool holds_nothing(const std::string& path) {
  SqliteDatabase database(path, SqliteDatabase::Access::kRead);
  return database.number("SELECT count(*) FROM sqlite_schema") == 0;
}

}  // namespace

std::optional<UnfinishedJournal> find_interrupted_session(const std::string& path) {
  if (!fs::exists(path) || holds_nothing(path)) return std::nullopt;
  const JournalReader reader(path);
  const std::optional<std::string> session = reader.meta(meta_key::kSession);
  if (reader.schema() < kJournalSchema || !session || reader.meta(meta_key::kEnded))
    return std::nullopt;
  return UnfinishedJournal{path, *session};
}

std::optional<UnfinishedJournal> newest_unfinished(const std::string& folder) {
  std::optional<UnfinishedJournal> newest;
  Order highest{};
  for_each_journal(folder, [&](const JournalReader& reader) {
    if (reader.meta(meta_key::kEnded)) return;
    const Order order{number_of(reader, meta_key::kNumber),
                      number_of(reader, meta_key::kBegun)};
    if (newest && order <= highest) return;
    highest = order;
    newest = {reader.path(), reader.required_meta(meta_key::kSession)};
  });
  return newest;
}

std::int64_t highest_number(const std::string& folder) {
  std::int64_t highest = 0;
  for_each_journal(folder, [&](const JournalReader& reader) {
    highest = std::max(highest, number_of(reader, meta_key::kNumber));
  });
  return highest;
}

}  // namespace trestle::journal
