#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ports/numerical_substructure.h"
#include "numerical/bond_graph/graph_system.h"
#include "numerical/bond_graph/runtime/propagator.h"
#include "numerical/excitation/source_signal.h"

namespace trestle::bond_graph {

/// A graph and beside it the displacements of its first N flow outputs, as states behind
/// its own: outputs are those of the graph, then the displacements.
class DisplacementAugmentedSystem final : public RightHandSide {
 public:
  /// @param graph  outlives this
  DisplacementAugmentedSystem(RightHandSide& graph, Eigen::Index ports);

  Eigen::Index states() const noexcept override { return x_.size() + ports_; }
  Eigen::Index inputs() const noexcept override { return graph_.inputs(); }
  Eigen::Index outputs() const noexcept override { return output_.size() + ports_; }
  bool evaluate(const Eigen::VectorXd& x, const Eigen::VectorXd& u, Eigen::VectorXd& rate,
                Eigen::VectorXd& output) noexcept override;
  void commit(const Eigen::VectorXd& x) noexcept override;
  void reset() noexcept override { graph_.reset(); }
  void save(SnapshotWriter& snapshot) const override { graph_.save(snapshot); }
  void restore(SnapshotReader& snapshot) override { graph_.restore(snapshot); }

 private:
  RightHandSide& graph_;
  Eigen::Index ports_;
  Eigen::VectorXd x_, rate_, output_;
};

struct EmulatedSettings {
  double time_step = 0.0;  ///< Δt [s]
  std::int64_t steps = 0;
  std::vector<std::string> dofs;  ///< names of the ports, in port order
  std::vector<excitation::SourceSignal>
      sources;  ///< of some of the sources; the others stand still
  /// Outputs that are recorded as `output.<name>`, as the test beside it records its own.
  std::vector<std::string> compared = {};
};

/// The whole bond graph without a cut, with which a test is compared. It requests nothing
/// from a site. Linear graphs go exactly from step to step under sources that keep their
/// mean over a step, others by Runge and Kutta. It begins in the initial states of its
/// storages, one step before time 0; displacements of ports count from there.
///
/// Per port it records `<dof>.disp_m`, `.vel_m_s` and `.force_N` (F_P), then the outputs
/// that the model file asks for, by their names, then `source.<name>`.
class EmulatedStructure final : public NumericalSubstructure {
 public:
  /// @param whole  from the sources to v, then F of every port, then asked-for outputs
  EmulatedStructure(GraphSystem whole, const EmulatedSettings& settings);

  std::int64_t steps() const noexcept override { return settings_.steps; }
  void prepare() override;
  void predict(std::int64_t /*step*/, std::span<SiteTarget> /*none*/) noexcept override {}
  bool correct(std::int64_t step, std::span<const SiteResponse> none) noexcept override;
  const Channels& channels() const noexcept override { return channels_; }
  void record(std::span<double> row) const noexcept override;
  void snapshot(SnapshotWriter& snapshot) const override;
  void restore(SnapshotReader& snapshot) override;

 private:
  GraphSystem whole_;
  EmulatedSettings settings_;
  DisplacementAugmentedSystem system_;
  Propagator step_;
  std::vector<excitation::SampledSource> sources_;
  Channels channels_;
  Eigen::VectorXd x_, input_, rate_, output_;
};

}  // namespace trestle::bond_graph
