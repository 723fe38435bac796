#pragma once

#include <Eigen/Core>
#include <stdexcept>
#include <string>

#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// A static load that the structure cannot carry.
class NoEquilibrium : public std::runtime_error {
 public:
  NoEquilibrium(double factor, int equation, double residual, const std::string& what)
      : std::runtime_error(what),
        factor_(factor),
        equation_(equation),
        residual_(residual) {}

  double factor() const noexcept { return factor_; }      ///< part of the load reached
  int equation() const noexcept { return equation_; }     ///< with the largest residual
  double residual() const noexcept { return residual_; }  ///< there [N | N·m]

 private:
  double factor_;
  int equation_;
  double residual_;
};

/// Finds d with f(d) + K_e·d = p, at rest: numerical part, nonlinear springs, and the
/// specimens by their initial stiffness. The load grows in equal increments; each is found
/// by Newton's method and committed to the springs' laws, which must be at rest before.
///
/// An increment has settled if the last correction is at most 1e-13 m (rad), or if it is
/// below 1e-9 of the displacement and no longer falls: rounding. At most 100 corrections.
/// @throws NoEquilibrium if an increment does not settle, or the tangent is not positive
///         definite
Eigen::VectorXd static_equilibrium(const structure::StructuralModel& structure,
                                   const Eigen::VectorXd& load, int increments);

}  // namespace trestle::integration
