#include "observe/live/site_facts.h"

#include "core/session/calibration.h"
#include "core/session/contract_lines.h"
#include "core/session/specimen_papers.h"

namespace trestle::live {

SiteFacts read_site_facts(const std::string& contract, std::string_view begun,
                          const std::string& origins) {
  SiteFacts facts;
  for (const auto& [path, place] : session::parse_contract_lines(origins))
    facts.limit_origins.emplace(path, place);
  for (const auto& [key, value] : session::parse_contract_lines(contract)) {
    if (key == "site.real_equipment") facts.real_equipment = value == "yes";
    if (key == "site.hardware_watchdog") facts.hardware_watchdog = value == "yes";
  }
  const session::ContractEntries stated = session::parse_site_entries(contract);
  facts.specimen = session::read_specimen(stated).fact("id");
  for (const auto& [key, text] : stated) facts.twin = facts.twin || key == "twin";
  const std::vector<session::ChannelCalibration> channels =
      session::read_calibrations(stated);
  for (const session::ChannelCalibration& each : channels) {
    const std::string due = each.fact("due");
    if (due.empty()) continue;
    // Days compare as texts.
    if (!begun.empty() && due < begun) facts.expired.push_back(each.channel);
    if (facts.calibrated_until.empty() || due < facts.calibrated_until)
      facts.calibrated_until = due;
  }
  facts.uncalibrated = session::uncalibrated_of_contract(contract);
  return facts;
}

}  // namespace trestle::live
