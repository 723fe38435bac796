#include "observe/records/run_record.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "core/base/journal_names.h"
#include "core/types/record_names.h"

namespace trestle::records {
namespace {

std::string integrator_journal(const std::string& run_dir) {
  namespace fs = std::filesystem;
  if (!fs::exists(run_dir)) throw std::runtime_error("there is no folder " + run_dir);
  if (!fs::is_directory(run_dir))
    throw std::runtime_error(run_dir + " is a file; name the folder of a run");
  const fs::path journal = fs::path(run_dir) / kIntegratorJournal;
  if (!fs::exists(journal))
    throw std::runtime_error(run_dir + " is not the folder of a run: it has no " +
                             kIntegratorJournal);
  return journal.string();
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

}  // namespace

RunRecord::RunRecord(const std::string& run_dir)
    : integrator_(integrator_journal(run_dir)) {
  const std::string session = integrator_.required_meta(meta_key::kSession);
  for (const auto& entry : std::filesystem::directory_iterator(run_dir)) {
    const std::filesystem::path& path = entry.path();
    if (path.extension() != ".db" || path.filename() == kIntegratorJournal) continue;
    journal::JournalReader journal(path.string());
    const std::string theirs = journal.required_meta(meta_key::kSession);
    if (theirs != session)
      throw std::runtime_error(path.string() + " is of session " + theirs + ", the run " +
                               run_dir + " is session " + session +
                               "; take the file out of the folder");
    sites_.push_back({path.stem().string(), std::move(journal)});
  }
  sort_sites();
}

void RunRecord::sort_sites() {
  const auto names = split_at_commas(integrator_.meta(meta_key::kSites).value_or(""));
  const auto place = [&names](const std::string& site) {
    return std::distance(names.begin(), std::find(names.begin(), names.end(), site));
  };
  std::sort(sites_.begin(), sites_.end(),
            [&place](const RecordedSite& a, const RecordedSite& b) {
              const auto place_a = place(a.site);
              const auto place_b = place(b.site);
              return place_a != place_b ? place_a < place_b : a.site < b.site;
            });
  for (const std::string& name : names)
    if (std::none_of(sites_.begin(), sites_.end(),
                     [&name](const RecordedSite& record) { return record.site == name; }))
      missing_.push_back(name);
}

}  // namespace trestle::records
