#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numerical/excitation/excitation.h"
#include "numerical/excitation/support_history.h"
#include "numerical/structure/structural_model.h"

namespace trestle::config {
class Excitation;
}

namespace trestle::composition {

/// A motion of supports before it is sampled.
struct SupportCase {
  std::vector<int> rows;  ///< of held DOFs
  excitation::SupportHistory history;
  double start = 0.0;  ///< [s]
};

/// @param path  of `excitation`, for errors
/// @throws SettingError with all problems: a DOF that no support holds, one that moves
///         twice, a law at a moving support, modal damping, files that cannot be read
std::vector<SupportCase> make_support_cases(const config::Excitation& excitation,
                                            const structure::StructuralModel& structure,
                                            const std::string& path);

/// Where all supports move alike, a specimen stands on any of them.
/// @returns the node that stands for all: in each direction that moves, all supports that
///          hold it move by one motion, and this node holds it; nothing: they differ, or
///          one of several turns
std::optional<std::string> common_support(const config::Excitation& excitation,
                                          const structure::StructuralModel& structure);

/// Puts the specimens that name no support on the common one, if there is one.
void use_common_support(const config::Excitation& excitation,
                        const structure::StructuralModel& structure,
                        std::vector<structure::ExperimentalPart>& parts);

/// @returns the motion at each step, and its load per unit
excitation::SupportMotion sampled(const SupportCase& support,
                                  const structure::StructuralModel& structure,
                                  double time_step, std::int64_t steps);

}  // namespace trestle::composition
