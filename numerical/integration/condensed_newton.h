#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "core/base/snapshot.h"
#include "numerical/integration/average_acceleration.h"
#include "numerical/integration/effective_solver.h"
#include "numerical/integration/newton_forces.h"
#include "numerical/integration/spring_parts.h"
#include "numerical/integration/tangent_damping.h"
#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// Forces φ of nonlinear springs and hinges at the end of a step, by a fixed number of
/// Newton steps on their deformations e = B·d alone.
///
/// An implicit scheme that gives each spring its initial stiffness k₀ solves one linear
/// problem, A₀·a* = b, and finds e* = ẽ + s·B·a*, s the displacement per acceleration. With
/// the true forces
///
///   e = e* − S·(φ(e, ė) − k₀·e),   S = s·w·B·A₀⁻¹·Bᵀ,   ė = B·ṽ + r·(e − ẽ),
///
/// w the weight of forces at the end of the step. Each Newton step solves
/// (1 + S·(∂φ/∂e + r·∂φ/∂ė − k₀))·Δe = −residual, which is Newton's method of the whole
/// structure. It begins at the deformations committed last: from the prediction it can
/// cycle between the branches of a law, since no inertia damps massless rotations. The
/// number of steps is fixed, so that each time step costs the same.
///
/// A law whose slope is infinite at rest (a power of the velocity below one) is unknown by
/// its force, of which e is a smooth function then. Each Newton step begins with such
/// forces that solve their own equation for the present forces of all others, each inside
/// a bracket. The two directions of a law are coupled by their tangents. Damping on the
/// tangent of the last step, if there is any, is solved for beside φ.
///
/// Parts of the structure whose springs move each other by less than kSpringCoupling are
/// solved one after the other: two buildings in one model cost the sum of their third
/// powers.
///
/// The structure that the springs belong to must outlive this. No call but the constructor
/// allocates.
class CondensedNewton final : public NewtonForces {
 public:
  /// Largest number of springs: the work of a step grows with its third power.
  static constexpr int kMostSprings = 400;

  struct Scheme {
    double displacement = 0.0;  ///< s [s²]
    double rate = 0.0;          ///< r [1/s]
    double weight = 1.0;        ///< w
  };

  /// @param effective   solves with A₀, initial stiffness of the springs included
  /// @param iterations  Newton steps, >= 2
  /// @param stop_above  largest residual that is accepted [N | N·m]
  /// @throws std::invalid_argument for another number of iterations, or too many springs
  CondensedNewton(const structure::StructuralModel& structure,
                  const EffectiveSolver& effective, const Scheme& scheme, int iterations,
                  double stop_above = std::numeric_limits<double>::infinity());

  bool empty() const noexcept { return links_.empty(); }
  /// Number of parts that are solved one after the other.
  std::size_t parts() const noexcept { return parts_.size(); }

  /// Takes the springs to a state, and commits it.
  void start(const StructuralStateOf<double>& state) noexcept;

  /// Keeps the prediction, and takes k₀·ẽ from the load.
  void predict(const StructuralStateOf<double>& predicted, Eigen::VectorXd& load) noexcept;

  /// Iterates from a*, and commits the laws at the deformations found.
  /// @param change  set to Bᵀ·(φ − k₀·e): a = a* − w·A₀⁻¹·change
  void iterate(const Eigen::VectorXd& acceleration, Eigen::VectorXd& change) noexcept;

  /// One Newton step alone, from these displacements; commits nothing.
  void step_from(const Eigen::VectorXd& displacement, const Eigen::VectorXd& acceleration,
                 Eigen::VectorXd& change) noexcept;
  /// Commits the laws at the displacements of the last step_from(), and takes the residual
  /// where that step ended.
  void commit_at(const Eigen::VectorXd& displacement) noexcept;

  void add_forces(double factor, Eigen::VectorXd& sum) const noexcept override;
  /// Adds factor · Bᵀ·(φ − what the last step was solved with).
  void add_residual(double factor, Eigen::VectorXd& sum) const noexcept;

  const TangentDamping& damping() const noexcept override { return damping_; }

  /// Largest difference between a law's force and what the last step was solved with
  /// [N | N·m].
  double residual() const noexcept override { return residual_; }
  double stop_above() const noexcept override { return stop_above_; }

  double elongation(std::size_t spring) const noexcept override {
    return elongation_[static_cast<Eigen::Index>(spring)];
  }
  double force(std::size_t spring) const noexcept override {
    return force_[static_cast<Eigen::Index>(spring)];
  }

  void save(SnapshotWriter& snapshot) const { visit(*this, snapshot); }
  void restore(SnapshotReader& snapshot) { visit(*this, snapshot); }

 private:
  struct Link {
    structure::DofTerms elongation;
    materials::RestoringForce* law;
    double initial_stiffness;
    Eigen::Index partner;  // -1: none
    bool by_force;
  };

  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive) {
    archive(self.elongation_, self.force_, self.solved_force_, self.residual_,
            self.damping_);
  }
  void foresee() noexcept;
  double rate_of(Eigen::Index at) const noexcept;
  double damp(std::size_t spring) noexcept;
  void try_law(Eigen::Index at) noexcept;
  void try_laws() noexcept;
  void solve_rates() noexcept;
  double own_force(Eigen::Index at, double wanted) const noexcept;
  void apply_change() noexcept;
  void search(const Eigen::VectorXd& acceleration, int rounds,
              Eigen::VectorXd& change) noexcept;
  void newton_step() noexcept;
  void move_to(const Eigen::VectorXd& displacement) noexcept;
  void settle(bool commits) noexcept;

  std::vector<Link> links_;
  bool any_by_force_ = false;
  Scheme scheme_;
  int iterations_;
  double stop_above_;
  Eigen::MatrixXd compliance_;    // S
  Eigen::VectorXd elongation_;    // e
  Eigen::VectorXd force_;         // φ(e)
  Eigen::VectorXd solved_force_;  // linearised, that the step was solved with
  Eigen::VectorXd predicted_;     // ẽ
  Eigen::VectorXd predicted_rate_;
  Eigen::VectorXd linear_;  // e*
  Eigen::VectorXd beyond_;  // φ − k₀·e
  Eigen::VectorXd slope_;   // its derivative by the unknown: e, or φ
  Eigen::VectorXd own_;     // derivative of e by the unknown
  Eigen::VectorXd beside_;  // derivative of φ − k₀·e by the partner's e
  Eigen::VectorXd change_;  // of e
  std::vector<SpringPart> parts_;
  TangentDamping damping_;
  double residual_ = 0.0;
};

}  // namespace trestle::integration
