#pragma once

#include <Eigen/Core>

#include "core/math/state_space.h"

namespace trestle::controllers {

/// The plant with its tracking error, in rates: Y = (e, Ẋ) with e = y_ac − y_m obeys
///
///   Ẏ = A* Y + B* ẏ_c + E ẏ_ac,   A* = [0 −C; 0 A],  B* = [0; B],  E = [I; 0].
struct ErrorPlant {
  Eigen::MatrixXd A;  ///< A*. NOLINT(readability-identifier-naming): symbols of the field
  Eigen::MatrixXd B;  ///< B*. NOLINT(readability-identifier-naming)
};

/// @pre sizes_fit(plant), D = 0, as many inputs as outputs
ErrorPlant error_plant(const math::StateSpace& plant);

/// S = P Y = 0: the surface on which ∫ Yᵀ Q Y dt is least.
///
/// B* = [B1; B2], its last r rows B2 not singular; the states are permuted for that. With
/// Γ = [I, −B1 B2⁻¹; 0, I], η = Γ Y the drive acts on η2 alone, so η2 is a free input of
///
///   η̇1 = Â11 η1 + Â12 η2,   Â = Γ A* Γ⁻¹,   cost ∫ ηᵀ T η dt,   T = Γ⁻ᵀ Q Γ⁻¹.
///
/// The maximum principle with ℋ = ηᵀ T η + λᵀ (Â11 η1 + Â12 η2) gives
///
///   ∂ℋ/∂η2 = 0:    η2 = −½ T22⁻¹ (2 T21 η1 + Â12ᵀ λ),
///   λ̇ = −∂ℋ/∂η1:  λ̇ = −Â11ᵀ λ − 2 T11 η1 − 2 T12 η2,
///
/// and λ = H η1 turns these into
///
///   P̂1 = ½ T22⁻¹ (Â12ᵀ H + 2 T21),
///   Āᵀ H + H Ā − ½ H Â12 T22⁻¹ Â12ᵀ H = −2 (T11 − T12 T22⁻¹ T21),
///   Ā = Â11 − Â12 T22⁻¹ T21,
///
/// so H is twice the solution of the usual Riccati equation. P = [P̂1, I] Γ, and the motion
/// on the surface has the poles of Â11 − Â12 P̂1.
struct SlidingSurface {
  Eigen::MatrixXd normal;  ///< P, r × (r + n)
  Eigen::MatrixXd entry;   ///< P B* = B2, r × r
};

/// @param plant   D = 0, as many inputs as outputs, r
/// @param weight  Q of Y, symmetric, positive semidefinite, (r + n) × (r + n)
/// @throws SettingError at `plant.model` if the drives do not act on r states, at
///         `surface_weight` if T22 = (B1 B2⁻¹; I)ᵀ Q (B1 B2⁻¹; I) is not positive definite
SlidingSurface design_sliding_surface(const math::StateSpace& plant,
                                      const Eigen::MatrixXd& weight);

/// F of ẏ_c = −F Y, F = (P B*)⁻¹ P A* + δ χᵀ with χ = Pᵀ P B*. With it Ṡ = −δ B2 B2ᵀ S +
/// P E ẏ_ac, and V = ½ SᵀS obeys V̇ = −δ |χᵀ Y|² + Sᵀ P E ẏ_ac.
/// @param tolerance  δ > 0
Eigen::MatrixXd sliding_feedback(const math::StateSpace& plant,
                                 const SlidingSurface& surface, double tolerance);

/// Returns the fastest approach to the surface, δ λmax(B2 B2ᵀ) [1/s]; a sampled controller
/// needs it below 2/tick.
double fastest_approach(const SlidingSurface& surface, double tolerance);

/// Returns T of the states T·X in which the drives act on r states alone, one each, with B2
/// = I: S is then a motion, in the units of the drives, whatever states the plant was given
/// in.
/// @throws SettingError at `plant.model` if the drives do not act on r states
Eigen::MatrixXd drive_coordinates(const math::StateSpace& plant);

}  // namespace trestle::controllers
