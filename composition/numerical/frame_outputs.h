#pragma once

#include <string>
#include <vector>

#include "numerical/structure/structural_model.h"
#include "numerical/substructure/storey_record.h"
#include "numerical/substructure/support_record.h"

namespace trestle::config {
class Test;
}

namespace trestle::composition {

/// What `recording` asks of a frame beside motions and member forces.
struct FrameOutputs {
  substructure::SupportRecord::Settings supports;
  std::vector<substructure::StoreyDirection> storeys;
  std::vector<std::string> links;
  std::vector<std::string> members{};   ///< whose end forces are recorded
  std::vector<std::string> sections{};  ///< members of fibres
};

/// @param parts  the specimens, in the order of the test
/// @throws SettingError with all problems: unknown nodes, a reaction of a free node, a
///         storey that is not found, without height or on no level
FrameOutputs make_frame_outputs(const config::Test& test,
                                const structure::StructuralModel& structure,
                                const std::vector<structure::ExperimentalPart>& parts);

}  // namespace trestle::composition
