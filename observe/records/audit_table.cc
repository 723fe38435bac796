#include "observe/records/audit_table.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "core/journal/journal_reader.h"
#include "core/session/audit_actions.h"
#include "core/types/record_names.h"

namespace trestle::records {
namespace {

namespace fs = std::filesystem;

// Shown digits of a digest: enough to find it.
constexpr std::size_t kShownDigits = 12;

void add_journals(const fs::path& folder, std::vector<fs::path>& files) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".db")
      files.push_back(entry.path());
}

std::vector<fs::path> journals_in(const std::string& folder) {
  if (!fs::is_directory(folder)) throw std::runtime_error("there is no folder " + folder);
  std::vector<fs::path> files;
  add_journals(folder, files);
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) add_journals(entry.path(), files);
  if (files.empty())
    throw std::runtime_error(folder +
                             " has no journal; name the folder of a run or of a "
                             "site server");
  std::sort(files.begin(), files.end());
  return files;
}

AuditTable read(const fs::path& file, const std::string& folder) {
  AuditTable table;
  table.file = fs::relative(file, folder).string();
  try {
    const journal::JournalReader journal(file.string());
    table.node = journal.meta(meta_key::kNode).value_or("");
    table.test = journal.meta(meta_key::kTest).value_or("");
    table.session = journal.meta(meta_key::kSession).value_or("");
    table.verdict = journal::verify_audit(file.string());
    if (!table.verdict.sentence.empty()) table.problems.push_back(table.verdict.sentence);
  } catch (const std::exception& error) {
    table.problems.emplace_back(error.what());
  }
  return table;
}

bool has_digest(const AuditTable& table, const std::string& digest) {
  const std::vector<journal::AuditRecord>& entries = table.verdict.entries;
  return std::any_of(
      entries.begin(), entries.end(),
      [&](const journal::AuditRecord& record) { return record.digest == digest; });
}

/// Compares `table` with the digest that `witness` recorded of it.
void hold_against(const AuditTable& witness, AuditTable& table) {
  for (const journal::AuditRecord& noted : witness.verdict.entries) {
    if (noted.entry.what != session::audit_what::kPeerDigest ||
        noted.entry.who != table.node || noted.entry.text.empty() ||
        has_digest(table, noted.entry.text))
      continue;
    table.problems.push_back(
        "journal " + table.file + ": no audit entry has the digest " +
        noted.entry.text.substr(0, kShownDigits) + " that " + witness.node +
        " noted of it (" + witness.file + ", entry " + std::to_string(noted.sequence) +
        "): entries were lost or taken out, or the table was written anew");
  }
}

}  // namespace

std::vector<AuditTable> audit_tables(const std::string& folder) {
  std::vector<AuditTable> tables;
  for (const fs::path& file : journals_in(folder)) tables.push_back(read(file, folder));
  for (AuditTable& table : tables)
    for (const AuditTable& witness : tables)
      if (&witness != &table && witness.session == table.session)
        hold_against(witness, table);
  return tables;
}

}  // namespace trestle::records
