#include "studies/pretest/site_step_model.h"

namespace trestle::pretest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

void push(MatrixXd& past, const Eigen::Ref<const MatrixXd>& newest) {
  if (past.rows() == 0) return;
  const MatrixXd kept = past.topRows(past.rows() - 1);
  past.bottomRows(kept.rows()) = kept;
  past.row(0) = newest;
}

}  // namespace

SiteStepModel::SiteStepModel(const ClosedLoopSite& site, const std::vector<double>& delays,
                             Index probes)
    : site_(site) {
  const auto block = [probes](Index rows) {
    return MatrixXd(MatrixXd::Zero(rows, probes));
  };
  from_ = {block(site.controlled()), block(site.controlled()), block(site.controlled())};
  for (std::size_t i = 0; i < static_cast<std::size_t>(site.actuators()); ++i) {
    delays_.push_back(in_ticks(i < delays.size() ? delays[i] : 0.0, site.tick()));
    targets_.push_back(block(static_cast<Index>(site.compensator[i].targets.size()) - 1));
    commands_.push_back(block(static_cast<Index>(site.compensator[i].commands.size())));
    drives_.push_back(block(delays_.back().whole + (delays_.back().earlier > 0.0 ? 1 : 0)));
  }
  control_ = block(site.controller.A.rows());
  rig_ = block(site.rig.system.A.rows());
  specimen_ = block(site.specimen.system.A.rows());
  path_ = block(site.inertia_measured ? 0 : site.mass.cols());
  speed_ = path_;
  measured_ = block(site.actuators());
}

template <typename Self, typename Visit>
void SiteStepModel::each_block(Self& self, Visit visit) {
  // Between two targets alone is the last one needed.
  if (self.site_.ticks > 1)
    for (auto* one :
         {&self.from_.displacement, &self.from_.velocity, &self.from_.acceleration})
      visit(*one);
  for (auto* one : {&self.control_, &self.rig_, &self.specimen_, &self.path_, &self.speed_,
                    &self.measured_})
    visit(*one);
  for (auto* group : {&self.targets_, &self.commands_, &self.drives_})
    for (auto& one : *group) visit(one);
}

Index SiteStepModel::rows() const noexcept {
  Index sum = 0;
  each_block(*this, [&](const MatrixXd& one) { sum += one.rows(); });
  return sum;
}

void SiteStepModel::take(const MatrixXd& states, Index at) {
  each_block(*this, [&](MatrixXd& one) {
    one = states.middleRows(at, one.rows());
    at += one.rows();
  });
}

void SiteStepModel::give(MatrixXd& states, Index at) const {
  each_block(*this, [&](const MatrixXd& one) {
    states.middleRows(at, one.rows()) = one;
    at += one.rows();
  });
}

MatrixXd SiteStepModel::step(const StateBasisMotion& structure) {
  const double scale = site_.scale;
  const StateBasisMotion target{structure.displacement, structure.velocity / scale,
                                structure.acceleration / (scale * scale)};
  for (int tick = 1; tick <= site_.ticks; ++tick) {
    const StateBasisMotion at = between(target, tick);
    move(command({site_.to_actuators * at.displacement, site_.to_actuators * at.velocity,
                  site_.to_actuators * at.acceleration}));
    load();
    take_out(at.displacement);
  }
  from_ = target;
  return force_;
}

/// As predictor_corrector.h.
StateBasisMotion SiteStepModel::between(const StateBasisMotion& target, int tick) const {
  if (tick == site_.ticks) return target;
  const double h = site_.time_step;
  const double s = static_cast<double>(tick) / site_.ticks;
  const MatrixXd way = target.displacement - from_.displacement;
  return {from_.displacement + s * s * (3.0 - 2.0 * s) * way +
              h * s * (1.0 - s) * ((1.0 - s) * from_.velocity - s * target.velocity),
          6.0 * s * (1.0 - s) / h * way + (1.0 - s) * (1.0 - 3.0 * s) * from_.velocity +
              s * (3.0 * s - 2.0) * target.velocity,
          from_.acceleration + s * (target.acceleration - from_.acceleration)};
}

MatrixXd SiteStepModel::command(const StateBasisMotion& stroke) {
  MatrixXd result(stroke.displacement.rows(), stroke.displacement.cols());
  for (Index i = 0; i < result.rows(); ++i) {
    const auto actuator = static_cast<std::size_t>(i);
    const LinearCompensatorModel& form = site_.compensator[actuator];
    result.row(i) = form.targets[0] * stroke.displacement.row(i) +
                    form.velocity * stroke.velocity.row(i) +
                    form.acceleration * stroke.acceleration.row(i);
    for (std::size_t j = 1; j < form.targets.size(); ++j)
      if (form.targets[j] != 0.0)
        result.row(i) +=
            form.targets[j] * targets_[actuator].row(static_cast<Index>(j) - 1);
    for (std::size_t j = 0; j < form.commands.size(); ++j)
      result.row(i) += form.commands[j] * commands_[actuator].row(static_cast<Index>(j));
    push(targets_[actuator], stroke.displacement.row(i));
    push(commands_[actuator], result.row(i));
  }
  return result;
}

void SiteStepModel::move(const MatrixXd& command) {
  const LinearControllerModel& control = site_.controller;
  MatrixXd heard(2 * command.rows(), command.cols());
  heard << command, measured_;
  const MatrixXd drive = delayed(control.C * control_ + control.D * heard);
  control_ = control.A * control_ + control.B * heard;
  const math::DiscreteStateSpace& rig = site_.rig.system;
  motion_ = rig.C * rig_ + rig.D * drive;
  rig_ = rig.A * rig_ + rig.B * drive;
  measured_ = motion_.topRows(command.rows());
}

/// As carried_inertia.h.
void SiteStepModel::take_out(const MatrixXd& displacement) {
  if (site_.mass.size() == 0) return;
  if (site_.inertia_measured) {
    force_ -= site_.mass * (site_.to_interface *
                            motion_.middleRows(3 * site_.actuators(), site_.actuators()));
    return;
  }
  const MatrixXd speed = (displacement - path_) / site_.tick();
  force_ -= site_.mass * (speed - speed_) / site_.tick();
  path_ = displacement;
  speed_ = speed;
}

MatrixXd SiteStepModel::delayed(const MatrixXd& drive) {
  MatrixXd late = drive;
  for (Index i = 0; i < drive.rows(); ++i) {
    const auto actuator = static_cast<std::size_t>(i);
    const auto [whole, earlier] = delays_[actuator];
    MatrixXd& past = drives_[actuator];
    if (past.rows() == 0) continue;
    if (whole > 0) late.row(i) = past.row(whole - 1);
    if (earlier > 0.0) late.row(i) += earlier * (past.row(whole) - late.row(i));
    push(past, drive.row(i));
  }
  return late;
}

void SiteStepModel::load() {
  const Index m = site_.actuators();
  const Index dofs = site_.controlled();
  MatrixXd felt(3 * dofs, motion_.cols());
  for (Index quantity = 0; quantity < 3; ++quantity)
    felt.middleRows(quantity * dofs, dofs) =
        site_.to_interface * motion_.middleRows((quantity + 1) * m, m);
  const math::DiscreteStateSpace& specimen = site_.specimen.system;
  force_ = specimen.C * specimen_ + specimen.D * felt;
  specimen_ = specimen.A * specimen_ + specimen.B * felt;
  const MatrixXd through = site_.felt_force * force_.topRows(dofs);
  force_.topRows(dofs) = through;
}

}  // namespace trestle::pretest
