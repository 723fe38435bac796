#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "numerical/integration/structure_rows.h"
#include "numerical/structure/structural_model.h"

namespace trestle::integration {

/// q = p − K·d − C·v of the numerical part, modal damping included: the part of the load
/// that is left for inertia. One pass over both matrices, row by row.
class UnbalancedForce {
 public:
  explicit UnbalancedForce(const structure::StructuralModel& structure);

  /// @param load    external load less the forces of springs and sites [N | N·m]
  /// @param result  q, of the right size; not one of the arguments
  void evaluate(const Eigen::VectorXd& load, const Eigen::VectorXd& displacement,
                const Eigen::VectorXd& velocity, Eigen::VectorXd& result) const noexcept;

  /// Stiffness and damping of an entry, displacement and velocity of an equation: side by
  /// side, so that both products are one multiplication of the machine.
  using Pair = Eigen::Array2d;

  /// K and C row by row, where both are full.
  struct Rows {
    std::span<const int> start;  ///< of each row, and the end
    std::span<const int> column;
    std::span<const Pair> entries;
  };
  /// Empty: damping is none or diagonal, or there is modal damping.
  Rows rows() const noexcept {
    if (damping_ != Damping::kFull || coefficient_.size() > 0) return {};
    return {row_start_, column_, entries_};
  }

 private:
  void evaluate_stiffness(const double* load, const double* displacement,
                          double* result) const noexcept;
  void evaluate_diagonal(const double* load, const double* displacement,
                         const double* velocity, double* result) const noexcept;
  void evaluate_both(const double* load, const double* displacement, const double* velocity,
                     double* result) const noexcept;

  enum class Damping { kNone, kDiagonal, kFull };

  /// Half the numbers to read where damping belongs to each DOF alone (Rayleigh's share of
  /// lumped masses).
  Damping damping_ = Damping::kNone;
  std::vector<int> row_start_;
  std::vector<int> column_;
  std::vector<double> stiffness_;  // kNone and kDiagonal
  std::vector<double> diagonal_;   // kDiagonal
  std::vector<Pair> entries_;      // kFull
  mutable std::vector<Pair> motion_;
  Eigen::MatrixXd modes_;
  Eigen::VectorXd coefficient_;
  mutable Eigen::VectorXd modal_velocity_;
};

}  // namespace trestle::integration
