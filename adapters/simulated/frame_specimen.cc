#include "adapters/simulated/frame_specimen.h"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/math/dense_solve.h"
#include "core/math/elimination.h"

namespace trestle::simulated {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Every equation's row, the interface first.
std::vector<int> rows_of_equations(int equations, const std::vector<int>& interface) {
  std::vector<int> rows(static_cast<std::size_t>(equations), -1);
  int next = 0;
  for (const int equation : interface) {
    assert(rows[static_cast<std::size_t>(equation)] < 0);
    rows[static_cast<std::size_t>(equation)] = next++;
  }
  for (int& row : rows)
    if (row < 0) row = next++;
  return rows;
}

MatrixXd reordered(const MatrixXd& matrix, const std::vector<int>& rows) {
  MatrixXd result(matrix.rows(), matrix.cols());
  result(rows, rows) = matrix;
  return result;
}

/// Adds the stiffness of a spring.
void add_rank_one(const structure::DofTerms& elongation, double stiffness,
                  MatrixXd& matrix) {
  for (const structure::DofTerm& one : elongation)
    for (const structure::DofTerm& other : elongation)
      matrix(one.equation, other.equation) +=
          one.coefficient * other.coefficient * stiffness;
}

MatrixXd whole_damping_of(const structure::StructuralModel& structure) {
  MatrixXd damping(structure.damping);
  const structure::ModalDampingFactors& modal = structure.modal_damping;
  if (modal.coefficient.size() > 0)
    damping += modal.weighted_modes * modal.coefficient.asDiagonal() *
               modal.weighted_modes.transpose();
  return damping;
}

}  // namespace

FrameSpecimen::FrameSpecimen(structure::StructuralModel structure,
                             const std::vector<int>& interface)
    : dofs_(static_cast<int>(interface.size())), springs_(std::move(structure.springs)) {
  const std::vector<int> rows = rows_of_equations(structure.equations, interface);
  mass_ = reordered(MatrixXd(structure.mass), rows);
  damping_ = reordered(whole_damping_of(structure), rows);
  stiffness_ = reordered(MatrixXd(structure.stiffness), rows);
  spring_stiffness_ = MatrixXd::Zero(mass_.rows(), mass_.cols());
  for (structure::NonlinearSpring& spring : springs_) {
    for (structure::DofTerm& term : spring.elongation)
      term.equation = rows[static_cast<std::size_t>(term.equation)];
    assert(!spring.law->depends_on_rate() && spring.partner < 0);
    add_rank_one(spring.elongation, spring.law->initial_stiffness(), spring_stiffness_);
  }
  constexpr int kTranslations = 3;
  base_mass_ = MatrixXd::Zero(mass_.rows(), kTranslations);
  for (Index i = 0; i < mass_.rows(); ++i) {
    const Index to = rows[static_cast<std::size_t>(i)];
    base_mass_.row(to) = -structure.base_load.row(i).leftCols(kTranslations);
  }
  const MatrixXd K = stiffness_ + spring_stiffness_;
  follow_ = MatrixXd::Zero(inner(), dofs_);
  if (inner() > 0)
    follow_ = -math::solved(K.bottomRightCorner(inner(), inner()),
                            K.bottomLeftCorner(inner(), dofs_));
  for (VectorXd* vector : {&displacement_, &velocity_, &acceleration_, &force_})
    vector->setZero(mass_.rows());
  correction_.setZero(inner());
}

MatrixXd FrameSpecimen::condensed(const MatrixXd& matrix) const {
  MatrixXd T(mass_.rows(), dofs_);
  T << MatrixXd::Identity(dofs_, dofs_), follow_;
  const MatrixXd result = T.transpose() * matrix * T;
  return 0.5 * (result + result.transpose());
}

MatrixXd FrameSpecimen::initial_stiffness() const {
  return condensed(stiffness_ + spring_stiffness_);
}

MatrixXd FrameSpecimen::elastic_stiffness() const {
  for (const structure::NonlinearSpring& spring : springs_)
    if (std::isfinite(spring.law->yield_force())) return MatrixXd::Zero(dofs_, dofs_);
  return initial_stiffness();
}

MatrixXd FrameSpecimen::base_mass(const MatrixXd& /*influence*/) const {
  MatrixXd felt = base_mass_.topRows(dofs_);
  felt += follow_.transpose() * base_mass_.bottomRows(inner());
  return felt;
}

MatrixXd FrameSpecimen::damping() const {
  return condensed(damping_);
}

MatrixXd FrameSpecimen::mass() const {
  return condensed(mass_);
}

void FrameSpecimen::prepare(double period) {
  assert(period > 0.0);
  period_ = period;
  for (const structure::NonlinearSpring& spring : springs_) spring.law->reset();
  for (VectorXd* vector : {&displacement_, &velocity_, &acceleration_, &force_})
    vector->setZero();
  const Index n = inner();
  velocity_rate_.resize(n);
  acceleration_rate_.resize(n);
  for (Index i = 0; i < n; ++i) {
    const bool massless = mass_(dofs_ + i, dofs_ + i) == 0.0;
    velocity_rate_(i) = (massless ? 1.0 : 2.0) / period;
    acceleration_rate_(i) = massless ? 0.0 : 4.0 / (period * period);
  }
  effective_ = (stiffness_ + spring_stiffness_).rightCols(n);
  effective_ += damping_.rightCols(n) * velocity_rate_.asDiagonal();
  effective_ += mass_.rightCols(n) * acceleration_rate_.asDiagonal();
  if (n > 0) factor_.compute(effective_.bottomRows(n));
  prepare_newton();
}

void FrameSpecimen::prepare_newton() {
  const Index n = inner();
  const auto count = static_cast<Index>(springs_.size());
  MatrixXd acts = MatrixXd::Zero(n, count);  // where a force of each spring acts
  for (Index i = 0; i < count; ++i)
    for (const structure::DofTerm& term : springs_[static_cast<std::size_t>(i)].elongation)
      if (term.equation >= dofs_) acts(term.equation - dofs_, i) += term.coefficient;
  newton_.needed = !acts.isZero(0.0);
  if (!newton_.needed) return;
  newton_.acts = acts;
  newton_.reach = factor_.solve(acts);
  newton_.compliance = acts.transpose() * newton_.reach;
  newton_.jacobian.resize(count, count);
  newton_.beyond = newton_.change = VectorXd::Zero(count);
  newton_.start = MatrixXd::Zero(n, 3);
  newton_.shift = newton_.step = newton_.trial = VectorXd::Zero(n);
}

void FrameSpecimen::predict() noexcept {
  for (Index i = 0; i < inner(); ++i) {
    double& d = displacement_(dofs_ + i);
    double& v = velocity_(dofs_ + i);
    double& a = acceleration_(dofs_ + i);
    if (acceleration_rate_(i) == 0.0) {
      v = 0.0;
      continue;
    }
    d += period_ * v + 0.25 * period_ * period_ * a;
    v += 0.5 * period_ * a;
    a = 0.0;
  }
}

void FrameSpecimen::find_linear_forces() noexcept {
  force_.noalias() = stiffness_ * displacement_;
  force_.noalias() += damping_ * velocity_;
  force_.noalias() += mass_ * acceleration_;
}

void FrameSpecimen::add_spring_forces() noexcept {
  for (const structure::NonlinearSpring& spring : springs_) {
    const double force =
        spring.law->advance(structure::motion_of(spring.elongation, displacement_));
    structure::add_force(spring.elongation, force, force_);
  }
}

/// Energy at the initial stiffness: what the imbalance is compared with.
double FrameSpecimen::elastic_energy() noexcept {
  force_.noalias() = stiffness_ * displacement_;
  double energy = displacement_.dot(force_);
  for (const structure::NonlinearSpring& spring : springs_) {
    const double elongation = structure::motion_of(spring.elongation, displacement_);
    energy += spring.law->initial_stiffness() * elongation * elongation;
  }
  return energy;
}

/// Tries the laws at the present motion. Returns r·A⁻¹·r of the inner forces r out of
/// balance, A their initial derivative: one measure for forces and moments. Leaves A⁻¹·r in
/// correction_.
double FrameSpecimen::imbalance() noexcept {
  find_linear_forces();
  for (std::size_t i = 0; i < springs_.size(); ++i) {
    const structure::NonlinearSpring& spring = springs_[i];
    const materials::LawResponse response =
        spring.law->trial(structure::motion_of(spring.elongation, displacement_), 0.0);
    structure::add_force(spring.elongation, response.force, force_);
    newton_.beyond[static_cast<Index>(i)] =
        response.stiffness - spring.law->initial_stiffness();
  }
  factor_.solve(force_.tail(inner()), correction_);
  return force_.tail(inner()).dot(correction_);
}

/// The inner motion that is `shift` below the predicted one.
void FrameSpecimen::place(const VectorXd& shift) noexcept {
  const Index n = inner();
  displacement_.tail(n) = newton_.start.col(0) - shift;
  velocity_.tail(n).array() =
      newton_.start.col(1).array() - velocity_rate_.array() * shift.array();
  acceleration_.tail(n).array() =
      newton_.start.col(2).array() - acceleration_rate_.array() * shift.array();
}

/// The step with the tangents of the last trial, by the springs' share in it (Sherman,
/// Morrison and Woodbury): (A + B·Δ·Bᵀ)⁻¹·r from A⁻¹·r, A factored by prepare().
void FrameSpecimen::find_newton_step() noexcept {
  Newton& it = newton_;
  it.change.noalias() = it.acts.transpose() * correction_;
  it.change.array() *= it.beyond.array();
  it.jacobian.setIdentity();
  it.jacobian += it.beyond.asDiagonal() * it.compliance;
  math::eliminate(it.jacobian, it.change);
  it.step = correction_;
  it.step.noalias() -= it.reach * it.change;
}

/// Moves by the longest tried part of the step that makes the imbalance fall, at least by
/// `least_part`. Otherwise the accepted shift stands.
bool FrameSpecimen::reduce(double least_part, double& left) noexcept {
  for (double part = 1.0; part >= least_part; part *= 0.5) {
    newton_.trial = newton_.shift + part * newton_.step;
    place(newton_.trial);
    const double next = imbalance();
    if (!(next < left)) continue;  // nor is it if it is no number
    newton_.shift = newton_.trial;
    left = next;
    return true;
  }
  return false;
}

/// Inner motion in balance at the end of the period, tried only. The first step takes the
/// initial stiffness: it is exact on the way back from a plateau, where the tangent may
/// still be that of the plateau. If no step helps, the prediction remains.
void FrameSpecimen::settle() noexcept {
  constexpr int kMostSteps = 12;
  constexpr double kSettled = 1e-26;   // of the elastic energy: 1e-13 of the motion
  constexpr double kRounding = 1e-18;  // if the imbalance no longer falls
  constexpr double kLeastPart = 1.0 / 32.0;
  const Index n = inner();
  newton_.start.col(0) = displacement_.tail(n);
  newton_.start.col(1) = velocity_.tail(n);
  newton_.start.col(2) = acceleration_.tail(n);
  newton_.shift.setZero();
  const double whole = elastic_energy();
  double left = imbalance();
  newton_.step = correction_;
  if (left > kSettled * whole && !reduce(1.0, left)) {
    place(newton_.shift);
    imbalance();
  }
  for (int i = 0; i < kMostSteps && left > kSettled * whole; ++i) {
    const bool rounding = left <= kRounding * whole;
    find_newton_step();
    if (reduce(rounding ? 1.0 : kLeastPart, left)) continue;
    if (rounding) break;
    place(newton_.shift);
    imbalance();
    newton_.step = correction_;
    if (!reduce(kLeastPart, left)) break;
  }
  place(newton_.shift);
}

InterfaceVector FrameSpecimen::advance(const InterfaceVector& displacement,
                                       const InterfaceVector& velocity,
                                       const InterfaceVector& acceleration) noexcept {
  assert(period_ > 0.0);
  predict();
  displacement_.head(dofs_) = displacement;
  velocity_.head(dofs_) = velocity;
  acceleration_.head(dofs_) = acceleration;
  if (newton_.needed) settle();
  find_linear_forces();
  add_spring_forces();
  InterfaceVector held = force_.head(dofs_);
  const Index n = inner();
  if (n == 0) return held;
  factor_.solve(force_.tail(n), correction_);
  displacement_.tail(n) -= correction_;
  velocity_.tail(n).array() -= velocity_rate_.array() * correction_.array();
  acceleration_.tail(n).array() -= acceleration_rate_.array() * correction_.array();
  held.noalias() -= effective_.topRows(dofs_) * correction_;
  return held;
}

InterfaceVector FrameSpecimen::move_statically(const InterfaceVector& displacement) {
  constexpr int kMostCorrections = 100;
  constexpr double kSettled = 1e-13;  // [m | rad]
  constexpr double kRounding = 1e-9;  // part of the displacement, if no longer falling
  const Index n = inner();
  velocity_.setZero();
  acceleration_.setZero();
  displacement_.head(dofs_) = displacement;
  bool settled = n == 0;
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostCorrections && !settled; ++round) {
    MatrixXd tangent = stiffness_;
    force_.noalias() = stiffness_ * displacement_;
    for (const structure::NonlinearSpring& spring : springs_) {
      const materials::LawResponse response =
          spring.law->trial(structure::motion_of(spring.elongation, displacement_), 0.0);
      structure::add_force(spring.elongation, response.force, force_);
      add_rank_one(spring.elongation, response.stiffness, tangent);
    }
    correction_ = math::solved(tangent.bottomRightCorner(n, n), force_.tail(n));
    displacement_.tail(n) -= correction_;
    const double size = correction_.cwiseAbs().maxCoeff();
    const double whole = displacement_.cwiseAbs().maxCoeff();
    settled = size <= kSettled || (size <= kRounding * whole && size > 0.25 * last);
    last = size;
  }
  force_.noalias() = stiffness_ * displacement_;
  add_spring_forces();
  if (!settled) force_.setConstant(std::numeric_limits<double>::quiet_NaN());
  return force_.head(dofs_);
}

template <typename Self, typename Archive>
void FrameSpecimen::visit(Self& self, Archive& archive) {
  archive(self.displacement_, self.velocity_, self.acceleration_);
  for (auto& spring : self.springs_) {
    archive(*spring.law);
  }
}

void FrameSpecimen::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
}

void FrameSpecimen::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
}

}  // namespace trestle::simulated
