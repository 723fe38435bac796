#include "studies/pretest/linear_substructure_model.h"

#include <utility>

#include "numerical/structure/combined_matrices.h"

namespace trestle::pretest {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Asks an integrator, one state at a time.
class Probe {
 public:
  Probe(integration::TimeIntegrator& integrator,
        const structure::StructuralModel& structure)
      : integrator_(integrator),
        springs_(structure::numerical_stiffness(structure) - structure.stiffness),
        equations_(structure.equations) {
    const VectorXd zero = VectorXd::Zero(equations_);
    state_ = predicted_ = {zero, zero, zero};
    integrator_.start(zero, state_);
    SnapshotWriter memory;
    integrator_.save(memory);
    size_ = 3 * equations_ + static_cast<Index>(memory.values().size());
  }

  Index size() const noexcept { return size_; }

  void set(const VectorXd& values) {
    state_ = {values.head(equations_), values.segment(equations_, equations_),
              values.segment(2 * equations_, equations_)};
    const VectorXd memory = values.tail(size_ - 3 * equations_);
    SnapshotReader reader({memory.data(), static_cast<std::size_t>(memory.size())});
    integrator_.restore(reader);
  }
  VectorXd get() const {
    VectorXd values(size_);
    values << state_.displacement, state_.velocity, state_.acceleration,
        VectorXd::Zero(size_ - 3 * equations_);
    SnapshotWriter memory;
    integrator_.save(memory);
    for (std::size_t i = 0; i < memory.values().size(); ++i)
      values[3 * equations_ + static_cast<Index>(i)] = memory.values()[i];
    return values;
  }

  void predict() { integrator_.predict(state_); }
  void correct(const VectorXd& load) {
    const VectorXd whole = load - springs_ * state_.displacement;
    integrator_.correct(whole, state_);
  }

  // With several commands in a step.
  void set_prediction(const VectorXd& values) {
    predicted_ = {values.head(equations_), values.segment(equations_, equations_),
                  values.tail(equations_)};
  }
  VectorXd prediction() const {
    VectorXd values(3 * equations_);
    values << predicted_.displacement, predicted_.velocity, predicted_.acceleration;
    return values;
  }
  void begin_step() {
    predicted_ = state_;
    integrator_.predict(predicted_);
  }
  void iterate(const VectorXd& load, int command) {
    integrator_.iterate(load, predicted_, command);
  }
  void end_step(const VectorXd& load) {
    integrator_.correct(load, predicted_);
    std::swap(state_, predicted_);
  }

  /// Displacements, velocities, accelerations, one below the other.
  VectorXd targets(const std::vector<int>& equations) const {
    const auto count = static_cast<Index>(equations.size());
    VectorXd values(3 * count);
    for (Index i = 0; i < count; ++i) {
      const integration::DofMotion motion =
          integrator_.target(state_, equations[static_cast<std::size_t>(i)]);
      values[i] = motion.displacement;
      values[count + i] = motion.velocity;
      values[2 * count + i] = motion.acceleration;
    }
    return values;
  }

 private:
  integration::TimeIntegrator& integrator_;
  structure::SparseMatrix springs_;
  Index equations_;
  Index size_ = 0;
  integration::StructuralState state_;
  integration::StructuralState predicted_;  // with several commands in a step
};

/// Returns the load by these answers: p − f.
VectorXd load_by(const VectorXd& forces, const structure::StructuralModel& structure,
                 const LoopEquations& equations) {
  VectorXd load = VectorXd::Zero(structure.equations);
  for (Index i = 0; i < forces.size(); ++i)
    load[equations.loaded[static_cast<std::size_t>(i)]] -= forces[i];
  return load;
}

/// The state of a command: of the structure with the scheme's memory, the prediction of the
/// step, the last answers.
LinearSubstructureModel linearise_command(Probe& probe, int command, int commands,
                                          const structure::StructuralModel& structure,
                                          const LoopEquations& equations) {
  const Index own = probe.size();
  const Index motion = 3 * structure.equations;
  const auto forces = static_cast<Index>(equations.loaded.size());
  const Index size = own + motion + forces;
  LinearSubstructureModel form{
      .A = MatrixXd::Zero(size, size),
      .B = MatrixXd::Zero(size, forces),
      .C = MatrixXd(3 * static_cast<Index>(equations.controlled.size()), size)};
  const auto keep = [&](Eigen::Ref<VectorXd> column) {
    column.head(own) = probe.get();
    column.segment(own, motion) = probe.prediction();
  };
  for (Index j = 0; j < size; ++j) {
    const VectorXd unit = VectorXd::Unit(size, j);
    probe.set(unit.head(own));
    probe.set_prediction(unit.segment(own, motion));
    if (command == 1) probe.begin_step();
    probe.iterate(load_by(unit.tail(forces), structure, equations), command);
    form.C.col(j) = probe.targets(equations.controlled);
    if (command == commands) probe.end_step(VectorXd::Zero(structure.equations));
    keep(form.A.col(j));
  }
  for (Index i = 0; i < forces; ++i) {
    probe.set(VectorXd::Zero(own));
    probe.set_prediction(VectorXd::Zero(motion));
    if (command == commands)
      probe.end_step(load_by(VectorXd::Unit(forces, i), structure, equations));
    keep(form.B.col(i));
    form.B(own + motion + i, i) = 1.0;
  }
  return form;
}

}  // namespace

LinearSubstructureModel linearise(integration::TimeIntegrator& integrator,
                                  const structure::StructuralModel& structure,
                                  const LoopEquations& equations) {
  Probe probe(integrator, structure);
  if (const int commands = integrator.commands(); commands > 1) {
    LinearSubstructureModel first =
        linearise_command(probe, 1, commands, structure, equations);
    for (int command = 2; command <= commands; ++command)
      first.further.push_back(
          linearise_command(probe, command, commands, structure, equations));
    return first;
  }
  const Index size = probe.size();
  const bool solved = integrator.uses_previous_step_force();
  LinearSubstructureModel form{
      .A = MatrixXd(size, size),
      .B = MatrixXd(size, static_cast<Index>(equations.loaded.size())),
      .C = MatrixXd(3 * static_cast<Index>(equations.controlled.size()), size),
      .uses_previous_step_force = solved};
  const VectorXd rest = VectorXd::Zero(structure.equations);
  for (Index j = 0; j < size; ++j) {
    probe.set(VectorXd::Unit(size, j));
    if (solved) form.C.col(j) = probe.targets(equations.controlled);
    probe.predict();
    if (!solved) form.C.col(j) = probe.targets(equations.controlled);
    probe.correct(rest);
    form.A.col(j) = probe.get();
  }
  for (Index i = 0; i < form.B.cols(); ++i) {
    probe.set(VectorXd::Zero(size));
    probe.predict();
    probe.correct(-VectorXd::Unit(structure.equations,
                                  equations.loaded[static_cast<std::size_t>(i)]));
    form.B.col(i) = probe.get();
  }
  return form;
}

}  // namespace trestle::pretest
