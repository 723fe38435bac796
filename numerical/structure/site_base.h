#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "numerical/structure/structural_model.h"

namespace trestle::structure {

/// What a specimen stands on while supports move each by itself.
struct SiteBase {
  std::vector<int> rows;      ///< of held DOFs; empty: the ground
  Eigen::MatrixXd influence;  ///< motion of its interface DOFs as each of them moves by one
};

/// The specimen follows its support as a rigid body: what its interface moves by beside
/// that bends it.
/// @param equations  of its interface DOFs
/// @param support    a node that supports hold
/// @returns no rows if none of the node's DOFs is held
/// @pre structure.influence is stated
SiteBase site_base(const StructuralModel& structure, const std::vector<int>& equations,
                   const std::string& support);

}  // namespace trestle::structure
