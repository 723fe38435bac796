#pragma once

#include <string>

#include "observe/export/number_table.h"
#include "studies/pushover/pushover.h"

namespace trestle::pushover {

/// `<dof>.disp_m`, `factor`, `base.shear_N`, and per DOF of a specimen
/// `<site>.<dof>.disp_m` and `.force_N` (`_rad`, `_Nm`).
exports::NumberTable pushover_table(const PushoverCurve& curve);

/// Base shear over displacement, and the forces of the specimens over theirs, as SVG.
std::string pushover_svg(const PushoverCurve& curve);

/// A few states as a table, the largest values of each specimen, and why it ended.
std::string pushover_text(const PushoverCurve& curve);
std::string pushover_json(const PushoverCurve& curve);

}  // namespace trestle::pushover
