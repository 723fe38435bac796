#pragma once

#include <Eigen/Core>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "numerical/integration/cholesky_factor.h"
#include "numerical/integration/member_forces.h"
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

/// Newton's method for a structure at rest, step by step: each state that is found is
/// committed to the laws of springs and members. Before the first these are at rest, or
/// where a state was committed.
///
/// A step has settled if the last correction is at most 1e-13 m (rad), or if it is below
/// 1e-9 of the displacement and no longer falls: rounding. At most 100 corrections.
class StaticNewton {
 public:
  /// @param structure  must outlive this
  explicit StaticNewton(const structure::StructuralModel& structure);
  /// @param displacement  that its laws have been committed at
  StaticNewton(const structure::StructuralModel& structure,
               const Eigen::VectorXd& displacement);

  /// Finds the equilibrium with a load.
  /// @param factor  of the whole load, for errors
  /// @throws NoEquilibrium if it does not settle, or the tangent is not positive definite
  void reach(const Eigen::VectorXd& load, double factor);

  /// Finds the factor of a pattern of loads, beside a constant load, at which an equation
  /// has a given displacement: also beyond the largest load, where the factor falls.
  /// @param factor  of the last state; set to that of this one
  /// @throws NoEquilibrium if it does not settle, or if the tangent is singular and the
  ///         pattern does not move the equation
  void push(const Eigen::VectorXd& constant, const Eigen::VectorXd& pattern, int equation,
            double displacement, double& factor);

  const Eigen::VectorXd& displacement() const noexcept { return displacement_; }

 private:
  /// The correction for a residual, by the tangent there.
  Eigen::VectorXd solved(Eigen::VectorXd residual, double factor);
  struct Control {
    int equation;
    double missing;  // of its displacement
    double factor;
    int weak;  // equation at which the tangent broke down
  };
  double controlled(Eigen::VectorXd& change, const Eigen::VectorXd& pattern, int equation,
                    double missing, double factor);
  static double controlled_beyond_peak(const structure::SparseMatrix& stiffness,
                                       Eigen::VectorXd& change,
                                       const Eigen::VectorXd& pattern,
                                       const Control& control);
  bool settles(const Eigen::VectorXd& change, double& last) const;
  void commit(const Eigen::VectorXd& load);
  [[noreturn]] void fail(const Eigen::VectorXd& load, double factor);
  Eigen::VectorXd residual(const Eigen::VectorXd& load);
  structure::SparseMatrix tangent() const;

  const structure::StructuralModel& structure_;
  MemberForces members_;
  structure::SparseMatrix elastic_;
  Eigen::VectorXd displacement_;
  std::vector<double> tangents_;
  std::vector<double> beside_;  // by the displacements of partners
  std::optional<CholeskyFactor> factor_;
};

}  // namespace trestle::integration
