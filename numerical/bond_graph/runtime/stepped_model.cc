#include "numerical/bond_graph/runtime/stepped_model.h"

#include <cmath>
#include <cstddef>
#include <string>

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

std::unique_ptr<ModelFeedback> closed_by_model(const Substructuring& model, bool wanted) {
  if (!wanted) return nullptr;
  return std::make_unique<ModelFeedback>(model.augmented.system, model.physical,
                                         static_cast<Index>(model.augmented.ports.size()));
}

std::optional<math::StateSpace> linear_form(const Substructuring& model,
                                            ModelFeedback* closed) {
  if (closed == nullptr) return model.augmented.system.linear;
  if (!model.augmented.system.linear || !model.physical.linear) return std::nullopt;
  return matrices_of(*closed);
}

}  // namespace

SteppedModel::SteppedModel(const Substructuring& model, const SteppingSettings& settings,
                           std::int64_t last_step)
    : closed_(closed_by_model(model, settings.model_feedback)),
      system_(closed_ ? static_cast<RightHandSide&>(*closed_)
                      : *model.augmented.system.right_hand_side),
      linear_(linear_form(model, closed_.get())),
      step_(linear_, system_, settings.time_step) {
  if (closed_ && !settings.first_order_hold) exchange_.emplace(model, settings.time_step);
  const std::vector<std::string>& inputs = model.augmented.system.inputs;
  for (std::size_t i = settings.ports.size(); i < inputs.size(); ++i)
    sources_.push_back(excitation::sampled(settings.sources, inputs[i], settings.time_step,
                                           last_step + 2));
  rate_ = VectorXd::Zero(system_.states());
  before_ = after_ = value_ = VectorXd::Zero(system_.inputs());
  output_ = VectorXd::Zero(system_.outputs());
}

bool SteppedModel::advance(std::int64_t step, VectorXd& state,
                           const VectorXd& force) noexcept {
  fill_means(step, force, before_);
  return step_.advance(state, before_, before_);
}

bool SteppedModel::advance(std::int64_t step, VectorXd& state, const VectorXd& force,
                           const VectorXd& force_after) noexcept {
  fill_means(step, force, before_);
  fill_means(step, force_after, after_);
  return step_.advance(state, before_, after_);
}

bool SteppedModel::exchange(std::int64_t step, VectorXd& state, const VectorXd& load,
                            const VectorXd& velocity) noexcept {
  fill_means(step, load, before_);
  return exchange_->advance(state, before_, velocity);
}

const VectorXd& SteppedModel::mean_inputs(std::int64_t step,
                                          const VectorXd& force) noexcept {
  fill_means(step, force, before_);
  return before_;
}

bool SteppedModel::evaluate_mean(std::int64_t step, const VectorXd& state,
                                 const VectorXd& force) noexcept {
  fill_means(step, force, before_);
  return system_.evaluate(state, before_, rate_, output_);
}

bool SteppedModel::evaluate(double step, const VectorXd& state,
                            const VectorXd& force) noexcept {
  set_inputs(step, force);
  return evaluate(state);
}

bool SteppedModel::evaluate(const VectorXd& state) noexcept {
  return system_.evaluate(state, value_, rate_, output_);
}

void SteppedModel::fill_means(std::int64_t step, const VectorXd& force,
                              VectorXd& input) const noexcept {
  input.head(force.size()) = force;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    input[force.size() + static_cast<Index>(i)] = sources_[i].step_mean(step);
}

void SteppedModel::set_inputs(double step, const VectorXd& force) noexcept {
  const auto whole = static_cast<std::int64_t>(std::floor(step));
  const double part = step - std::floor(step);
  value_.head(force.size()) = force;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    double value = sources_[i].at(whole);
    if (part > 0.0) value += part * (sources_[i].at(whole + 1) - value);
    value_[force.size() + static_cast<Index>(i)] = value;
  }
}

}  // namespace trestle::bond_graph
