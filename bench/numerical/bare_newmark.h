#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "numerical/integration/effective_solver.h"
#include "numerical/structure/structural_model.h"

namespace trestle::bench {

/// Newmark's step (γ = 1/2) and nothing else, with the factor of the house; damping is
/// diagonal.
class BareNewmark {
 public:
  /// @param time_step  Δt [s]
  /// @param beta       1/4, or 0: explicit
  BareNewmark(const structure::StructuralModel& structure, double time_step, double beta)
      : time_step_(time_step),
        beta_(beta),
        stiffness_(structure.stiffness),
        damping_(structure.damping.diagonal()),
        base_(structure.base_load.col(structure::kGroundX)),
        solver_(effective(structure, time_step, beta), {}, 0.0),
        d_(Eigen::VectorXd::Zero(structure.equations)),
        v_(d_),
        a_(d_) {}

  /// M + Δt/2·C + β·Δt²·K
  static structure::SparseMatrix effective(const structure::StructuralModel& structure,
                                           double time_step, double beta) {
    return structure.mass + 0.5 * time_step * structure.damping +
           beta * time_step * time_step * structure.stiffness;
  }

  /// @param ground  its acceleration along x [m/s²]
  void step(double ground) {
    const double dt = time_step_;
    d_ += dt * v_ + (0.5 - beta_) * dt * dt * a_;
    v_ += 0.5 * dt * a_;
    a_ = ground * base_ - damping_.cwiseProduct(v_);
    a_.noalias() -= stiffness_ * d_;
    solver_.solve(a_);
    if (beta_ > 0.0) d_ += beta_ * dt * dt * a_;
    v_ += 0.5 * dt * a_;
  }

 private:
  double time_step_;
  double beta_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> stiffness_;
  Eigen::VectorXd damping_;
  Eigen::VectorXd base_;
  integration::EffectiveSolver solver_;
  Eigen::VectorXd d_, v_, a_;
};

}  // namespace trestle::bench
