#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numerical/bond_graph/runtime/transfer_identifier.h"
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
  std::vector<PortLocation> ports;  ///< in port order
  std::vector<excitation::SourceSignal>
      sources;  ///< of some of the sources; the others stand still
  bool virtual_junction = true;
  bool model_feedback = false;  ///< the physical part is computed, the rigs only follow
  /// Of the force between two measurements; else it is held. With model_feedback model and
  /// physical part are then one system, else each is told of the other once per step.
  bool first_order_hold = true;
  double lead = 0.5;          ///< [steps]
  std::vector<double> delay;  ///< of every port, beside its transfer's dynamics [s]
  /// The outputs in the physical part are computed under the measured motion. Not with
  /// model_feedback.
  bool physical_outputs = false;
  /// Of every port's transfer system. With the virtual junction, without delay; the model
  /// gives each mass, damping and stiffness.
  std::optional<IdentificationSettings> identification = std::nullopt;

  double delay_of(std::size_t port) const noexcept {
    return delay.empty() ? 0.0 : delay[port];
  }
};

}  // namespace trestle::bond_graph
