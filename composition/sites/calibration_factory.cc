#include "composition/sites/calibration_factory.h"

#include <algorithm>

#include "core/base/number_text.h"
#include "core/base/setting_error.h"
#include "core/base/suggestion.h"
#include "proto/config/site.pb.h"

namespace trestle::composition {
namespace {

// Bytes. Contracts travel in one message, and exports carry them in one attribute.
constexpr std::size_t kLongestCalibrationText = 100;
constexpr std::size_t kMostCalibrationBytes = 32768;

using session::ChannelCalibration;
using session::ContractEntries;

/// Names and texts in the order of session::kCalibrationFacts; empty ones are left out.
ContractEntries facts_of_calibration(const config::Calibration& message) {
  const std::string sampling =
      message.has_sampling() ? format_number(message.sampling()) : "";
  const std::string* const texts[] = {
      &message.sensor(),      &message.serial(), &message.factor(),
      &message.done(),        &message.due(),    &message.by(),
      &message.certificate(), &message.range(),  &message.resolution(),
      &message.filter(),      &sampling};
  static_assert(std::size(texts) == std::size(session::kCalibrationFacts));
  ContractEntries facts;
  for (std::size_t i = 0; i < std::size(texts); ++i)
    if (!texts[i]->empty()) facts.emplace_back(session::kCalibrationFacts[i], *texts[i]);
  return facts;
}

/// The actuator's number of `N.displacement` or `N.force`; empty: a further channel.
std::string number_of_actuator(const std::string& channel) {
  const std::size_t dot = channel.find('.');
  if (dot == std::string::npos || dot == 0) return {};
  const std::string quantity = channel.substr(dot + 1);
  if (quantity != "displacement" && quantity != "force") return {};
  return channel.substr(0, dot);
}

void check_channel_name(const std::string& channel, int actuators, const std::string& path,
                        std::vector<SettingIssue>& problems) {
  if (channel.empty() || channel.size() > kLongestCalibrationText ||
      channel.find(':') != std::string::npos) {
    problems.push_back({path, "channel " + quote(channel) +
                                  " is no name of 1 to 100 letters without a colon; write "
                                  "1.displacement, 1.force, or the name of a further "
                                  "channel"});
    return;
  }
  const std::string number = number_of_actuator(channel);
  if (number.empty()) return;
  for (int i = 1; i <= actuators; ++i)
    if (number == std::to_string(i)) return;
  problems.push_back({path, "channel " + quote(channel) + " is of actuator " + number +
                                "; the actuators of this site are 1 to " +
                                std::to_string(actuators)});
}

void check_calibration(const config::Calibration& message,
                       const ChannelCalibration& calibration, const std::string& path,
                       std::vector<SettingIssue>& problems) {
  if (calibration.facts.empty())
    problems.push_back({path, "the calibration of " + quote(message.channel()) +
                                  " says nothing; give it a serial number, a factor, or "
                                  "take it out"});
  for (const auto& [name, text] : calibration.facts)
    if (text.size() > kLongestCalibrationText)
      problems.push_back({path, name + " of " + quote(message.channel()) + " has " +
                                    std::to_string(text.size()) +
                                    " bytes; must be at most 100"});
  bool days = true;
  for (const auto& [name, day] :
       {std::pair{"done", &message.done()}, std::pair{"due", &message.due()}}) {
    if (day->empty() || session::is_calendar_day(*day)) continue;
    days = false;
    problems.push_back({path + "." + name, std::string(name) + " is " + quote(*day) +
                                               "; must be a day as 2026-10-30"});
  }
  if (days && !message.due().empty() && message.due() < message.done())
    problems.push_back({path + ".due", "due " + message.due() + " is before done " +
                                           message.done() + "; exchange them"});
}

}  // namespace

std::vector<ChannelCalibration> make_calibrations(const CalibrationMessages& messages,
                                                  int actuators, const std::string& path) {
  std::vector<ChannelCalibration> calibrations;
  std::vector<SettingIssue> problems;
  std::size_t bytes = 0;
  for (int i = 0; i < messages.size(); ++i) {
    const config::Calibration& message = messages[i];
    const std::string at = path + "[" + std::to_string(i) + "]";
    ChannelCalibration one{message.channel(), facts_of_calibration(message)};
    check_channel_name(one.channel, actuators, at, problems);
    check_calibration(message, one, at, problems);
    if (std::any_of(
            calibrations.begin(), calibrations.end(),
            [&](const ChannelCalibration& other) { return other.channel == one.channel; }))
      problems.push_back(
          {at, "channel " + quote(one.channel) +
                   " is there twice; keep the calibration that is in force"});
    for (const auto& [name, text] : one.facts)
      bytes += name.size() + one.channel.size() + text.size();
    calibrations.push_back(std::move(one));
  }
  if (bytes > kMostCalibrationBytes)
    problems.push_back({path, "calibration has " + std::to_string(bytes) +
                                  " bytes; must be at most " +
                                  std::to_string(kMostCalibrationBytes) +
                                  ": name the certificates, and shorten the rest"});
  if (!problems.empty()) throw SettingError(std::move(problems));
  return calibrations;
}

void require_known_channels(const ContractEntries& stated, const RigDescription& rig,
                            const std::string& path) {
  std::vector<std::string> known;
  for (std::size_t i = 1; i <= rig.actuators.size(); ++i)
    for (const char* quantity : {".displacement", ".force"})
      known.push_back(std::to_string(i) + quantity);
  for (int i = 1; i <= rig.reactions; ++i)
    known.push_back("load cell " + std::to_string(i));
  for (const Channel& further : rig.extra) known.push_back(further.name);
  std::vector<SettingIssue> problems;
  const std::vector<ChannelCalibration> calibrations = session::read_calibrations(stated);
  for (std::size_t i = 0; i < calibrations.size(); ++i)
    if (std::find(known.begin(), known.end(), calibrations[i].channel) == known.end())
      problems.push_back({path + "[" + std::to_string(i) + "]",
                          "the rig has no channel " + quote(calibrations[i].channel) +
                              "; " + suggestion(calibrations[i].channel, known)});
  if (!problems.empty()) throw SettingError(std::move(problems));
}

}  // namespace trestle::composition
