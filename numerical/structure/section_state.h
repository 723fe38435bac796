#pragma once

#include <string>
#include <vector>

namespace trestle::structure {

/// What a fibre has, tension positive.
struct FibreState {
  double strain = 0.0;
  double stress = 0.0;  ///< [Pa]
};

/// What a section of fibres has, at a place along its member:
/// ε = strain − y·curvature + z·curvature_y.
struct SectionState {
  double strain = 0.0;              ///< at y = 0, tension positive
  double curvature = 0.0;           ///< about local z [1/m]
  double force = 0.0;               ///< N, tension positive [N]
  double moment = 0.0;              ///< M, positive as the curvature [N·m]
  double curvature_y = 0.0;         ///< of a spatial member, about local y [1/m]
  double moment_y = 0.0;            ///< of a spatial member, about local y [N·m]
  bool softened = false;            ///< since the beginning, once: section_softening.h
  std::vector<FibreState> named{};  ///< those that have a name
};

/// The sections along a member at the latest trial, from its start.
struct MemberSections {
  std::vector<SectionState> states{};
  std::vector<std::string> names{};  ///< of the named fibres of each
  bool spatial = false;              ///< bent about local y as well
};

}  // namespace trestle::structure
