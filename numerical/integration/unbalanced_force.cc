#include "numerical/integration/unbalanced_force.h"

namespace trestle::integration {

namespace {

bool diagonal(const structure::SparseMatrix& matrix) {
  for (Eigen::Index column = 0; column < matrix.outerSize(); ++column)
    for (structure::SparseMatrix::InnerIterator at(matrix, column); at; ++at)
      if (at.row() != at.col()) return false;
  return true;
}

}  // namespace

UnbalancedForce::UnbalancedForce(const structure::StructuralModel& structure)
    : modes_(structure.modal_damping.weighted_modes),
      coefficient_(structure.modal_damping.coefficient),
      modal_velocity_(Eigen::VectorXd::Zero(coefficient_.size())) {
  // Symmetric: Eigen's columns serve as rows, so that each result is one running sum.
  structure::SparseMatrix damping = structure.damping;
  damping.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0.0; });
  if (damping.nonZeros() > 0)
    damping_ = diagonal(damping) ? Damping::kDiagonal : Damping::kFull;
  if (damping_ == Damping::kDiagonal) {
    const Eigen::VectorXd values = damping.diagonal();
    diagonal_.assign(values.begin(), values.end());
  }
  const bool full = damping_ == Damping::kFull;
  const structure::SparseMatrix pattern =
      full ? structure::SparseMatrix(structure.stiffness.cwiseAbs() + damping.cwiseAbs())
           : structure.stiffness;
  row_start_.push_back(0);
  for (Eigen::Index row = 0; row < pattern.outerSize(); ++row) {
    structure::SparseMatrix::InnerIterator stiffness(structure.stiffness, row);
    structure::SparseMatrix::InnerIterator viscous(damping, row);
    for (structure::SparseMatrix::InnerIterator at(pattern, row); at; ++at) {
      Pair entry = Pair::Zero();
      if (stiffness && stiffness.index() == at.index()) {
        entry[0] = stiffness.value();
        ++stiffness;
      }
      if (full && viscous && viscous.index() == at.index()) {
        entry[1] = viscous.value();
        ++viscous;
      }
      column_.push_back(static_cast<int>(at.index()));
      if (full)
        entries_.push_back(entry);
      else
        stiffness_.push_back(entry[0]);
    }
    row_start_.push_back(static_cast<int>(column_.size()));
  }
  if (full) motion_.resize(row_start_.size() - 1);
}

void UnbalancedForce::evaluate(const Eigen::VectorXd& load,
                               const Eigen::VectorXd& displacement,
                               const Eigen::VectorXd& velocity,
                               Eigen::VectorXd& result) const noexcept {
  const double* d = displacement.data();
  const double* v = velocity.data();
  switch (damping_) {
    case Damping::kNone:
      evaluate_stiffness(load.data(), d, result.data());
      break;
    case Damping::kDiagonal:
      evaluate_diagonal(load.data(), d, v, result.data());
      break;
    case Damping::kFull:
      evaluate_both(load.data(), d, v, result.data());
      break;
  }
  if (coefficient_.size() == 0) return;
  modal_velocity_.noalias() = modes_.transpose() * velocity;
  modal_velocity_.array() *= coefficient_.array();
  result.noalias() -= modes_ * modal_velocity_;
}

void UnbalancedForce::evaluate_stiffness(const double* load, const double* displacement,
                                         double* result) const noexcept {
  const int* column = column_.data();
  const double* value = stiffness_.data();
  const std::size_t rows = row_start_.size() - 1;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0.0;
    for (int at = row_start_[row]; at < row_start_[row + 1]; ++at)
      sum += value[at] * displacement[column[at]];
    result[row] = load[row] - sum;
  }
}

void UnbalancedForce::evaluate_diagonal(const double* load, const double* displacement,
                                        const double* velocity,
                                        double* result) const noexcept {
  const int* column = column_.data();
  const double* value = stiffness_.data();
  const double* viscous = diagonal_.data();
  const std::size_t rows = row_start_.size() - 1;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0.0;
    for (int at = row_start_[row]; at < row_start_[row + 1]; ++at)
      sum += value[at] * displacement[column[at]];
    result[row] = load[row] - sum - viscous[row] * velocity[row];
  }
}

void UnbalancedForce::evaluate_both(const double* load, const double* displacement,
                                    const double* velocity, double* result) const noexcept {
  Pair* motion = motion_.data();
  const std::size_t rows = row_start_.size() - 1;
  for (std::size_t row = 0; row < rows; ++row)
    motion[row] = Pair(displacement[row], velocity[row]);
  subtract_rows<double>({rows, row_start_.data(), column_.data(), entries_.data()}, motion,
                        load, result);
}

}  // namespace trestle::integration
