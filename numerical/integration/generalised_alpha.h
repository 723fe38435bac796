#pragma once

namespace trestle::integration {

/// Weights of the generalised-alpha method: those of inertia and of all other forces at the
/// end of a step, and Newmark's β and γ.
struct GeneralisedAlpha {
  double inertia = 1.0;  ///< α_I
  double force = 1.0;    ///< α_F
  double beta = 0.25;
  double gamma = 0.5;

  /// Chung and Hulbert (1993). At 1: Newmark's method, whose equation of motion holds at
  /// the end of each step.
  /// @param rho_infinity  spectral radius at infinite frequency, 0 to 1
  /// @param scheme        that errors name
  /// @throws std::invalid_argument outside
  static GeneralisedAlpha by_radius(double rho_infinity, const char* scheme = "implicit");
  /// Hilber, Hughes and Taylor (1977).
  /// @param alpha  -1/3 to 0
  /// @throws std::invalid_argument outside
  static GeneralisedAlpha by_alpha(double alpha);

  bool newmark() const noexcept { return inertia == 1.0 && force == 1.0; }
};

}  // namespace trestle::integration
