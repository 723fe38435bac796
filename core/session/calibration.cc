#include "core/session/calibration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "core/base/utc_text.h"
#include "core/session/contract_lines.h"

namespace trestle::session {
namespace {

constexpr std::string_view kCalibrationKey = "calibration.";

const ChannelCalibration* find_channel(const std::vector<ChannelCalibration>& channels,
                                       const std::string& channel) {
  const auto found =
      std::find_if(channels.begin(), channels.end(),
                   [&](const ChannelCalibration& each) { return each.channel == channel; });
  return found == channels.end() ? nullptr : &*found;
}

/// "LC-250, serial 4711"; empty: neither is stated.
std::string device_text(const ChannelCalibration& channel) {
  const std::string serial = channel.fact("serial");
  std::string text = channel.fact("sensor");
  if (!serial.empty()) text += (text.empty() ? "serial " : ", serial ") + serial;
  return text;
}

std::string in_brackets(const std::string& text) {
  return text.empty() ? "" : " (" + text + ")";
}

std::string or_nothing(const std::string& text) {
  return text.empty() ? "not stated" : text;
}

bool is_whole_number(std::string_view digits, int& number) {
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, number);
  return read.ec == std::errc{} && read.ptr == end && digits.front() != '-';
}

}  // namespace

std::string ChannelCalibration::fact(std::string_view name) const {
  for (const auto& [key, text] : facts)
    if (key == name) return text;
  return {};
}

ContractEntries calibration_entries(const std::vector<ChannelCalibration>& channels) {
  ContractEntries entries;
  for (const ChannelCalibration& each : channels)
    for (const auto& [name, text] : each.facts)
      entries.emplace_back(std::string(kCalibrationKey) + each.channel + "." + name, text);
  return entries;
}

std::vector<ChannelCalibration> read_calibrations(const ContractEntries& stated) {
  std::vector<ChannelCalibration> channels;
  for (const auto& [key, text] : stated) {
    const std::size_t dot = key.rfind('.');
    if (!key.starts_with(kCalibrationKey) || dot < kCalibrationKey.size()) continue;
    std::string channel = key.substr(kCalibrationKey.size(), dot - kCalibrationKey.size());
    if (channels.empty() || channels.back().channel != channel)
      channels.push_back({std::move(channel), {}});
    channels.back().facts.emplace_back(key.substr(dot + 1), text);
  }
  return channels;
}

bool is_calendar_day(std::string_view text) {
  constexpr std::size_t kLength = 10;  // 2026-10-30
  if (text.size() != kLength || text[4] != '-' || text[7] != '-') return false;
  int year = 0;
  int month = 0;
  int day = 0;
  if (!is_whole_number(text.substr(0, 4), year) ||
      !is_whole_number(text.substr(5, 2), month) || !is_whole_number(text.substr(8), day))
    return false;
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  const std::array<int, 12> days{31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30,
                                 31};
  return year > 0 && month >= 1 && month <= 12 && day >= 1 &&
         day <= days[static_cast<std::size_t>(month - 1)];
}

std::vector<std::string> expired_calibrations(
    const std::string& site, const std::vector<ChannelCalibration>& channels,
    std::string_view today) {
  std::vector<std::string> sentences;
  for (const ChannelCalibration& each : channels) {
    const std::string due = each.fact("due");
    if (!due.empty() && due < today)
      sentences.push_back("The calibration of " + site + " " + each.channel +
                          in_brackets(device_text(each)) + " expired on " + due +
                          ". Calibrate it again, or write the new one into `calibration`.");
  }
  return sentences;
}

std::vector<std::string> expired_today(const std::string& site,
                                       const ContractEntries& stated) {
  const auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  constexpr std::size_t kDay = 10;  // 2026-10-30
  return expired_calibrations(
      site, read_calibrations(stated),
      utc_text(static_cast<std::int64_t>(now.count())).substr(0, kDay));
}

std::vector<std::string> uncalibrated_channels(
    const std::vector<ChannelCalibration>& channels, std::size_t actuators,
    std::size_t load_cells) {
  std::vector<std::string> without;
  const auto look_at = [&](std::string channel) {
    if (find_channel(channels, channel) == nullptr) without.push_back(std::move(channel));
  };
  for (const char* quantity : {".displacement", ".force"})
    for (std::size_t i = 1; i <= actuators; ++i) look_at(std::to_string(i) + quantity);
  for (std::size_t i = 1; i <= load_cells; ++i) look_at("load cell " + std::to_string(i));
  return without;
}

std::vector<std::string> uncalibrated_of_contract(const std::string& contract) {
  bool real = false;
  std::size_t actuators = 0;
  std::size_t load_cells = 0;
  for (const auto& [key, value] : parse_contract_lines(contract)) {
    if (key == "site.real_equipment") real = value == "yes";
    if (key.starts_with("actuators[") && key.ends_with("].name")) ++actuators;
    // A test reads one load cell per force-only DOF, the first ones of the rig.
    if (key.starts_with("interface[") && key.ends_with("].role"))
      load_cells += value == "force-only" ? 1 : 0;
  }
  if (!real) return {};
  return uncalibrated_channels(read_calibrations(parse_site_entries(contract)), actuators,
                               load_cells);
}

std::vector<std::string> calibration_changes(const std::string& site,
                                             const std::vector<ChannelCalibration>& before,
                                             const std::vector<ChannelCalibration>& after) {
  std::vector<std::string> sentences;
  for (const ChannelCalibration& old : before) {
    const std::string channel = site + " " + old.channel + ": ";
    const ChannelCalibration* const now = find_channel(after, old.channel);
    if (now == nullptr) {
      sentences.push_back(channel + "no calibration is stated, there was one" +
                          in_brackets(device_text(old)));
      continue;
    }
    for (const char* name : kCalibrationFacts)
      if (old.fact(name) != now->fact(name))
        sentences.push_back(channel + name + " is " + or_nothing(now->fact(name)) +
                            ", was " + or_nothing(old.fact(name)));
  }
  for (const ChannelCalibration& now : after)
    if (find_channel(before, now.channel) == nullptr)
      sentences.push_back(site + " " + now.channel +
                          ": a calibration is stated, there was none" +
                          in_brackets(device_text(now)));
  return sentences;
}

}  // namespace trestle::session
