#pragma once

#include <optional>
#include <vector>

#include "core/evaluation/sliding_synchronisation.h"
#include "core/ports/numerical_substructure.h"
#include "numerical/bond_graph/runtime/command_lead.h"
#include "numerical/bond_graph/runtime/requested_outputs.h"
#include "numerical/bond_graph/runtime/stepped_model.h"
#include "numerical/bond_graph/runtime/stepping_settings.h"
#include "numerical/bond_graph/substructuring.h"

namespace trestle::bond_graph {

/// A step near rest, sources at zero:
///
///   y[k] = C·s[k−1],  s[k] = A·s[k−1] + B·F[k]
///
/// y: displacement that each port is told, in port order, then velocity, then acceleration.
struct StepMatrices {
  Eigen::MatrixXd A;  // NOLINT(readability-identifier-naming): the symbols of the field
  Eigen::MatrixXd B;  // NOLINT(readability-identifier-naming)
  Eigen::MatrixXd C;  // NOLINT(readability-identifier-naming)
};

/// How one port is watched.
struct ObservedPort {
  evaluation::SlidingSynchronisation followed;
  std::optional<TransferIdentifier> transfer;
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
/// directly. The storages begin in their initial states at −Δt, where the rig is measured
/// first; the virtual junction begins at the measured position.
///
/// Per port it records `<dof>.disp_m` (z), `.vel_m_s` (v_N), `.measured_m`, `.load_N` (F_P
/// that moved the model) and `.command_m`, of every source `source.<name>`, the outputs
/// that the model file asks for in the numerical part, and per port how measured has
/// followed z over the last second: `.sync_error`, `.sync_amplitude`, `.sync_axes`,
/// `.sync_delay_s`. With identification per port `.identified_inertia`, `_damping` and
/// `_load` (m/k, c/k and load/k over the file's, as the junction uses them),
/// `.identified_excitation_m` and `.identified_frozen` (1: too little excitation). With
/// physical_outputs `output.<name>` of those in the physical part (y_s).
class BondGraphSubstructure final : public NumericalSubstructure {
 public:
  BondGraphSubstructure(Substructuring model, const SteppingSettings& settings);
  BondGraphSubstructure(const BondGraphSubstructure&) = delete;
  BondGraphSubstructure& operator=(const BondGraphSubstructure&) = delete;

  std::int64_t steps() const noexcept override { return settings_.steps; }
  void prepare() override;
  void predict(std::int64_t step, std::span<SiteTarget> requests) noexcept override;
  bool correct(std::int64_t step, std::span<const SiteResponse> answers) noexcept override;
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override;
  void snapshot(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

  /// For the stability of the loop; set-up only, forgets the run. With a law that is not
  /// linear: of pushes that are small.
  StepMatrices linearise();

  const AugmentedSubstructure& augmented() const noexcept { return model_.augmented; }
  const SteppingSettings& settings() const noexcept { return settings_; }

 private:
  using Vector = Eigen::VectorXd;
  static constexpr std::int64_t kSilence = -1000;  ///< a step before all sources

  Eigen::Index ports() const noexcept { return force_.size(); }
  bool command(std::int64_t step) noexcept;
  void observe() noexcept;
  bool target(std::int64_t step) noexcept;
  bool advance(std::int64_t step, const Vector& measured_force) noexcept;
  void read_output() noexcept;
  void begin_moved() noexcept;

  Substructuring model_;
  SteppingSettings settings_;
  SteppedModel stepped_;
  CommandLead lead_;
  RequestedOutputs requested_;
  std::vector<ObservedPort> observed_;
  Channels channels_;

  // Where the run stands: at now_·Δt.
  std::int64_t now_ = -1;
  Vector x_;
  Vector force_;         // measured then
  Vector force_before_;  // a step earlier
  Vector measured_;      // displacement
  Vector command_;       // went out last [m]
  Vector load_;          // F_P that moves the model: measured, or computed
  bool sound_ = true;

  // Of the ports, and a step ahead.
  Vector wanted_, velocity_, next_velocity_, expected_, ahead_;
};

}  // namespace trestle::bond_graph
