#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "numerical/bridge/command_preview.h"
#include "numerical/bridge/spline_profile.h"

namespace trestle::config {
class Test;
}  // namespace trestle::config

namespace trestle::composition {

/// The report of `trestle check` about a bridge with vehicles.
struct BridgeReport {
  struct Span {
    double length = 0.0;      ///< [m]
    double deflection = 0.0;  ///< at midspan under `weight` standing there [m]
  };
  std::vector<Span> spans;
  int modes = 0;
  std::string form;                 ///< "sine modes", "finite elements"
  std::vector<double> frequencies;  ///< the lowest that differ [Hz]
  std::vector<double> ratios;       ///< their damping
  double highest = 0.0;             ///< frequency of a mode [Hz]
  double weight = 0.0;              ///< of the heaviest wheel [N]
  double total_weight = 0.0;        ///< of all vehicles [N]
  int wheels = 0;
  double length = 0.0;     ///< from the first wheel to the last [m]
  double on_bridge = 0.0;  ///< from the first wheel's arrival to the last one's leaving [s]
  double roughness = 0.0;  ///< largest irregularity under a wheel [m]
  std::int64_t steps = 0;
  double duration = 0.0;  ///< [s], the laboratory's
  /// Largest amplification of the loop with wheels standing at midspan and perfect rigs,
  /// and where; below one the loop is stable however late the rigs are. NaN: not known.
  double loop_gain = 0.0;
  double loop_frequency = 0.0;  ///< [Hz]
};

enum class BridgeSolution : std::uint8_t {
  kHybrid,     ///< physical wheels are the interface DOFs of sites
  kUndivided,  ///< the sites' specimens are vehicles of the model
};

/// Makes the bridge of a test with its train.
/// @param transfers  of each site's DOFs one after another, in laboratory time, for the
///                   preview; empty, or an empty function: not known
/// @param report     filled if given
/// @param checks     of a measured track
/// @throws SettingError with all problems that can be told at once
std::unique_ptr<NumericalSubstructure> make_bridge(
    const config::Test& test, BridgeSolution solution,
    const std::vector<bridge::TransferResponse>& transfers, BridgeReport* report,
    bridge::ProfileChecks checks = bridge::ProfileChecks::kAll);

}  // namespace trestle::composition
