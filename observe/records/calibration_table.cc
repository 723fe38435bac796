#include "observe/records/calibration_table.h"

#include <algorithm>
#include <sstream>

#include "core/types/record_names.h"

namespace trestle::records {
namespace {

const RecordedCalibrations* find_recorded(const std::vector<RecordedCalibrations>& sites,
                                          const std::string& site) {
  const auto found =
      std::find_if(sites.begin(), sites.end(),
                   [&](const RecordedCalibrations& each) { return each.site == site; });
  return found == sites.end() ? nullptr : &*found;
}

}  // namespace

RecordedCalibrations calibrations_of(const std::string& site, const std::string& contract) {
  return {site, session::read_calibrations(session::parse_site_entries(contract)),
          session::uncalibrated_of_contract(contract)};
}

std::vector<RecordedCalibrations> calibrations_of(
    const journal::JournalReader& integrator) {
  std::vector<RecordedCalibrations> sites;
  std::istringstream names(integrator.meta(meta_key::kSites).value_or(""));
  for (std::string name; std::getline(names, name, ',');)
    sites.push_back(
        calibrations_of(name, integrator.meta(meta_key::kContractOf + name).value_or("")));
  return sites;
}

std::vector<std::string> calibration_changes(
    const std::vector<RecordedCalibrations>& before,
    const std::vector<RecordedCalibrations>& after) {
  std::vector<std::string> sentences;
  const auto add = [&](const std::string& site, const RecordedCalibrations* was,
                       const RecordedCalibrations* is) {
    static const std::vector<session::ChannelCalibration> kNone;
    for (std::string& sentence :
         session::calibration_changes(site, was == nullptr ? kNone : was->channels,
                                      is == nullptr ? kNone : is->channels))
      sentences.push_back(std::move(sentence));
  };
  for (const RecordedCalibrations& was : before)
    add(was.site, &was, find_recorded(after, was.site));
  for (const RecordedCalibrations& is : after)
    if (find_recorded(before, is.site) == nullptr) add(is.site, nullptr, &is);
  return sentences;
}

std::vector<std::pair<std::string, std::vector<std::string>>> calibration_columns(
    const std::vector<RecordedCalibrations>& sites) {
  if (std::all_of(sites.begin(), sites.end(), [](const RecordedCalibrations& site) {
        return site.channels.empty() && site.missing.empty();
      }))
    return {};
  std::vector<std::pair<std::string, std::vector<std::string>>> columns{{"site", {}},
                                                                        {"channel", {}}};
  for (const char* name : session::kCalibrationFacts) columns.push_back({name, {}});
  const auto add = [&](const std::string& site, const session::ChannelCalibration& one) {
    columns[0].second.push_back(site);
    columns[1].second.push_back(one.channel);
    for (std::size_t i = 2; i < columns.size(); ++i)
      columns[i].second.push_back(one.fact(columns[i].first));
  };
  for (const RecordedCalibrations& each : sites) {
    for (const session::ChannelCalibration& one : each.channels) add(each.site, one);
    for (const std::string& channel : each.missing) add(each.site, {channel, {}});
  }
  return columns;
}

}  // namespace trestle::records
