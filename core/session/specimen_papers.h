#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/session/session_contract.h"

namespace trestle::session {

/// Which specimen stands at a site, as its papers state it. Nothing is computed from it;
/// both ends carry it in the contract, so that an interrupted test is resumed with the same
/// one alone.
struct SpecimenPapers {
  /// Names of kSpecimenFacts that are stated, in that order, and their texts; empty: none.
  ContractEntries facts;

  /// Returns the text of a fact; empty: not stated.
  std::string fact(std::string_view name) const;
  bool operator==(const SpecimenPapers&) const = default;
};

/// The facts of a specimen, as in the contract and in exports.
inline constexpr const char* kSpecimenFacts[] = {"id",   "drawing", "material", "made",
                                                 "cast", "by",      "note",     "papers"};

/// Returns the facts of the contract: {"specimen.id", "C-07"}.
ContractEntries specimen_entries(const SpecimenPapers& papers);

/// Returns the papers of specimen_entries() among other facts.
SpecimenPapers read_specimen(const ContractEntries& stated);

/// Returns a sentence for each fact of a site that differs between two records: "west: id
/// of the specimen is C-08, was C-07".
std::vector<std::string> specimen_changes(const std::string& site,
                                          const SpecimenPapers& before,
                                          const SpecimenPapers& after);

}  // namespace trestle::session
