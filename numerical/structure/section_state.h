#pragma once

#include <string>
#include <vector>

namespace trestle::structure {

/// What a fibre has, tension positive.
struct FibreState {
  double strain = 0.0;
  double stress = 0.0;  ///< [Pa]
};

/// What a section of fibres has, at a place along its member: ε = strain − y·curvature.
struct SectionState {
  double strain = 0.0;              ///< at y = 0, tension positive
  double curvature = 0.0;           ///< [1/m]
  double force = 0.0;               ///< N, tension positive [N]
  double moment = 0.0;              ///< M, positive as the curvature [N·m]
  std::vector<FibreState> named{};  ///< those that have a name
};

/// The sections along a member at the latest trial, from its start.
struct MemberSections {
  std::vector<SectionState> states{};
  std::vector<std::string> names{};  ///< of the named fibres of each
};

}  // namespace trestle::structure
