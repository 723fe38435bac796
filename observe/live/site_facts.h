#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trestle::live {

/// What a session contract states of a site besides its actuators.
struct SiteFacts {
  bool real_equipment = false;
  bool twin = false;               ///< it stands for a laboratory that is not connected
  std::string specimen;            ///< its id; empty: not stated
  bool hardware_watchdog = false;  ///< a device stops the rig if the program dies
  std::string calibrated_until;    ///< earliest `due`, as 2027-10-30; empty: none is stated
  std::vector<std::string> expired;       ///< channels whose `due` is before the test
  std::vector<std::string> uncalibrated;  ///< of real equipment: "1.force"
  /// Where a limit is written, "site_west.yaml:12", by its path "actuators[0].force".
  std::map<std::string, std::string> limit_origins;
};

/// Reads the facts of a contract; of a text that is no contract, none.
/// @param begun    day of the test, as 2026-11-27; empty: no calibration has expired
/// @param origins  meta_key::kLimitOriginsOf of the site; empty: not recorded
SiteFacts read_site_facts(const std::string& contract, std::string_view begun,
                          const std::string& origins = {});

}  // namespace trestle::live
