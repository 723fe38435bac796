#include "numerical/bond_graph/runtime/bond_graph_substructure.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kShort = 0.5;     // [steps]
constexpr double kFollowed = 1.0;  // memory of the synchronisation that is recorded [s]

/// Whole steps of a time, and what is left of it; rounding makes no rest.
struct Lead {
  std::int64_t whole;
  double rest;
};
Lead in_steps(double time, double step) {
  const double steps = time / step;
  const double whole = std::floor(steps + 1e-9);
  const double rest = steps - whole;
  return {static_cast<std::int64_t>(whole), rest < 1e-9 ? 0.0 : rest * step};
}

std::unique_ptr<ModelFeedback> closed_by_model(const Substructuring& model, bool wanted) {
  if (!wanted) return nullptr;
  return std::make_unique<ModelFeedback>(model.augmented.system, model.physical,
                                         static_cast<Index>(model.augmented.ports.size()));
}

std::optional<StateSpace> matrices_where_linear(const Substructuring& model,
                                                ModelFeedback* closed) {
  if (closed == nullptr) return model.augmented.system.linear;
  if (!model.augmented.system.linear || !model.physical.linear) return std::nullopt;
  return matrices_of(*closed);
}

/// The recorded channels: of every port, of the sources, requested outputs,
/// synchronisation.
Channels channels_of(const std::vector<PortLocation>& ports,
                     const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs) {
  Channels channels;
  for (const PortLocation& port : ports) {
    channels.push_back({port.name + ".disp_m", "m"});
    channels.push_back({port.name + ".vel_m_s", "m/s"});
    channels.push_back({port.name + ".measured_m", "m"});
    channels.push_back({port.name + ".load_N", "N"});
    channels.push_back({port.name + ".command_m", "m"});
  }
  for (std::size_t i = ports.size(); i < inputs.size(); ++i)
    channels.push_back({"source." + inputs[i], ""});
  for (std::size_t i = ports.size(); i < outputs.size(); ++i)
    channels.push_back({outputs[i], ""});
  for (const PortLocation& port : ports) {
    channels.push_back({port.name + ".sync_error", ""});
    channels.push_back({port.name + ".sync_amplitude", ""});
    channels.push_back({port.name + ".sync_axes", ""});
    channels.push_back({port.name + ".sync_delay_s", "s"});
  }
  return channels;
}

}  // namespace

BondGraphSubstructure::BondGraphSubstructure(Substructuring model,
                                             const SteppingSettings& settings)
    : model_(std::move(model)),
      settings_(settings),
      closed_(closed_by_model(model_, settings.model_feedback)),
      system_(closed_ ? static_cast<RightHandSide&>(*closed_)
                      : *model_.augmented.system.right_hand_side),
      linear_(matrices_where_linear(model_, closed_.get())),
      step_(linear_, system_, settings.time_step) {
  const auto n = static_cast<Index>(settings_.ports.size());
  assert(n == static_cast<Index>(model_.augmented.ports.size()));
  const double h = settings_.time_step;
  if (closed_ && !settings_.first_order_hold) sampled_.emplace(model_, h);
  std::int64_t farthest = 0;
  for (std::size_t i = 0; i < settings_.ports.size(); ++i) {
    const double delay = settings_.delay.empty() ? 0.0 : settings_.delay[i];
    const auto [whole, rest] = in_steps(delay + settings_.lead * h, h);
    whole_.push_back(whole);
    rest_.emplace_back(linear_, system_, rest);
    farthest = std::max(farthest, whole);
  }
  const std::vector<std::string>& inputs = model_.augmented.system.inputs;
  const std::vector<std::string>& outputs = model_.numerical.outputs;
  for (std::size_t i = settings_.ports.size(); i < inputs.size(); ++i)
    sources_.push_back(
        sampled(settings_.sources, inputs[i], h, settings_.steps + farthest + 2));
  channels_ = channels_of(settings_.ports, inputs, outputs);
  followed_.assign(settings_.ports.size(), SlidingSynchronisation(h, kFollowed));

  x_ = VectorXd::Zero(system_.states());
  rate_ = ahead_ = reach_ = x_;
  before_ = after_ = value_ = VectorXd::Zero(system_.inputs());
  output_ = VectorXd::Zero(system_.outputs());
  force_ = force_before_ = measured_ = command_ = wanted_ = velocity_ = next_velocity_ =
      expected_ = load_ = VectorXd::Zero(n);
  if (outputs.size() > settings_.ports.size()) {
    asked_of_ = model_.numerical.right_hand_side.get();
    own_ = VectorXd::Zero(model_.augmented.numerical_states);
    own_rate_ = own_;
    own_input_ = VectorXd::Zero(asked_of_->inputs());
    asked_ = VectorXd::Zero(asked_of_->outputs());
  }
  prepare();
}

void BondGraphSubstructure::prepare() {
  now_ = -1;
  sound_ = true;
  system_.reset();
  if (asked_of_ != nullptr) asked_of_->reset();
  for (SlidingSynchronisation& port : followed_) port.reset();
  for (VectorXd* all : {&x_, &force_, &force_before_, &measured_, &command_, &wanted_,
                        &velocity_, &next_velocity_, &expected_, &load_})
    all->setZero();
}

/// F in front, then the mean of every source over the step that begins at step·Δt.
void BondGraphSubstructure::fill_means(std::int64_t step, const VectorXd& force,
                                       VectorXd& input) const noexcept {
  input.head(ports()) = force;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    input[ports() + static_cast<Index>(i)] = sources_[i].step_mean(step);
}

/// F in front, then every source at this time [steps].
void BondGraphSubstructure::fill_values(double step, const VectorXd& force,
                                        VectorXd& input) const noexcept {
  const auto whole = static_cast<std::int64_t>(std::floor(step));
  const double part = step - std::floor(step);
  input.head(ports()) = force;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    double value = sources_[i].at(whole);
    if (part > 0.0) value += part * (sources_[i].at(whole + 1) - value);
    input[ports() + static_cast<Index>(i)] = value;
  }
}

/// Fills output_ as it will be when the command of this port acts.
bool BondGraphSubstructure::predict_force(std::int64_t step, std::size_t port) noexcept {
  const double delay = settings_.delay.empty() ? 0.0 : settings_.delay[port];
  if (delay == 0.0 && settings_.lead <= kShort) {
    // As published: half a step by the rates of its beginning.
    reach_ = x_;
    if (settings_.lead > 0.0) {
      fill_means(step, force_, before_);
      if (!system_.evaluate(x_, before_, rate_, output_)) return false;
      reach_ += settings_.lead * settings_.time_step * rate_;
    }
    fill_values(static_cast<double>(step), force_, value_);
    return system_.evaluate(reach_, value_, rate_, output_);
  }
  reach_ = x_;
  std::int64_t at = step;
  for (; at < step + whole_[port]; ++at) {
    fill_means(at, force_, before_);
    if (!step_.advance(reach_, before_, before_)) return false;
  }
  fill_means(at, force_, before_);
  if (!rest_[port].advance(reach_, before_, before_)) return false;
  fill_values(static_cast<double>(at) + rest_[port].period() / settings_.time_step, force_,
              value_);
  return system_.evaluate(reach_, value_, rate_, output_);
}

bool BondGraphSubstructure::command(std::int64_t step) noexcept {
  const Index n = ports();
  for (std::size_t i = 0; i < settings_.ports.size(); ++i) {
    if (!predict_force(step, i)) return false;
    const auto port = static_cast<Index>(i);
    const TransferSystemInfo& transfer = model_.augmented.transfers[i];
    command_[port] = output_[2 * n + port];
    if (!settings_.virtual_junction) continue;
    // The computed force drives the model; the measured force loads the transfer system.
    const double beyond = closed_ ? force_[port] - output_[3 * n + port] : 0.0;
    command_[port] = (output_[port] + transfer.load * beyond) / transfer.stiffness;
  }
  return true;
}

/// Predicts z and v_N one step ahead, with the force on its straight line.
bool BondGraphSubstructure::target(std::int64_t step) noexcept {
  const Index n = ports();
  fill_means(step, force_, before_);
  expected_ = 2.0 * force_ - force_before_;
  fill_means(step, expected_, after_);
  ahead_ = x_;
  if (!step_.advance(ahead_, before_, after_)) return false;
  fill_values(static_cast<double>(step + 1), expected_, value_);
  if (!system_.evaluate(ahead_, value_, rate_, output_)) return false;
  next_velocity_ = output_.segment(n, n);
  wanted_ = output_.segment(2 * n, n);
  return true;
}

void BondGraphSubstructure::predict(std::int64_t step,
                                    std::span<SiteTarget> requests) noexcept {
  const std::int64_t known = step - 1;
  assert(known == now_);
  sound_ = sound_ && command(known) && target(known);
  for (std::size_t i = 0; i < settings_.ports.size(); ++i) {
    const PortLocation& place = settings_.ports[i];
    const auto port = static_cast<Index>(i);
    SiteTarget& request = requests[place.site];
    const Index dofs = request.target.displacement.size();
    request.target.velocity[place.dof] = next_velocity_[port];
    request.target.acceleration[place.dof] =
        (next_velocity_[port] - velocity_[port]) / settings_.time_step;
    if (!settings_.virtual_junction) {
      request.target.displacement[place.dof] = command_[port];
      continue;
    }
    request.target.displacement[place.dof] = wanted_[port];
    if (request.command_feedforward.size() != dofs)
      request.command_feedforward.setZero(dofs);
    request.command_feedforward[place.dof] = command_[port];
    request.feedforward_target = request.target;
  }
}

bool BondGraphSubstructure::correct(std::int64_t step,
                                    std::span<const SiteResponse> answers) noexcept {
  for (std::size_t i = 0; i < settings_.ports.size(); ++i) {
    const SiteResponse& answer = answers[settings_.ports[i].site];
    const Index dof = settings_.ports[i].dof;
    expected_[static_cast<Index>(i)] = answer.force[dof];
    measured_[static_cast<Index>(i)] = answer.measured[dof];
  }
  if (step < 0) {
    force_ = force_before_ = expected_;
    x_.head(model_.augmented.start.rows()) = model_.augmented.start * measured_;
  } else {
    sound_ = advance(step - 1, expected_) && sound_;
  }
  now_ = step;
  read_output();
  read_requested_outputs();
  if (step >= 0)
    for (std::size_t i = 0; i < followed_.size(); ++i)
      followed_[i].add(wanted_[static_cast<Index>(i)], measured_[static_cast<Index>(i)]);
  return sound_ && x_.allFinite() && force_.allFinite();
}

/// From step·Δt to the next.
bool BondGraphSubstructure::advance(std::int64_t step,
                                    const VectorXd& measured_force) noexcept {
  force_before_ = force_;
  force_ = measured_force;
  fill_means(step, force_before_, before_);
  if (sampled_) {
    before_.head(ports()) = load_;
    if (!sampled_->advance(x_, before_, velocity_)) return false;
  } else {
    fill_means(step, settings_.first_order_hold ? force_ : force_before_, after_);
    if (!step_.advance(x_, before_, after_)) return false;
  }
  system_.commit(x_);
  return true;
}

void BondGraphSubstructure::read_output() noexcept {
  fill_values(static_cast<double>(now_), force_, value_);
  sound_ = sound_ && system_.evaluate(x_, value_, rate_, output_);
  const Index n = ports();
  velocity_ = output_.segment(n, n);
  wanted_ = output_.segment(2 * n, n);
  load_ = force_;
  if (closed_) load_ = output_.tail(n);
}

/// Reads the outputs that the model file requests in its numerical part.
void BondGraphSubstructure::read_requested_outputs() noexcept {
  if (asked_of_ == nullptr) return;
  own_ = x_.head(own_.size());
  own_input_ = value_;
  own_input_.head(ports()) = load_;
  sound_ = sound_ && asked_of_->evaluate(own_, own_input_, own_rate_, asked_);
  asked_of_->commit(own_);
}

StepMatrices BondGraphSubstructure::linearise() {
  const Index n = ports();
  const Index states = x_.size();
  const Index size = states + 2 * n;
  const double push = linear_ ? 1.0 : 1e-9;
  StepMatrices form{Eigen::MatrixXd(size, size), Eigen::MatrixXd(size, n),
                    Eigen::MatrixXd::Zero(3 * n, size)};
  const auto set = [&](const VectorXd& s) {
    prepare();
    x_ = s.head(states);
    force_ = s.segment(states, n);
    force_before_ = s.tail(n);
    now_ = kSilence;
    read_output();
  };
  const auto get = [&] {
    VectorXd s(size);
    s << x_, force_, force_before_;
    return VectorXd(s / push);
  };
  for (Index j = 0; j < size; ++j) {
    set(push * VectorXd::Unit(size, j));
    command(kSilence);
    target(kSilence);
    form.C.block(0, j, n, 1) = command_ / push;
    form.C.block(n, j, n, 1) = next_velocity_ / push;
    form.C.block(2 * n, j, n, 1) =
        (next_velocity_ - velocity_) / (push * settings_.time_step);
    advance(kSilence, VectorXd::Zero(n));
    form.A.col(j) = get();
  }
  for (Index j = 0; j < n; ++j) {
    set(VectorXd::Zero(size));
    advance(kSilence, push * VectorXd::Unit(n, j));
    form.B.col(j) = get();
  }
  prepare();
  return form;
}

void BondGraphSubstructure::record(std::span<double> row) const noexcept {
  std::size_t at = 0;
  const Index n = ports();
  for (Index i = 0; i < n; ++i) {
    row[at++] = wanted_[i];
    row[at++] = velocity_[i];
    row[at++] = measured_[i];
    row[at++] = load_[i];
    row[at++] = command_[i];
  }
  for (Index i = n; i < value_.size(); ++i) row[at++] = value_[i];
  for (Index i = n; i < asked_.size(); ++i) row[at++] = asked_[i];
  for (const SlidingSynchronisation& port : followed_) {
    const Synchronisation found = port.result();
    row[at++] = found.rms_relative;
    row[at++] = found.amplitude;
    row[at++] = found.axes;
    row[at++] = found.delay;
  }
}

void BondGraphSubstructure::snapshot(SnapshotWriter& snapshot) const {
  snapshot.add(static_cast<double>(now_));
  snapshot.add(sound_ ? 1.0 : 0.0);
  for (const VectorXd* all : {&x_, &force_, &force_before_, &measured_, &command_, &wanted_,
                              &velocity_, &load_, &value_, &asked_})
    snapshot.add(*all);
  system_.save(snapshot);
  if (asked_of_ != nullptr) asked_of_->save(snapshot);
  for (const SlidingSynchronisation& port : followed_) port.save(snapshot);
}

void BondGraphSubstructure::restore(SnapshotReader& snapshot) {
  now_ = static_cast<std::int64_t>(snapshot.next());
  sound_ = snapshot.next() != 0.0;
  for (VectorXd* all : {&x_, &force_, &force_before_, &measured_, &command_, &wanted_,
                        &velocity_, &load_, &value_, &asked_})
    snapshot.fill(*all);
  system_.restore(snapshot);
  if (asked_of_ != nullptr) asked_of_->restore(snapshot);
  for (SlidingSynchronisation& port : followed_) port.restore(snapshot);
}

}  // namespace trestle::bond_graph
