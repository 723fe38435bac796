#pragma once

#include <Eigen/Core>

#include "core/ports/loading_frame.h"
#include "core/ports/row_sink.h"
#include "core/ports/site_adapter.h"
#include "core/types/interface_layout.h"
#include "core/types/limits.h"
#include "site-servers/safety/safe_action.h"

namespace trestle {

struct ControlLoopSettings {
  InterfaceLayout layout = {};  ///< with the limits that hold; controlled DOFs first
  double time_step = 0.0;       ///< Δt, as long as its ticks take together [s], > 0
  int ticks_per_step = 1;       ///< >= 1
  RigLimits limits = {};        ///< that hold; empty: none
  double ramp_duration = 1.0;   ///< shortest ramp to the safe position [s]
  int record_every = 1;         ///< keep every n-th control tick, >= 1
  SafeAction safe_action = {};  ///< after a fault
  /// Takes a row of DriveColumns before each drive is written, so that a later life of
  /// the site knows what the rig was given last; null: none.
  RowSink* drives = nullptr;
  /// Whose inertia the answers leave out, one row per DOF of the layout; size zero: none.
  Eigen::MatrixXd specimen_mass = {};
  bool inertia_measured = false;  ///< by the rig's accelerometers, not by the path
};

/// @throws SettingError  where sizes or limits do not fit
const ControlLoopSettings& checked(const ControlLoopSettings& settings,
                                   const LoadingFrame& frame);

/// Of force-only DOFs. @throws SettingError  where the rig has not that many load cells
Eigen::Index checked_reactions(const InterfaceLayout& layout, const SiteAdapter& adapter);

/// No limits stated are limits that are infinite. @throws SettingError  for another number
RigLimits complete(const RigLimits& limits, int actuators);

}  // namespace trestle
