#include "numerical/bond_graph/runtime/bond_graph_substructure.h"

#include <cassert>
#include <utility>

namespace trestle::bond_graph {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kFollowed = 1.0;  // memory of the synchronisation that is recorded [s]

/// What is recorded: of every port, of the sources, asked-for outputs, synchronisation.
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

void add_identified(const std::vector<PortLocation>& ports, Channels& channels) {
  for (const PortLocation& port : ports) {
    channels.push_back({port.name + ".identified_inertia", ""});
    channels.push_back({port.name + ".identified_damping", ""});
    channels.push_back({port.name + ".identified_load", ""});
    channels.push_back({port.name + ".identified_excitation_m", "m"});
    channels.push_back({port.name + ".identified_frozen", ""});
  }
}

ObservedPort observed_port(const TransferSystemInfo& transfer,
                           const SteppingSettings& settings) {
  ObservedPort port{evaluation::SlidingSynchronisation(settings.time_step, kFollowed),
                    std::nullopt};
  if (settings.identification)
    port.transfer.emplace(
        NominalTransfer{transfer.mass, transfer.damping, transfer.stiffness, transfer.load},
        settings.time_step, *settings.identification);
  return port;
}

}  // namespace

BondGraphSubstructure::BondGraphSubstructure(Substructuring model,
                                             const SteppingSettings& settings)
    : model_(std::move(model)),
      settings_(settings),
      stepped_(model_, settings_, settings.steps + CommandLead::whole_steps(settings)),
      lead_(settings_, stepped_),
      requested_(model_, settings_),
      channels_(channels_of(settings_.ports, model_.augmented.system.inputs,
                            model_.numerical.outputs)) {
  const auto n = static_cast<Index>(settings_.ports.size());
  assert(n == static_cast<Index>(model_.augmented.ports.size()));
  for (const TransferSystemInfo& transfer : model_.augmented.transfers)
    observed_.push_back(observed_port(transfer, settings_));
  if (settings_.identification) add_identified(settings_.ports, channels_);
  if (const PhysicalOutputs* physical = requested_.physical())
    for (const std::string& name : physical->names())
      channels_.push_back({"output." + name, ""});
  x_ = ahead_ = VectorXd::Zero(stepped_.states());
  force_ = force_before_ = measured_ = command_ = wanted_ = velocity_ = next_velocity_ =
      expected_ = load_ = VectorXd::Zero(n);
  prepare();
}

void BondGraphSubstructure::prepare() {
  now_ = -1;
  sound_ = true;
  stepped_.reset();
  requested_.reset();
  for (ObservedPort& port : observed_) {
    port.followed.reset();
    if (port.transfer) port.transfer->begin(0.0, 0.0);
  }
  for (VectorXd* all : {&x_, &force_, &force_before_, &measured_, &command_, &wanted_,
                        &velocity_, &next_velocity_, &expected_, &load_})
    all->setZero();
}

bool BondGraphSubstructure::command(std::int64_t step) noexcept {
  const Index n = ports();
  for (std::size_t i = 0; i < settings_.ports.size(); ++i) {
    if (!lead_.predict(step, i, x_, force_)) return false;
    const VectorXd& output = stepped_.output();
    const auto port = static_cast<Index>(i);
    const TransferSystemInfo& transfer = model_.augmented.transfers[i];
    command_[port] = output[2 * n + port];
    if (!settings_.virtual_junction) continue;
    // What moves the model is computed, what loads the transfer system is measured.
    const double beyond =
        stepped_.computes_load() ? force_[port] - output[3 * n + port] : 0.0;
    command_[port] = (output[port] + transfer.load * beyond) / transfer.stiffness;
    if (settings_.identification && settings_.identification->corrects)
      command_[port] += observed_[i].transfer->correction(
          command_[port], output[2 * n + port], output[n + port], force_[port]);
  }
  return true;
}

/// What z and v_N will be a step later, the force on its straight line.
bool BondGraphSubstructure::target(std::int64_t step) noexcept {
  const Index n = ports();
  expected_ = 2.0 * force_ - force_before_;
  ahead_ = x_;
  if (!stepped_.advance(step, ahead_, force_, expected_)) return false;
  if (!stepped_.evaluate(static_cast<double>(step + 1), ahead_, expected_)) return false;
  next_velocity_ = stepped_.output().segment(n, n);
  wanted_ = stepped_.output().segment(2 * n, n);
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
    begin_moved();
    sound_ = requested_.begin(measured_) && sound_;
    for (std::size_t i = 0; i < observed_.size(); ++i)
      if (const auto port = static_cast<Index>(i); observed_[i].transfer)
        observed_[i].transfer->begin(measured_[port], force_[port]);
  } else {
    sound_ = advance(step - 1, expected_) && requested_.advance(measured_) && sound_;
  }
  now_ = step;
  read_output();
  sound_ = sound_ && requested_.read(x_, stepped_.inputs(), load_);
  if (step >= 0) observe();
  return sound_ && x_.allFinite() && force_.allFinite();
}

void BondGraphSubstructure::observe() noexcept {
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    const auto port = static_cast<Index>(i);
    observed_[i].followed.add(wanted_[port], measured_[port]);
    if (observed_[i].transfer)
      observed_[i].transfer->add(command_[port], measured_[port], force_[port]);
  }
}

/// The storages begin in their initial states; laws with memory know nothing else.
void BondGraphSubstructure::begin_moved() noexcept {
  const GraphSystem& own = model_.augmented.system;
  const GraphSystem& body = model_.physical;
  const bool computed = settings_.model_feedback && body.starts_moved();
  if (own.starts_moved()) x_.head(own.initial.size()) += own.initial;
  if (computed) x_.tail(body.initial.size()) = body.initial;
  if (own.starts_moved() || computed) stepped_.commit(x_);
}

/// From step·Δt to the next.
bool BondGraphSubstructure::advance(std::int64_t step,
                                    const VectorXd& measured_force) noexcept {
  force_before_ = force_;
  force_ = measured_force;
  const VectorXd& force_after = settings_.first_order_hold ? force_ : force_before_;
  const bool sound = stepped_.exchanges_once()
                         ? stepped_.exchange(step, x_, load_, velocity_)
                         : stepped_.advance(step, x_, force_before_, force_after);
  if (!sound) return false;
  stepped_.commit(x_);
  return true;
}

void BondGraphSubstructure::read_output() noexcept {
  stepped_.set_inputs(static_cast<double>(now_), force_);
  sound_ = sound_ && stepped_.evaluate(x_);
  const VectorXd& output = stepped_.output();
  const Index n = ports();
  velocity_ = output.segment(n, n);
  wanted_ = output.segment(2 * n, n);
  load_ = force_;
  if (stepped_.computes_load()) load_ = output.tail(n);
}

StepMatrices BondGraphSubstructure::linearise() {
  const Index n = ports();
  const Index states = x_.size();
  const Index size = states + 2 * n;
  const double push = stepped_.is_linear() ? 1.0 : 1e-9;
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
  const VectorXd& inputs = stepped_.inputs();
  for (Index i = n; i < inputs.size(); ++i) row[at++] = inputs[i];
  const VectorXd& requested = requested_.values();
  for (Index i = n; i < requested.size(); ++i) row[at++] = requested[i];
  for (const ObservedPort& port : observed_) {
    const evaluation::Synchronisation found = port.followed.result();
    row[at++] = found.rms_relative;
    row[at++] = found.amplitude;
    row[at++] = found.axes;
    row[at++] = found.delay;
  }
  for (const ObservedPort& port : observed_) {
    if (!port.transfer) continue;
    for (const double ratio : port.transfer->used()) row[at++] = ratio;
    row[at++] = port.transfer->excitation();
    row[at++] = port.transfer->frozen() ? 1.0 : 0.0;
  }
  if (const PhysicalOutputs* physical = requested_.physical())
    for (const double value : physical->values()) row[at++] = value;
}

void BondGraphSubstructure::snapshot(SnapshotWriter& snapshot) const {
  snapshot.add(static_cast<double>(now_));
  snapshot.add(sound_ ? 1.0 : 0.0);
  for (const VectorXd* all : {&x_, &force_, &force_before_, &measured_, &command_, &wanted_,
                              &velocity_, &load_, &stepped_.inputs(), &requested_.values()})
    snapshot.add(*all);
  stepped_.save(snapshot);
  requested_.save(snapshot);
  for (const ObservedPort& port : observed_) {
    port.followed.save(snapshot);
    if (port.transfer) port.transfer->save(snapshot);
  }
}

void BondGraphSubstructure::restore(SnapshotReader& snapshot) {
  now_ = static_cast<std::int64_t>(snapshot.next());
  sound_ = snapshot.next() != 0.0;
  for (VectorXd* all : {&x_, &force_, &force_before_, &measured_, &command_, &wanted_,
                        &velocity_, &load_, &stepped_.inputs(), &requested_.values()})
    snapshot.fill(*all);
  stepped_.restore(snapshot);
  requested_.restore(snapshot);
  for (ObservedPort& port : observed_) {
    port.followed.restore(snapshot);
    if (port.transfer) port.transfer->restore(snapshot);
  }
}

}  // namespace trestle::bond_graph
