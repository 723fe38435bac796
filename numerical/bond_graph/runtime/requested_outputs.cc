#include "numerical/bond_graph/runtime/requested_outputs.h"

namespace trestle::bond_graph {

using Eigen::VectorXd;

RequestedOutputs::RequestedOutputs(const Substructuring& model,
                                   const SteppingSettings& settings) {
  if (settings.physical_outputs) physical_.emplace(model, settings.time_step);
  if (model.numerical.outputs.size() <= model.augmented.ports.size()) return;
  system_ = model.numerical.right_hand_side.get();
  state_ = VectorXd::Zero(model.augmented.numerical_states);
  rate_ = state_;
  input_ = VectorXd::Zero(system_->inputs());
  values_ = VectorXd::Zero(system_->outputs());
}

void RequestedOutputs::reset() {
  if (system_ != nullptr) system_->reset();
  if (physical_) physical_->reset();
}

bool RequestedOutputs::begin(const VectorXd& measured) noexcept {
  return !physical_ || physical_->begin(measured);
}

bool RequestedOutputs::advance(const VectorXd& measured) noexcept {
  return !physical_ || physical_->advance(measured);
}

bool RequestedOutputs::read(const VectorXd& state, const VectorXd& inputs,
                            const VectorXd& load) noexcept {
  if (system_ == nullptr) return true;
  state_ = state.head(state_.size());
  input_ = inputs;
  input_.head(load.size()) = load;
  const bool sound = system_->evaluate(state_, input_, rate_, values_);
  system_->commit(state_);
  return sound;
}

void RequestedOutputs::save(SnapshotWriter& snapshot) const {
  if (system_ != nullptr) system_->save(snapshot);
  if (physical_) physical_->save(snapshot);
}

void RequestedOutputs::restore(SnapshotReader& snapshot) {
  if (system_ != nullptr) system_->restore(snapshot);
  if (physical_) physical_->restore(snapshot);
}

}  // namespace trestle::bond_graph
