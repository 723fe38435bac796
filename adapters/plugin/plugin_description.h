#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "adapters/plugin/site_adapter_abi.h"
#include "core/ports/site_adapter.h"

namespace trestle::plugin {

/// An auxiliary channel that the site itself looks at: its place among the rig's extra
/// channels, and the factor from its unit to SI.
struct ReportedValue {
  std::size_t place = 0;
  double unit = 1.0;
};

/// The description of the rig by its plug-in, as the program understands it.
struct PluginDescription {
  RigDescription rig;
  trestle_rig_capabilities capabilities{};
  std::vector<ReportedValue> drives;  ///< one per actuator; empty: it reports none
  /// Accelerations of the interface DOFs, channels `acceleration_1`, `acceleration_2`, …;
  /// empty: none.
  std::vector<ReportedValue> accelerations{};
  std::uint32_t inputs = 0;   ///< digital; the last ones of `rig.extra`
  std::uint32_t outputs = 0;  ///< digital
};

/// Queries the plug-in.
/// @param path  of the adapter in the configuration
/// @throws SettingError  if its answers are invalid: numbers out of range, flags other than
///         0 and 1, texts without an end
PluginDescription describe(const trestle_adapter_v1& table, void* rig,
                           const std::string& file, const std::string& path);

}  // namespace trestle::plugin
