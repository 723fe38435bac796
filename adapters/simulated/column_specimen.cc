#include "adapters/simulated/column_specimen.h"

#include <cassert>

namespace trestle::simulated {
namespace {

Eigen::MatrixXd column_stiffness(const ColumnSettings& settings) {
  const double h = settings.height;
  const double EI = settings.elastic_modulus * settings.second_moment;
  if (settings.dofs == 1) return Eigen::MatrixXd::Constant(1, 1, 3.0 * EI / (h * h * h));
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(settings.dofs, settings.dofs);
  const int turn = settings.dofs - 1;
  stiffness(0, 0) = 12.0 * EI / (h * h * h);
  stiffness(0, turn) = stiffness(turn, 0) = 6.0 * EI / (h * h);
  stiffness(turn, turn) = 4.0 * EI / h;
  if (settings.dofs == 3) stiffness(1, 1) = settings.elastic_modulus * settings.area / h;
  return stiffness;
}

}  // namespace

ColumnSpecimen::ColumnSpecimen(const ColumnSettings& settings,
                               std::unique_ptr<PlasticHinge> foot,
                               std::unique_ptr<PlasticHinge> top)
    : dofs_(settings.dofs),
      height_(settings.height),
      damping_(settings.damping),
      flexural_(settings.elastic_modulus * settings.second_moment / settings.height),
      stiffness_(column_stiffness(settings)),
      foot_(std::move(foot)),
      top_(std::move(top)) {
  assert(dofs_ >= 1 && dofs_ <= 3 && height_ > 0.0);
}

double ColumnSpecimen::end_stiffness(const ColumnSettings& settings) noexcept {
  return 6.0 * settings.elastic_modulus * settings.second_moment / settings.height;
}

Eigen::MatrixXd ColumnSpecimen::elastic_stiffness() const {
  if (foot_ || top_) return Eigen::MatrixXd::Zero(dofs_, dofs_);
  return stiffness_;
}

Eigen::MatrixXd ColumnSpecimen::damping() const {
  return damping_ * stiffness_;
}

Eigen::MatrixXd ColumnSpecimen::mass() const {
  return Eigen::MatrixXd::Zero(dofs_, dofs_);
}

void ColumnSpecimen::prepare(double /*period*/) {
  if (foot_) foot_->reset();
  if (top_) top_->reset();
}

ColumnSpecimen::EndMoments ColumnSpecimen::bend(double foot_rotation,
                                                double top_rotation) noexcept {
  const double k = flexural_;
  if (foot_) foot_rotation -= foot_->rotation();
  if (top_) top_rotation -= top_->rotation();
  if (dofs_ == 1) {
    const double trial = 3.0 * k * foot_rotation;
    const double flow = foot_ ? foot_->flow(trial, 3.0 * k) : 0.0;
    const double moment = trial - 3.0 * k * flow;
    if (foot_) foot_->commit(flow, moment);
    return {moment, 0.0};
  }
  // Both hinges at once. One after the other contracts by (2/4)² a round, since no hinge
  // flows faster than its trial moment over 4 EI/h: forty rounds are below any rounding.
  constexpr int kMostRounds = 40;
  const EndMoments trial{k * (4.0 * foot_rotation + 2.0 * top_rotation),
                         k * (2.0 * foot_rotation + 4.0 * top_rotation)};
  double foot_flow = 0.0;
  double top_flow = 0.0;
  for (int round = 0; round < kMostRounds; ++round) {
    const double foot = foot_ ? foot_->flow(trial.foot - 2.0 * k * top_flow, 4.0 * k) : 0.0;
    const double top = top_ ? top_->flow(trial.top - 2.0 * k * foot, 4.0 * k) : 0.0;
    const bool settled = foot == foot_flow && top == top_flow;
    foot_flow = foot;
    top_flow = top;
    if (settled) break;
  }
  const EndMoments moments{trial.foot - k * (4.0 * foot_flow + 2.0 * top_flow),
                           trial.top - k * (2.0 * foot_flow + 4.0 * top_flow)};
  if (foot_) foot_->commit(foot_flow, moments.foot);
  if (top_) top_->commit(top_flow, moments.top);
  return moments;
}

InterfaceVector ColumnSpecimen::advance(const InterfaceVector& displacement,
                                        const InterfaceVector& velocity,
                                        const InterfaceVector& /*acceleration*/) noexcept {
  // A sway to the right turns the chord clockwise, so both ends turn by +x/h against it.
  const double sway = displacement(0) / height_;
  const double turn = dofs_ == 1 ? 0.0 : displacement(dofs_ - 1);
  const EndMoments moments = bend(sway, sway + turn);
  InterfaceVector force(dofs_);
  force.noalias() = stiffness_.lazyProduct(velocity);
  force *= damping_;
  force(0) += (moments.foot + moments.top) / height_;
  if (dofs_ == 3) force(1) += stiffness_(1, 1) * displacement(1);
  if (dofs_ > 1) force(dofs_ - 1) += moments.top;
  return force;
}

void ColumnSpecimen::save(SnapshotWriter& snapshot) const {
  if (foot_) foot_->save(snapshot);
  if (top_) top_->save(snapshot);
}

void ColumnSpecimen::restore(SnapshotReader& snapshot) {
  if (foot_) foot_->restore(snapshot);
  if (top_) top_->restore(snapshot);
}

}  // namespace trestle::simulated
