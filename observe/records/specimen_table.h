#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/journal/journal_reader.h"
#include "core/session/specimen_papers.h"

namespace trestle::records {

/// The specimen of one site of a run, from its session contract.
struct RecordedSpecimen {
  std::string site;
  session::SpecimenPapers papers;
};

/// Reads the specimens of all sites of a run from the integrator's record, in the order of
/// the test. A site that states none is left out.
std::vector<RecordedSpecimen> specimens_of(const journal::JournalReader& integrator);

/// Returns a sentence for each fact that differs in `after`.
std::vector<std::string> specimen_changes(const std::vector<RecordedSpecimen>& before,
                                          const std::vector<RecordedSpecimen>& after);

/// Returns the specimens as columns of texts for exports: name of the column, and a text
/// per site: `site`, then session::kSpecimenFacts. Empty if no site states one.
std::vector<std::pair<std::string, std::vector<std::string>>> specimen_columns(
    const std::vector<RecordedSpecimen>& specimens);

}  // namespace trestle::records
