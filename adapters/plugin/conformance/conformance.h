#pragma once

#include <functional>
#include <string>
#include <vector>

#include "adapters/plugin/site_adapter_abi.h"
#include "core/ports/clock.h"

namespace trestle::conformance {

/// kRefused: it was asked for, and would not have been safe.
enum class RuleResult { kPassed, kFailed, kSkipped, kRefused };

/// The result for one rule of site_adapter_abi.h.
struct RuleOutcome {
  std::string rule;  ///< its number there: "R11"
  std::string what;  ///< subject of the check
  RuleResult verdict = RuleResult::kPassed;
  std::string detail;  ///< finding; empty: none
};

struct ConformanceSettings {
  std::string file;         ///< the shared object
  std::string settings;     ///< for the plug-in: lines `path: value`
  double tick = 0.0;        ///< [s]; 0: the shortest that the plug-in allows
  int ticks = 2000;         ///< of each run, at least 10
  double amplitude = 1e-3;  ///< of the drive of a simulated rig [m | rad]
  /// Also writes to real equipment: the drive that it reports as in force at the first
  /// read. Otherwise, and if it reports none, it is only read.
  bool write_to_real = false;
  /// Called once it is known whether the rig is real equipment; may be empty.
  std::function<void(bool real_equipment)> described = {};
  /// Functions that reach the plug-in in another process; null: it runs in this one.
  const trestle_adapter_v1* through = nullptr;
};

/// Looks at every rule of site_adapter_abi.h that can be looked at, in its order.
/// @param clock  the wall's: real equipment is ticked by it
/// @throws SettingError  if the plug-in cannot be loaded or opened at all
std::vector<RuleOutcome> check_conformance(const ConformanceSettings& settings,
                                           Clock& clock);

}  // namespace trestle::conformance
