#pragma once

#include <string>
#include <vector>

#include "core/journal/journal_reader.h"

namespace trestle::records {

/// The journal of one site of a run.
struct RecordedSite {
  std::string site;
  journal::JournalReader journal;
};

/// A run's folder, opened to read: the integrator's journal and those of the sites that are
/// there.
class RunRecord {
 public:
  /// @throws std::runtime_error if the folder or its journal is missing, a journal
  /// cannot
  ///         be read, or a site's journal is of another session than the integrator's
  explicit RunRecord(const std::string& run_dir);

  const journal::JournalReader& integrator() const noexcept { return integrator_; }

  /// In the order of the test (meta `sites`), else of the alphabet.
  const std::vector<RecordedSite>& sites() const noexcept { return sites_; }

  /// Sites of the test (meta `sites`) whose journal is not in the folder.
  const std::vector<std::string>& missing_sites() const noexcept { return missing_; }

 private:
  void sort_sites();

  journal::JournalReader integrator_;
  std::vector<RecordedSite> sites_;
  std::vector<std::string> missing_;
};

}  // namespace trestle::records
