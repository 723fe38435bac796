#include "core/session/specimen_papers.h"

namespace trestle::session {
namespace {

constexpr std::string_view kSpecimenKey = "specimen.";

std::string stated_or_not(const std::string& text) {
  return text.empty() ? "not stated" : text;
}

}  // namespace

std::string SpecimenPapers::fact(std::string_view name) const {
  for (const auto& [key, text] : facts)
    if (key == name) return text;
  return {};
}

ContractEntries specimen_entries(const SpecimenPapers& papers) {
  ContractEntries entries;
  for (const auto& [name, text] : papers.facts)
    entries.emplace_back(std::string(kSpecimenKey) + name, text);
  return entries;
}

SpecimenPapers read_specimen(const ContractEntries& stated) {
  SpecimenPapers papers;
  for (const auto& [key, text] : stated)
    if (key.starts_with(kSpecimenKey))
      papers.facts.emplace_back(key.substr(kSpecimenKey.size()), text);
  return papers;
}

std::vector<std::string> specimen_changes(const std::string& site,
                                          const SpecimenPapers& before,
                                          const SpecimenPapers& after) {
  std::vector<std::string> sentences;
  for (const char* name : kSpecimenFacts)
    if (const std::string was = before.fact(name), is = after.fact(name); was != is)
      sentences.push_back(site + ": " + name + " of the specimen is " + stated_or_not(is) +
                          ", was " + stated_or_not(was));
  return sentences;
}

}  // namespace trestle::session
