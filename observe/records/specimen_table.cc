#include "observe/records/specimen_table.h"

#include <algorithm>
#include <sstream>

#include "core/session/contract_lines.h"
#include "core/types/record_names.h"

namespace trestle::records {
namespace {

session::SpecimenPapers papers_of(const std::vector<RecordedSpecimen>& specimens,
                                  const std::string& site) {
  for (const RecordedSpecimen& each : specimens)
    if (each.site == site) return each.papers;
  return {};
}

}  // namespace

std::vector<RecordedSpecimen> specimens_of(const journal::JournalReader& integrator) {
  std::vector<RecordedSpecimen> specimens;
  std::istringstream names(integrator.meta(meta_key::kSites).value_or(""));
  for (std::string name; std::getline(names, name, ',');) {
    const std::string contract = integrator.meta(meta_key::kContractOf + name).value_or("");
    session::SpecimenPapers papers =
        session::read_specimen(session::parse_site_entries(contract));
    if (!papers.facts.empty()) specimens.push_back({name, std::move(papers)});
  }
  return specimens;
}

std::vector<std::string> specimen_changes(const std::vector<RecordedSpecimen>& before,
                                          const std::vector<RecordedSpecimen>& after) {
  std::vector<std::string> sites;
  for (const auto* const list : {&before, &after})
    for (const RecordedSpecimen& each : *list)
      if (std::find(sites.begin(), sites.end(), each.site) == sites.end())
        sites.push_back(each.site);
  std::vector<std::string> sentences;
  for (const std::string& site : sites)
    for (std::string& sentence :
         session::specimen_changes(site, papers_of(before, site), papers_of(after, site)))
      sentences.push_back(std::move(sentence));
  return sentences;
}

std::vector<std::pair<std::string, std::vector<std::string>>> specimen_columns(
    const std::vector<RecordedSpecimen>& specimens) {
  if (specimens.empty()) return {};
  std::vector<std::pair<std::string, std::vector<std::string>>> columns{{"site", {}}};
  for (const char* name : session::kSpecimenFacts) columns.push_back({name, {}});
  for (const RecordedSpecimen& each : specimens) {
    columns[0].second.push_back(each.site);
    for (std::size_t i = 1; i < columns.size(); ++i)
      columns[i].second.push_back(each.papers.fact(columns[i].first));
  }
  return columns;
}

}  // namespace trestle::records
