#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/math/elimination.h"

namespace trestle::integration {

/// Springs that move each other, and the room to solve for them.
struct SpringPart {
  std::vector<Eigen::Index> springs;  ///< ascending
  math::RowMajorMatrix jacobian;
  Eigen::VectorXd change;  ///< of their unknowns
};

/// Of S_ij over the root of S_ii·S_jj: below it two springs are of different parts.
inline constexpr double kSpringCoupling = 1e-12;

/// Divides springs into parts, in the order of their first springs.
/// @param compliance  S, elongation per force [m/N | rad/(N·m)]; what couples two parts is
///                    set to zero
/// @param partners    the spring that a law of two directions shares; -1: none
std::vector<SpringPart> divide_springs(Eigen::MatrixXd& compliance,
                                       const std::vector<Eigen::Index>& partners);

}  // namespace trestle::integration
