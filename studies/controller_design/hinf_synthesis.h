#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "core/math/state_space.h"

namespace trestle::controller_design {

/// A plant with what disturbs it and what is judged:
///
///   dx/dt = A x + B₁ w + B₂ u,   z = C₁ x + D₁₁ w + D₁₂ u,   v = C₂ x + D₂₁ w + D₂₂ u,
///
/// w the disturbances, z what shall stay small, v what the controller sees, u its output.
struct GeneralisedPlant {
  Eigen::MatrixXd A;    // NOLINT(readability-identifier-naming): the symbols of the field
  Eigen::MatrixXd B1;   // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd B2;   // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C1;   // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C2;   // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D11;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D12;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D21;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd D22;  // NOLINT(readability-identifier-naming)
};

struct HinfSettings {
  double excess = 1.02;     ///< the controller's level over the least one, > 1
  double tolerance = 1e-4;  ///< of the least level, relative
  double most_level = 1e6;  ///< gives up above
};

struct HinfController {
  math::StateSpace controller;  ///< u = K v
  double least_level = 0.0;     ///< γ below which no controller is admissible
  double level = 0.0;           ///< γ of this one: its loop has a norm below
  double worst_residual = 0.0;  ///< of the two Riccati equations, relative
};

/// The controller K that keeps the H∞ norm from w to z below nearly the least level γ that
/// any stabilising controller can reach: the central controller of two Riccati equations
/// (Glover and Doyle 1988, doi:10.1016/0167-6911(88)90055-2; the formulae as in Zhou, Doyle
/// and Glover 1996, Robust and Optimal Control, chapter 17), γ by bisection. D₁₂ and D₂₁
/// are brought to [0; I] and [0 I] by orthogonal transformations of z and w and a change of
/// u and v, D₂₂ is taken into the controller.
///
/// A level is admissible if it exceeds the parts of D₁₁ that no controller moves, both
/// Hamiltonians have no eigenvalue on the imaginary axis, X and Y are positive semidefinite
/// and ρ(X Y) < γ². At the least level I − Y X/γ² is singular: `excess` stays clear of it.
/// Set-up only.
///
/// @param path  of the design, for the error
/// @throws SettingError(path) if D₁₂ has no full column rank or D₂₁ no full row rank, or no
///         level below the most is admissible: then a mode cannot be stabilised or seen, or
///         a zero or pole lies on the imaginary axis
HinfController synthesise_hinf(const GeneralisedPlant& plant, const HinfSettings& settings,
                               const std::string& path);

/// The central controller for one level. @returns nothing if the level is not admissible
/// @throws SettingError(path) as synthesise_hinf()
std::optional<HinfController> central_controller(const GeneralisedPlant& plant,
                                                 double level, const std::string& path);

/// The system from w to z with u = K v.
/// @pre I − D₂₂·D_K is not singular
math::StateSpace closed_loop(const GeneralisedPlant& plant,
                             const math::StateSpace& controller);

}  // namespace trestle::controller_design
