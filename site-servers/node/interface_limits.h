#pragma once

#include <string>
#include <string_view>

#include "core/types/interface_layout.h"

namespace trestle::site_node {

/// Finds a DOF by the name that a limit uses: in full (`floor_w.x`), or its last part (`x`)
/// where only one DOF of the layout ends so. Force-only DOFs have no target to limit.
///
/// @param path  of the limit in the configuration, for the message
/// @returns     place in the layout; its `kind` decides which unit the limit must have
/// @throws SettingError  with the nearest name if none fits, or with all names if the short
///                       name fits several
int find_dof(const InterfaceLayout& layout, std::string_view name, const std::string& path);

}  // namespace trestle::site_node
