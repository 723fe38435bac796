#include "observe/records/tick_records.h"

#include <stdexcept>
#include <string>

#include "core/types/record_names.h"

namespace trestle::records {

std::vector<const RecordedSite*> tick_records(const RunRecord& run) {
  if (!run.missing_sites().empty()) {
    std::string names;
    for (const std::string& site : run.missing_sites())
      names += (names.empty() ? "" : ", ") + site;
    throw std::runtime_error(
        "the control ticks of " + names +
        " stand in the laboratory's own folder; bring them here first: trestle collect");
  }
  std::vector<const RecordedSite*> records;
  for (const RecordedSite& site : run.sites())
    if (site.journal.has_stream(stream_name::kTick)) records.push_back(&site);
  if (records.empty())
    throw std::runtime_error(
        "this run has no record of control ticks: no site's journal "
        "stands beside " +
        run.integrator().path());
  return records;
}

}  // namespace trestle::records
