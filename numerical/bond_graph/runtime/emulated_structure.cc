#include "numerical/bond_graph/runtime/emulated_structure.h"

#include <algorithm>
#include <utility>

#include "numerical/bond_graph/runtime/model_feedback.h"

namespace trestle::bond_graph {

using Eigen::Index;
using Eigen::VectorXd;

DisplacementAugmentedSystem::DisplacementAugmentedSystem(RightHandSide& graph, Index ports)
    : graph_(graph),
      ports_(ports),
      x_(VectorXd::Zero(graph.states())),
      rate_(x_),
      output_(VectorXd::Zero(graph.outputs())) {}

bool DisplacementAugmentedSystem::evaluate(const VectorXd& x, const VectorXd& u,
                                           VectorXd& rate, VectorXd& output) noexcept {
  x_ = x.head(x_.size());
  if (!graph_.evaluate(x_, u, rate_, output_)) return false;
  rate.head(x_.size()) = rate_;
  rate.tail(ports_) = output_.head(ports_);
  output.head(output_.size()) = output_;
  output.tail(ports_) = x.tail(ports_);
  return true;
}

void DisplacementAugmentedSystem::commit(const VectorXd& x) noexcept {
  x_ = x.head(x_.size());
  graph_.commit(x_);
}

namespace {

std::optional<math::StateSpace> matrices_where_linear(const GraphSystem& whole,
                                                      RightHandSide& positioned) {
  if (!whole.linear) return std::nullopt;
  return matrices_of(positioned);
}

}  // namespace

EmulatedStructure::EmulatedStructure(GraphSystem whole, const EmulatedSettings& settings)
    : whole_(std::move(whole)),
      settings_(settings),
      system_(*whole_.right_hand_side, static_cast<Index>(settings.dofs.size())),
      step_(matrices_where_linear(whole_, system_), system_, settings.time_step),
      x_(VectorXd::Zero(system_.states())),
      input_(VectorXd::Zero(system_.inputs())),
      rate_(x_),
      output_(VectorXd::Zero(system_.outputs())) {
  for (const std::string& input : whole_.inputs)
    sources_.push_back(excitation::sampled(settings_.sources, input, settings_.time_step,
                                           settings_.steps + 2));
  for (const std::string& dof : settings_.dofs) {
    channels_.push_back({dof + ".disp_m", "m"});
    channels_.push_back({dof + ".vel_m_s", "m/s"});
    channels_.push_back({dof + ".force_N", "N"});
  }
  const std::vector<std::string>& compared = settings_.compared;
  for (std::size_t i = 2 * settings_.dofs.size(); i < whole_.outputs.size(); ++i) {
    const std::string& name = whole_.outputs[i];
    const bool beside = std::find(compared.begin(), compared.end(), name) != compared.end();
    channels_.push_back({beside ? "output." + name : name, ""});
  }
  for (const std::string& input : whole_.inputs)
    channels_.push_back({"source." + input, ""});
  prepare();
}

void EmulatedStructure::prepare() {
  system_.reset();
  for (VectorXd* all : {&x_, &input_, &output_}) all->setZero();
  if (!whole_.starts_moved()) return;
  x_.head(whole_.initial.size()) = whole_.initial;
  system_.commit(x_);
}

bool EmulatedStructure::correct(std::int64_t step,
                                std::span<const SiteResponse> /*none*/) noexcept {
  if (step >= 0) {
    for (std::size_t i = 0; i < sources_.size(); ++i)
      input_[static_cast<Index>(i)] = sources_[i].step_mean(step - 1);
    if (!step_.advance(x_, input_, input_)) return false;
    system_.commit(x_);
  }
  for (std::size_t i = 0; i < sources_.size(); ++i)
    input_[static_cast<Index>(i)] = sources_[i].at(step);
  return system_.evaluate(x_, input_, rate_, output_) && x_.allFinite();
}

void EmulatedStructure::record(std::span<double> row) const noexcept {
  std::size_t at = 0;
  const auto n = static_cast<Index>(settings_.dofs.size());
  const Index asked = output_.size() - n;
  for (Index i = 0; i < n; ++i) {
    row[at++] = output_[asked + i];
    row[at++] = output_[i];
    row[at++] = output_[n + i];
  }
  for (Index i = 2 * n; i < asked; ++i) row[at++] = output_[i];
  for (Index i = 0; i < input_.size(); ++i) row[at++] = input_[i];
}

void EmulatedStructure::snapshot(SnapshotWriter& snapshot) const {
  for (const VectorXd* all : {&x_, &input_, &output_}) snapshot.add(*all);
  system_.save(snapshot);
}

void EmulatedStructure::restore(SnapshotReader& snapshot) {
  for (VectorXd* all : {&x_, &input_, &output_}) snapshot.fill(*all);
  system_.restore(snapshot);
}

}  // namespace trestle::bond_graph
