#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/base/snapshot.h"
#include "numerical/integration/average_acceleration.h"
#include "numerical/integration/member_forces.h"
#include "numerical/integration/newton_forces.h"
#include "numerical/integration/sparse_ldlt.h"
#include "numerical/integration/tangent_damping.h"
#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// Forces of members and springs that have laws at the end of a step, by a fixed number of
/// Newton steps of the whole structure, its tangent factored in each: where the
/// deformations are no linear function of the displacements, or too many for
/// CondensedNewton. With γ(d) the members' forces beside K₀·d, and φ those of springs,
///
///   A·a + w·(γ(d) + Bᵀ·φ(e, ė)) = b,   d = d̃ + s·a,   v = ṽ + r·s·a,
///
/// s the displacement per acceleration, r the rate per displacement, w the weight of forces
/// at the end of the step. Newton's method begins at the displacements of the last step.
/// Two directions of one law are coupled by the symmetric part of their tangents. Damping
/// on the tangents of the last step, if there is any, is among the forces.
///
/// The laws of the structure must outlive this. No call but the constructor allocates.
class FullNewton final : public NewtonForces {
 public:
  struct Scheme {
    double displacement = 0.0;  ///< s [s²]
    double rate = 0.0;          ///< r [1/s]
    double weight = 1.0;        ///< w
  };

  /// @param linear      A: both triangles; K₀ of the members included, k₀ of springs not
  /// @param iterations  Newton steps, >= 2
  /// @throws std::invalid_argument for fewer iterations, or a law whose slope is infinite
  ///         at rest
  FullNewton(const structure::StructuralModel& structure,
             const structure::SparseMatrix& linear, const Scheme& scheme, int iterations,
             double stop_above);

  /// Takes all laws to a state, and commits it.
  void start(const StructuralStateOf<double>& state) noexcept;
  /// Keeps the prediction.
  void predict(const StructuralStateOf<double>& predicted) noexcept;
  /// b → a, and commits the laws at what was found.
  void solve(Eigen::VectorXd& load) noexcept;
  /// b → a by one Newton step alone, from these displacements; commits nothing.
  void step_from(const Eigen::VectorXd& displacement, Eigen::VectorXd& load) noexcept;
  /// Commits the laws at the displacements of the last step_from(), and takes the residual
  /// where that step ended.
  /// @param load  b
  void commit_at(const Eigen::VectorXd& displacement, const Eigen::VectorXd& load) noexcept;
  /// Adds factor times the members' forces beside K₀·d.
  void add_member_forces(double factor, Eigen::VectorXd& sum) const noexcept {
    members_.add(factor, sum);
  }
  /// Adds factor times what the last step left of its equation, over w.
  void add_residual(double factor, Eigen::VectorXd& sum) const noexcept {
    sum += factor / scheme_.weight * residual_;
  }

  double elongation(std::size_t spring) const noexcept override;
  double force(std::size_t spring) const noexcept override;
  void add_forces(double factor, Eigen::VectorXd& sum) const noexcept override;
  const TangentDamping& damping() const noexcept override { return damping_; }
  double residual() const noexcept override { return largest_; }
  double stop_above() const noexcept override { return stop_above_; }

  void save(SnapshotWriter& snapshot) const { visit(*this, snapshot); }
  void restore(SnapshotReader& snapshot) { visit(*this, snapshot); }

 private:
  struct Spring {
    structure::DofTerms elongation;
    materials::RestoringForce* law;
    Eigen::Index partner;     // -1: none
    std::vector<int> places;  // in the tangent: each pair of terms
    std::vector<int>
        with_partner;  // terms of this one by terms of the partner, once a pair
  };

  template <typename Self, typename Archive>
  static void visit(Self& self, Archive& archive) {
    archive(self.last_, self.elongation_, self.force_, self.largest_, self.damping_);
  }
  void find_places(const structure::SparseMatrix& linear);
  void try_laws() noexcept;
  void damp() noexcept;
  void move() noexcept;
  void move_to(const Eigen::VectorXd& displacement) noexcept;
  void newton_step(const Eigen::VectorXd& load) noexcept;
  void commit() noexcept;
  void evaluate(const Eigen::VectorXd& load) noexcept;
  void fill_tangent() noexcept;

  std::vector<Spring> springs_;
  MemberForces members_;
  structure::SparseMatrix linear_;
  Scheme scheme_;
  int iterations_;
  double stop_above_;
  SparseLdlt tangent_;
  std::vector<double> constant_;         // values of the tangent that do not change
  std::vector<int> member_places_;       // as MemberForces, then MemberDamping go through
  Eigen::VectorXd last_;                 // displacements of the last step
  StructuralStateOf<double> predicted_;  // d̃ and ṽ
  StructuralStateOf<double> now_;        // d, v and a
  Eigen::VectorXd residual_;
  Eigen::VectorXd change_;
  Eigen::VectorXd elongation_;  // of springs
  Eigen::VectorXd force_;
  Eigen::VectorXd slope_;   // ∂φ/∂e + r·∂φ/∂ė
  Eigen::VectorXd beside_;  // ∂φ/∂ of the partner's e
  TangentDamping damping_;
  double largest_ = 0.0;
};

}  // namespace trestle::integration
