#pragma once

#include <vector>

#include "numerical/structure/structural_model.h"
#include "numerical/substructure/output_record.h"

namespace trestle::config {
class Test;
}

namespace trestle::composition {

/// What `recording` asks of a frame beside motions.
/// @param parts  the specimens, in the order of the test
/// @throws SettingError with all problems: unknown nodes, a reaction of a free node, a
///         storey that is not found, without height or on no level
substructure::OutputSettings make_frame_outputs(
    const config::Test& test, const structure::StructuralModel& structure,
    const std::vector<structure::ExperimentalPart>& parts);

}  // namespace trestle::composition
