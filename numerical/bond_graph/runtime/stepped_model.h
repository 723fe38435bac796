#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/snapshot.h"
#include "core/math/state_space.h"
#include "numerical/bond_graph/right_hand_side.h"
#include "numerical/bond_graph/runtime/coupled_simulation_feedback.h"
#include "numerical/bond_graph/runtime/model_feedback.h"
#include "numerical/bond_graph/runtime/propagator.h"
#include "numerical/bond_graph/runtime/stepping_settings.h"
#include "numerical/bond_graph/substructuring.h"
#include "numerical/excitation/source_signal.h"

namespace trestle::bond_graph {

/// The augmented model with its sources, or with model feedback the model and the physical
/// part together: advances a state by whole steps and evaluates its outputs. A source gives
/// its mean over a step to the state, and its value at an instant to the outputs. Nothing
/// allocates after the constructor.
class SteppedModel {
 public:
  using Vector = Eigen::VectorXd;

  /// @param model       outlives this
  /// @param last_step   of the run and of what is predicted beyond it
  SteppedModel(const Substructuring& model, const SteppingSettings& settings,
               std::int64_t last_step);

  void reset() { system_.reset(); }
  void commit(const Vector& state) noexcept { system_.commit(state); }
  void save(SnapshotWriter& snapshot) const { system_.save(snapshot); }
  void restore(SnapshotReader& snapshot) { system_.restore(snapshot); }

  Eigen::Index states() const noexcept { return system_.states(); }
  bool is_linear() const noexcept { return linear_.has_value(); }
  /// Whether the force at the ports is computed, not measured.
  bool computes_load() const noexcept { return closed_ != nullptr; }
  /// Whether model and physical part exchange their motion and force once per step only.
  bool exchanges_once() const noexcept { return exchange_.has_value(); }
  /// A propagator of another period of this model.
  Propagator propagator(double period) { return {linear_, system_, period}; }

  // The state moves from step·Δt to the next. @returns false if an algebraic loop does not
  // converge; the state is then worthless.

  /// The force is held.
  bool advance(std::int64_t step, Vector& state, const Vector& force) noexcept;
  /// The force moves on a straight line.
  bool advance(std::int64_t step, Vector& state, const Vector& force,
               const Vector& force_after) noexcept;
  /// With exchanges_once(). @param load  F_P at the step's beginning
  /// @param velocity  v_N of every port at the step's beginning [m/s]
  bool exchange(std::int64_t step, Vector& state, const Vector& load,
                const Vector& velocity) noexcept;

  /// The force in front, then the mean of every source over the step from step·Δt on. Valid
  /// until the next call.
  const Vector& mean_inputs(std::int64_t step, const Vector& force) noexcept;
  /// Computes rate() and output() with the means over a step. @returns false as above
  bool evaluate_mean(std::int64_t step, const Vector& state, const Vector& force) noexcept;
  /// Computes rate() and output() at an instant [steps]. @returns false as above
  bool evaluate(double step, const Vector& state, const Vector& force) noexcept;
  /// As evaluate() with inputs(). @returns false as above
  bool evaluate(const Vector& state) noexcept;
  /// Fills inputs() with the force in front, then the sources at an instant [steps].
  void set_inputs(double step, const Vector& force) noexcept;
  const Vector& rate() const noexcept { return rate_; }
  const Vector& output() const noexcept { return output_; }
  const Vector& inputs() const noexcept { return value_; }
  Vector& inputs() noexcept { return value_; }

 private:
  void fill_means(std::int64_t step, const Vector& force, Vector& input) const noexcept;

  std::unique_ptr<ModelFeedback> closed_;
  RightHandSide& system_;
  std::optional<math::StateSpace> linear_;
  Propagator step_;
  std::optional<CoupledSimulationFeedback> exchange_;
  std::vector<excitation::SampledSource> sources_;  // in the order of the inputs
  Vector before_, after_, value_, rate_, output_;
};

}  // namespace trestle::bond_graph
