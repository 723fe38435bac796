#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/evaluation/sliding_synchronisation.h"
#include "core/ports/numerical_substructure.h"
#include "numerical/bond_graph/runtime/coupled_simulation_feedback.h"
#include "numerical/bond_graph/runtime/model_feedback.h"
#include "numerical/bond_graph/runtime/propagator.h"
#include "numerical/bond_graph/substructuring.h"
#include "numerical/excitation/source_signal.h"

namespace trestle::bond_graph {

/// Which site's controlled DOF a port is.
struct PortLocation {
  std::size_t site = 0;
  Eigen::Index dof = 0;
  std::string name;  ///< of the DOF: `left.x`
};

struct SteppingSettings {
  double time_step = 0.0;  ///< Δt [s]
  std::int64_t steps = 0;
  std::vector<PortLocation> ports;    ///< in port order
  std::vector<SourceSignal> sources;  ///< of some of the sources; the others stand still
  bool virtual_junction = true;
  bool model_feedback = false;  ///< the physical part is computed, the rigs only follow
  /// Interpolates the force between two measurements; otherwise it is held. With
  /// model_feedback, model and physical part form one system; otherwise they exchange
  /// values once per step.
  bool first_order_hold = true;
  double lead = 0.5;          ///< [steps]
  std::vector<double> delay;  ///< of every port, beside its transfer's dynamics [s]
};

/// A step near rest, sources at zero:
///
///   y[k] = C·s[k−1],  s[k] = A·s[k−1] + B·F[k]
///
/// y: displacement target of each port, in port order, then velocity, then acceleration.
struct StepMatrices {
  Eigen::MatrixXd A;  // NOLINT(readability-identifier-naming): the symbols of the field
  Eigen::MatrixXd B;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C;  // NOLINT(readability-identifier-naming)
};

/// A bond graph's augmented numerical substructure, one step at a time: Gawthrop, Wallace
/// and Wagg (2005).
///
/// predict(k) knows the state at (k − 1)·Δt with the forces measured then. Its target is
/// the wanted displacement z at k·Δt, where the answer to step k is read; the virtual
/// junction's output goes out as the command for the whole of it (command_feedforward =
/// F_T/k_t, feedforward_target = target), computed for `lead` steps and the known delay
/// ahead. correct(k) moves the state on to k·Δt by what was measured there. Sources give
/// their mean over a step to the state, and their value to what the command takes from them
/// directly.
///
/// Per port it records `<dof>.disp_m` (z), `.vel_m_s` (v_N), `.measured_m`, `.load_N` (F_P
/// that moved the model) and `.command_m`, of every source `source.<name>`, the outputs
/// that the model file asks for in the numerical part, and per port how measured has
/// followed z over the last second: `.sync_error`, `.sync_amplitude`, `.sync_axes`,
/// `.sync_delay_s`.
class BondGraphSubstructure final : public NumericalSubstructure {
 public:
  BondGraphSubstructure(Substructuring model, const SteppingSettings& settings);

  std::int64_t steps() const noexcept override { return settings_.steps; }
  void prepare() override;
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override;
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override;
  void snapshot(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// For the stability of the loop; set-up only, discards the run. For a nonlinear law it
  /// uses small motions.
  StepMatrices linearise();

  const AugmentedSubstructure& augmented() const noexcept { return model_.augmented; }
  const SteppingSettings& settings() const noexcept { return settings_; }

 private:
  using Vector = Eigen::VectorXd;

  Eigen::Index ports() const noexcept { return force_.size(); }
  void fill_means(std::int64_t step, const Vector& force, Vector& input) const noexcept;
  void fill_values(double step, const Vector& force, Vector& input) const noexcept;
  bool predict_force(std::int64_t step, std::size_t port) noexcept;
  bool command(std::int64_t step) noexcept;
  bool target(std::int64_t step) noexcept;
  bool advance(std::int64_t step, const Vector& measured_force) noexcept;
  void read_output() noexcept;
  void read_requested_outputs() noexcept;

  Substructuring model_;
  SteppingSettings settings_;
  std::unique_ptr<ModelFeedback> closed_;
  RightHandSide& system_;
  std::optional<StateSpace> linear_;
  static constexpr std::int64_t kSilence = -1000;  ///< a step before all sources
  Propagator step_;
  std::optional<CoupledSimulationFeedback>
      sampled_;                         // of a model that is asked once per step
  std::vector<Propagator> rest_;        // per port: of its lead, beside whole steps
  std::vector<std::int64_t> whole_;     // per port: steps of its lead
  std::vector<SampledSource> sources_;  // in the order of the inputs
  std::vector<SlidingSynchronisation> followed_;  // per port
  RightHandSide* asked_of_ = nullptr;             // where the file asks for outputs
  Channels channels_;

  // State of the run at the time now_·Δt.
  std::int64_t now_ = -1;
  Vector x_;
  Vector force_;         // measured then
  Vector force_before_;  // a step earlier
  Vector measured_;      // displacement
  Vector command_;       // went out last [m]
  Vector load_;          // F_P that moves the model: measured, or computed
  bool sound_ = true;

  // Room.
  Vector before_, after_, value_, rate_, output_, ahead_, reach_;
  Vector wanted_, velocity_, next_velocity_, expected_;
  Vector own_, own_input_, own_rate_, asked_;
};

}  // namespace trestle::bond_graph
