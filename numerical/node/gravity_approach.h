#pragma once

#include <span>
#include <string>

#include "core/ports/numerical_substructure.h"
#include "numerical/node/integrator_settings.h"

/// Sentences for the record of a test with `gravity: apply` at a site. Step 0 takes the
/// specimens of these sites from their zero to the state under gravity, before the
/// excitation begins: it is a step as any other, so that it can be held, resumed and
/// answered again, and its answer is the opening read of the test.
namespace trestle::integrator_node::gravity_approach {

inline constexpr const char* kEvent = "approach";  ///< kind of the events

/// Returns true if step 0 takes a specimen to the state under gravity.
bool is_asked(const IntegratorSettings& settings) noexcept;

/// Returns how far these specimens go: "site lab goes to tip.y -46.28 mm".
/// @param targets  of step 0, one per site
std::string way(const IntegratorSettings& settings, std::span<const SiteTarget> targets);

/// Returns where they are, and the forces there: "site lab at tip.y -46.28 mm, -9.256 kN".
/// @param answers  to step 0, one per site
std::string arrival(const IntegratorSettings& settings,
                    std::span<const SiteResponse> answers);

}  // namespace trestle::integrator_node::gravity_approach
