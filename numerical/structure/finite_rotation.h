#pragma once

#include <Eigen/Core>

namespace trestle::structure {

/// Finite rotations by rotation vectors θ: a turn by |θ| [rad] about θ. A spin δw turns a
/// rotation R = exp(θ×) by δR = δw×R; it is δw = S(θ)·δθ. Formulas: Cardona & Géradin
/// 1988; Battini & Pacoste 2002. None of these allocates.

/// θ×: skew(a)·b is the vector product of a and b.
Eigen::Matrix3d skew(const Eigen::Vector3d& vector) noexcept;

/// exp(θ×).
Eigen::Matrix3d rotation_matrix(const Eigen::Vector3d& vector) noexcept;

/// The vector of a rotation, within half a turn.
Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& rotation) noexcept;

/// S(θ). Singular at whole turns other than none.
Eigen::Matrix3d spin_by_vector(const Eigen::Vector3d& vector) noexcept;

/// S⁻¹(θ). Not finite at whole turns other than none.
Eigen::Matrix3d vector_by_spin(const Eigen::Vector3d& vector) noexcept;

/// Derivative of Sᵀ(θ)·m by θ at a constant m.
Eigen::Matrix3d derivative_of_spin(const Eigen::Vector3d& vector,
                                   const Eigen::Vector3d& moment) noexcept;

/// Derivative of S⁻ᵀ(θ)·m by θ at a constant m.
Eigen::Matrix3d derivative_of_inverse_spin(const Eigen::Vector3d& vector,
                                           const Eigen::Vector3d& moment) noexcept;

}  // namespace trestle::structure
