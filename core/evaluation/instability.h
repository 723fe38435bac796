#pragma once

#include <span>

#include "core/evaluation/criteria.h"
#include "core/evaluation/run_history.h"

namespace trestle::evaluation {

/// Returns true if a signal ends in an oscillation that grows at a steady rate, as an
/// unstable linear loop does: the last ten half cycles are each larger than the one before,
/// by a ratio that neither scatters nor falls. Resonance grows by ever smaller ratios, and
/// an earthquake's beginning by scattered ones.
bool grows_steadily(std::span<const double> signal);

/// Returns true if a run that a limit ended shows an instability: a target or a measured
/// motion grows steadily, or an actuator ends further from its target than any target of
/// the run was from zero. False means that none was detected.
bool shows_instability(const RunHistory& history, const CriteriaColumns& columns);

/// Returns true if a drive that the displacement limit refused is far beyond all targets of
/// its actuator: its control ran away, in fewer steps than a motion shows.
bool ran_away(std::span<const double> targets, double drive);

}  // namespace trestle::evaluation
