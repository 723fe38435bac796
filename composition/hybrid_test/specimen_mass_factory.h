#pragma once

#include <string>
#include <vector>

#include "core/ports/specimen_model.h"
#include "numerical/structure/structural_model.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {

/// Fills what the integrator owns of a site's specimen
/// (docs/explanation/execution-modes.md): the mass that is declared, by the site or by its
/// specimen, and the damping that the answers miss in this mode; and leaves in `part.mass`
/// and `part.damping` what the answers contain besides. Bridges and bond graphs know their
/// specimens otherwise: nothing is owned there.
/// @param specimen  null: not known
/// @param part      with stiffness, damping and mass as the interface feels them
/// @throws SettingError if a declared matrix has another size, or is none of a mass
void own_inertia(const config::Test& test, int index, const SpecimenModel* specimen,
                 structure::ExperimentalPart& part);

/// The mass whose inertia the site's answers leave out, row by row; empty: none, or the
/// specimen rests when it is read. Complains of nothing.
std::vector<double> mass_left_out(const config::Test& test, int index);

/// Accelerometers tell the acceleration of that mass.
bool inertia_is_measured(const config::Site& site) noexcept;

/// Returns the notes of `trestle check` about the specimens' masses, a sentence each.
std::vector<std::string> specimen_mass_notes(const config::Test& test);

}  // namespace trestle::composition
