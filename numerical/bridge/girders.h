#pragma once

#include <Eigen/Core>
#include <limits>
#include <memory>
#include <vector>

#include "numerical/bridge/mode_shapes.h"

namespace trestle::bridge {

/// One span of a girder.
struct GirderSpan {
  double length = 0.0;     ///< L [m], > 0
  double stiffness = 0.0;  ///< EI [N·m²], > 0
  double mass = 0.0;       ///< m [kg/m], > 0
};

/// What stands below a support.
struct PierSettings {
  double stiffness = std::numeric_limits<double>::infinity();  ///< [N/m]; infinite: rigid
  double mass = 0.0;                                           ///< that moves with it [kg]
};

/// Girders from left to right, each continuous over its spans, simply supported at the
/// joints between them.
struct Girders {
  std::vector<std::vector<GirderSpan>> spans;  ///< of each girder
  /// Of every support from left to right, one more than there are spans; the first and the
  /// last are rigid.
  std::vector<PierSettings> piers;

  bool simply_supported() const noexcept;  ///< one span each, on rigid piers
};

/// A bridge by its modes: q_n'' + 2 ζ_n ω_n q_n' + ω_n² q_n = Σ φ_n(x_i) F_i, F down.
struct BridgeModes {
  Eigen::VectorXd frequency;        ///< ω [rad/s], rising within each part
  std::vector<Eigen::Index> parts;  ///< modes of each part that moves on its own
  std::unique_ptr<const ModeShapes> shapes;
};

/// Sine modes of simply supported spans: ω_n = (nπ/L)² √(EI/m).
/// @pre girders.simply_supported()
BridgeModes sine_modes(const Girders& girders, int modes_per_span);

}  // namespace trestle::bridge
