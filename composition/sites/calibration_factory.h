#pragma once

#include <google/protobuf/repeated_field.h>

#include <string>
#include <vector>

#include "core/ports/site_adapter.h"
#include "core/session/calibration.h"

namespace trestle::config {
class Calibration;
}  // namespace trestle::config

namespace trestle::composition {

using CalibrationMessages = google::protobuf::RepeatedPtrField<config::Calibration>;

/// Reads the calibrations of a site's measuring channels.
/// @param actuators  of the rig; `N.displacement` and `N.force` must be of one of them
/// @param path       of the list in the configuration
/// @throws SettingError with everything that is wrong: a channel twice, without a fact, or
///         of an actuator that is not there; no day of the calendar; texts that are too
///         long
std::vector<session::ChannelCalibration> make_calibrations(
    const CalibrationMessages& messages, int actuators, const std::string& path);

/// Requires that the rig has each channel.
/// @param stated  facts of the site's contracts, with its calibrations among them
/// @param path    of the list in the configuration
/// @throws SettingError
void require_known_channels(const session::ContractEntries& stated,
                            const RigDescription& rig, const std::string& path);

}  // namespace trestle::composition
