#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/session/session_contract.h"

namespace trestle::session {

/// The past of one measuring channel of a rig, as its papers state it. Nothing is computed
/// from it; both ends carry it in the contract.
struct ChannelCalibration {
  std::string channel;  ///< "1.force": the actuator's number; "load cell 1"; "oil"
  /// Names of kCalibrationFacts that are stated, in that order, and their texts.
  ContractEntries facts;

  /// Returns the text of a fact; empty: not stated.
  std::string fact(std::string_view name) const;
  bool operator==(const ChannelCalibration&) const = default;
};

/// The facts of a channel, as in the contract (unit behind the name) and in exports.
inline constexpr const char* kCalibrationFacts[] = {
    "sensor",      "serial", "factor",     "done",   "due",        "by",
    "certificate", "range",  "resolution", "filter", "sampling_Hz"};

/// Returns the facts of the contract: {"calibration.1.force.serial", "4711"}.
ContractEntries calibration_entries(const std::vector<ChannelCalibration>& channels);

/// Returns the channels of calibration_entries() among other facts, in their order.
std::vector<ChannelCalibration> read_calibrations(const ContractEntries& stated);

/// Returns true for a day of the calendar as 2026-10-30. Days compare as texts.
bool is_calendar_day(std::string_view text);

/// Returns a sentence for each channel whose calibration has expired.
/// @param today  as 2026-10-30; a calibration is valid on its last day
std::vector<std::string> expired_calibrations(
    const std::string& site, const std::vector<ChannelCalibration>& channels,
    std::string_view today);

/// The same of the facts of a site, by the system's clock (UTC).
std::vector<std::string> expired_today(const std::string& site,
                                       const ContractEntries& stated);

/// Returns the channels of actuators and load cells without a calibration:
/// "1.displacement", "2.force", "load cell 1".
/// @param load_cells  at force-only DOFs: RigDescription::reactions
std::vector<std::string> uncalibrated_channels(
    const std::vector<ChannelCalibration>& channels, std::size_t actuators,
    std::size_t load_cells);

/// The same of a session contract, with the load cells that its test reads. A simulated rig
/// misses none.
std::vector<std::string> uncalibrated_of_contract(const std::string& contract);

/// Returns a sentence for each fact of a site that differs between two records: "west
/// 1.force: serial is 4712, was 4711".
std::vector<std::string> calibration_changes(const std::string& site,
                                             const std::vector<ChannelCalibration>& before,
                                             const std::vector<ChannelCalibration>& after);

}  // namespace trestle::session
