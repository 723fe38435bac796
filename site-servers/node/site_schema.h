#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/closing_columns.h"
#include "core/record/drive_columns.h"
#include "core/record/site_step_columns.h"
#include "core/record/target_columns.h"
#include "core/record/tick_columns.h"
#include "core/types/interface_layout.h"
#include "core/types/message.h"
#include "core/types/record.h"

namespace trestle::site_node {

/// The streams of a site's record of one session, and the columns of each.
struct SiteSchema {
  /// @param extra  what the rig measures besides
  SiteSchema(const std::string& name, const InterfaceLayout& layout,
             const std::vector<ActuatorDescription>& actuators, const Channels& extra)
      : site(name),
        target(name, layout),
        step(name, layout, actuators),
        closing(name, actuators),
        tick(name, actuators, extra) {}

  /// Adds the drives of real equipment to the record.
  void add_drives(const std::vector<ActuatorDescription>& actuators) {
    drive.emplace(site, actuators);
  }

  std::string site;                           ///< its name
  record::TargetColumns target;               ///< `intent`
  record::SiteStepColumns step;               ///< `result`
  record::ClosingColumns closing;             ///< `closing`
  record::TickColumns tick;                   ///< `tick`
  std::optional<record::DriveColumns> drive;  ///< `drive`; empty: none is kept
};

}  // namespace trestle::site_node
