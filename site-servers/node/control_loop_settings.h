#pragma once

#include <Eigen/Core>

#include "core/ports/loading_frame.h"
#include "core/ports/row_sink.h"
#include "core/ports/site_adapter.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"
#include "site-servers/safety/safe_action.h"

namespace trestle::site_node {

struct ControlLoopSettings {
  InterfaceLayout layout = {};       ///< with the limits that hold; controlled DOFs first
  double time_step = 0.0;            ///< Δt, as long as its ticks take together [s], > 0
  int ticks_per_step = 1;            ///< >= 1
  RigLimits limits = {};             ///< that hold; empty: none
  double ramp_duration = 1.0;        ///< shortest ramp to the safe position [s]
  int record_every = 1;              ///< keep every n-th control tick, >= 1
  bool record_coefficients = false;  ///< of the compensator, in the rows of the ticks
  safety::SafeAction safe_action = {};  ///< after a fault
  /// Receives a row of DriveColumns before each drive is written, so that the site knows
  /// its last drive after a restart; null: none.
  RowSink* drives = nullptr;
  /// The mass whose inertia the responses exclude, one row per DOF of the layout; size
  /// zero: none.
  Eigen::MatrixXd specimen_mass = {};
  bool inertia_measured = false;  ///< by the rig's accelerometers, not by the path
};

/// @throws SettingError  if sizes or limits do not fit
const ControlLoopSettings& checked(const ControlLoopSettings& settings,
                                   const LoadingFrame& frame);

/// Returns the number of force-only DOFs. @throws SettingError  if the rig has fewer load
/// cells
Eigen::Index checked_reactions(const InterfaceLayout& layout, const SiteAdapter& adapter);

/// No limits stated are limits that are infinite. @throws SettingError  for another number
RigLimits complete(const RigLimits& limits, int actuators);

}  // namespace trestle::site_node
