#include "numerical/structure/mechanism_check.h"

#include <Eigen/CholmodSupport>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

#include "core/math/dense_eigenvalues.h"
#include "core/math/dense_solve.h"
#include "numerical/structure/combined_matrices.h"

namespace trestle::structure {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kMostDense = 300;
constexpr Index kMostMotions = 8;
// Rayleigh quotient of the scaled stiffness that counts as zero. A straight beam of n
// elements has about 4/n⁴: one of 5000 still counts as stable.
constexpr double kFree = 4e-15;
// Part of the largest amplitude (scaled) from which on a DOF takes part.
constexpr double kTakesPart = 1e-6;

/// S·K·S with a unit diagonal, S = diag(K)^(−1/2); a DOF without stiffness keeps its zero.
SparseMatrix scaled(const SparseMatrix& K) {
  VectorXd scale = K.diagonal();
  for (double& value : scale) value = value > 0.0 ? 1.0 / std::sqrt(value) : 1.0;
  return scale.asDiagonal() * K * scale.asDiagonal();
}

MatrixXd dense_null_space(const SparseMatrix& K) {
  const auto [values, vectors] = math::symmetric_eigen(MatrixXd(K));
  Index free = 0;
  while (free < K.rows() && values[free] < kFree * static_cast<double>(K.rows())) ++free;
  return vectors.leftCols(free);
}

MatrixXd sparse_null_space(const SparseMatrix& K) {
  // A shift far below any stiffness that matters makes the factor exist.
  constexpr double kShift = 1e-12;
  SparseMatrix shifted = K;
  for (Index i = 0; i < K.rows(); ++i) shifted.coeffRef(i, i) += kShift;
  const Eigen::CholmodSimplicialLDLT<SparseMatrix> factor(shifted);
  std::mt19937 random(1);
  MatrixXd X(K.rows(), kMostMotions);
  for (double& value : X.reshaped())
    value = static_cast<double>(random()) / 2147483648.0 - 1;
  X = math::orthonormal_basis(X);
  // A free motion grows by 1/shift; a stiffness of 1e-9 and more by 1e9 at the most.
  MatrixXd next = factor.solve(X);
  if (next.norm() < 1e9) return MatrixXd(K.rows(), 0);
  for (int round = 0; round < 6; ++round)
    next = factor.solve(math::orthonormal_basis(next)).eval();
  X = math::orthonormal_basis(next);
  const MatrixXd KX = K * X;
  const auto [values, vectors] = math::symmetric_eigen(X.transpose() * KX);
  Index free = 0;
  while (free < X.cols() && values[free] < kFree) ++free;
  return X * vectors.leftCols(free);
}

/// The same space by vectors of small support: each has a DOF that no other moves.
MatrixXd separated(MatrixXd space) {
  for (Index j = 0; j < space.cols(); ++j) {
    Index row = 0;
    Index column = 0;
    space.rightCols(space.cols() - j).cwiseAbs().maxCoeff(&row, &column);
    space.col(j).swap(space.col(j + column));
    space.col(j) /= space(row, j);
    for (Index other = 0; other < space.cols(); ++other)
      if (other != j) space.col(other) -= space(row, other) * space.col(j);
  }
  return space;
}

/// The first name of each equation.
std::vector<const std::string*> first_names(const StructuralModel& structure) {
  std::vector<const std::string*> names(static_cast<std::size_t>(structure.equations));
  for (const NamedDof& dof : structure.dofs) {
    const std::string*& name = names[static_cast<std::size_t>(dof.equation)];
    if (name == nullptr) name = &dof.name;
  }
  return names;
}

template <typename Holds>
std::vector<std::string> names_where(const StructuralModel& structure,
                                     const SparseMatrix& mass, Holds holds) {
  const VectorXd diagonal = mass.diagonal();
  const std::vector<const std::string*> names = first_names(structure);
  std::vector<std::string> result;
  for (Index i = 0; i < diagonal.size(); ++i)
    if (holds(diagonal[i])) result.push_back(*names[static_cast<std::size_t>(i)]);
  return result;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 6;
  std::string text;
  const std::size_t shown = names.size() > kMostNames + 1 ? kMostNames : names.size();
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  if (shown < names.size())
    text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

}  // namespace

std::vector<Mechanism> mechanisms(const StructuralModel& structure) {
  if (structure.equations == 0) return {};
  const SparseMatrix K = scaled(combined_stiffness(structure));
  const MatrixXd space =
      separated(K.rows() <= kMostDense ? dense_null_space(K) : sparse_null_space(K));
  const std::vector<const std::string*> names = first_names(structure);
  std::vector<Mechanism> found;
  for (Index j = 0; j < space.cols(); ++j) {
    Mechanism mechanism;
    for (Index i = 0; i < space.rows(); ++i)
      if (std::abs(space(i, j)) > kTakesPart)
        mechanism.push_back(*names[static_cast<std::size_t>(i)]);
    found.push_back(std::move(mechanism));
  }
  return found;
}

std::string describe(const Mechanism& mechanism, bool specimens_attached, bool spatial) {
  constexpr std::array<const char*, 6> kDofs{"x", "y", "rz", "z", "rx", "ry"};
  constexpr std::array<const char*, 6> kPlanar{
      "move sideways", "move up and down", "turn", "move", "turn", "turn"};
  std::vector<std::string> nodes;
  std::set<std::string> seen;
  std::array<bool, 6> moves{};
  for (const std::string& name : mechanism) {
    const std::size_t dot = name.rfind('.');
    if (seen.insert(name.substr(0, dot)).second) nodes.push_back(name.substr(0, dot));
    for (std::size_t j = 0; j < kDofs.size(); ++j)
      if (name.substr(dot + 1) == kDofs[j]) moves[j] = true;
  }
  std::vector<std::string> directions;
  std::string motion = "move";
  for (std::size_t j = 0; j < kDofs.size(); ++j)
    if (moves[j]) {
      directions.emplace_back(kDofs[j]);
      motion = spatial && j == 1 ? "move sideways" : kPlanar[j];
    }
  if (directions.size() > 1) motion = "move";
  return "nothing holds " + listed(directions) + ": " + listed(nodes) + " can " + motion +
         (nodes.size() > 1 ? " together" : "") +
         (specimens_attached ? ", even with the specimens attached" : "") + " (mechanism)";
}

std::vector<std::string> massless_dofs(const StructuralModel& structure,
                                       const SparseMatrix& mass) {
  return names_where(structure, mass, [](double value) { return value == 0.0; });
}

std::vector<std::string> negative_mass_dofs(const StructuralModel& structure,
                                            const SparseMatrix& mass) {
  return names_where(structure, mass, [](double value) { return value < 0.0; });
}

}  // namespace trestle::structure
