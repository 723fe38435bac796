#include "observe/records/collect.h"

#include <filesystem>
#include <stdexcept>

#include "core/base/lasting_file.h"
#include "core/base/output_path.h"
#include "core/base/set_aside.h"
#include "core/types/record_names.h"
#include "observe/records/run_record.h"

namespace trestle::records {
namespace {

namespace fs = std::filesystem;

/// Journals of sites right in `folder`.
void add_site_journals(const fs::path& folder,
                       std::vector<journal::JournalReader>& journals) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".db" || !entry.is_regular_file()) continue;
    journal::JournalReader journal(entry.path().string());
    if (journal.required_meta(meta_key::kNode) != kIntegratorNode)
      journals.push_back(std::move(journal));
  }
}

std::vector<journal::JournalReader> site_journals(const std::string& folder) {
  if (!fs::is_directory(folder)) throw std::runtime_error("there is no folder " + folder);
  std::vector<journal::JournalReader> journals;
  add_site_journals(folder, journals);
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory() && !is_set_aside(entry.path().filename().string()))
      add_site_journals(entry.path(), journals);
  if (journals.empty())
    throw std::runtime_error(folder +
                             " has no journal of a site; name the folder that the "
                             "site server writes its records to");
  return journals;
}

void copy_into(const std::string& run_dir, const journal::JournalReader& journal) {
  const std::string target =
      (fs::path(run_dir) / (journal.required_meta(meta_key::kNode) + ".db")).string();
  std::error_code none;
  if (fs::equivalent(target, journal.path(), none)) return;  // it is there already
  const std::string temporary = temporary_path(target);
  try {
    journal.copy_to(temporary);
    put_record(temporary, target);
  } catch (...) {
    fs::remove(temporary, none);
    throw;
  }
}

/// A record of the same session that holds at least as much.
bool holds_all_of(const std::string& older, const std::string& newer) {
  try {
    const journal::JournalReader before(older);
    const journal::JournalReader after(newer);
    if (before.meta(meta_key::kSession) != after.meta(meta_key::kSession)) return false;
    if (before.events().size() > after.events().size()) return false;
    for (const std::string& stream : before.streams())
      if (!after.has_stream(stream) || before.row_count(stream) > after.row_count(stream))
        return false;
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

void put_record(const std::string& draft, const std::string& target) {
  const fs::path place(target);
  const std::string name = place.filename().string();
  if (fs::exists(place) && (fs::exists(target + "-wal") || !holds_all_of(target, draft)))
    set_aside(place.parent_path().string(), {name, name + "-wal", name + "-shm"});
  publish_file(draft, target);
}

void collect(const std::string& run_dir, const std::vector<std::string>& site_dirs) {
  const std::string session =
      RunRecord(run_dir).integrator().required_meta(meta_key::kSession);
  for (const std::string& folder : site_dirs) {
    bool found = false;
    std::string other;
    for (const journal::JournalReader& journal : site_journals(folder)) {
      const std::string theirs = journal.required_meta(meta_key::kSession);
      if (theirs == session) {
        copy_into(run_dir, journal);
        found = true;
      } else {
        other = theirs;
      }
    }
    if (!found)
      throw std::runtime_error(folder + " holds session " + other + ", the run " + run_dir +
                               " is session " + session +
                               "; name the folder of the same test");
  }
}

}  // namespace trestle::records
