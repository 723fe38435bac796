#include "numerical/bond_graph/runtime/physical_outputs.h"

#include <cstddef>

namespace trestle::bond_graph {

using Eigen::Index;
using Eigen::VectorXd;

PhysicalOutputs::PhysicalOutputs(const Substructuring& model, double period)
    : system_(*model.physical.right_hand_side),
      initial_(model.physical.initial),
      period_(period),
      step_(model.physical.linear, system_, period),
      state_(VectorXd::Zero(system_.states())),
      displacement_(VectorXd::Zero(static_cast<Index>(model.augmented.ports.size()))),
      before_(displacement_),
      input_(VectorXd::Zero(system_.inputs())),
      rate_(state_),
      output_(VectorXd::Zero(system_.outputs())) {
  const auto ports = model.augmented.ports.size();
  for (std::size_t i = ports; i < model.physical.outputs.size(); ++i)
    names_.push_back(model.physical.outputs[i]);
  values_ = VectorXd::Zero(static_cast<Index>(names_.size()));
}

void PhysicalOutputs::reset() noexcept {
  system_.reset();
  for (VectorXd* all : {&state_, &displacement_, &before_, &input_, &values_})
    all->setZero();
  if (initial_.size() == 0 || initial_.isZero(0.0)) return;
  state_ = initial_;
  system_.commit(state_);
}

bool PhysicalOutputs::begin(const VectorXd& displacement) noexcept {
  displacement_ = displacement;
  before_.setZero();
  input_.setZero();
  return read();
}

bool PhysicalOutputs::advance(const VectorXd& displacement) noexcept {
  const Index ports = displacement_.size();
  input_.head(ports) = (displacement - displacement_) / period_;
  displacement_ = displacement;
  if (!step_.advance(state_, input_, input_)) return false;
  system_.commit(state_);
  // At the end of the period: means of two periods on a straight line.
  output_.head(ports) = input_.head(ports);
  input_.head(ports) += 0.5 * (input_.head(ports) - before_);
  before_ = output_.head(ports);
  return read();
}

bool PhysicalOutputs::read() noexcept {
  if (!system_.evaluate(state_, input_, rate_, output_)) return false;
  values_ = output_.tail(values_.size());
  return true;
}

template <typename Self, typename Archive>
void PhysicalOutputs::visit(Self& self, Archive& archive) {
  archive(self.state_, self.displacement_, self.before_, self.values_);
}

void PhysicalOutputs::save(SnapshotWriter& snapshot) const {
  visit(*this, snapshot);
  system_.save(snapshot);
}

void PhysicalOutputs::restore(SnapshotReader& snapshot) {
  visit(*this, snapshot);
  system_.restore(snapshot);
}

}  // namespace trestle::bond_graph
