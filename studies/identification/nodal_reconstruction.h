#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "studies/identification/girder.h"
#include "studies/identification/tikhonov.h"
#include "studies/identification/vehicle_passage.h"

namespace trestle::identification {

/// The quantity of the nodes that regularisation keeps small.
enum class NodalNorm {
  kLoad,           ///< (Kʀ)ᵀ M⁻¹ (Kʀ): the static load on the girder
  kBending,        ///< ʀᵀ K ʀ: bending energy
  kDisplacements,  ///< ʀᵀ ʀ of displacements [m] and rotations [rad], as published
};

struct NodalInverseSettings {
  NodalNorm norm = NodalNorm::kLoad;
  Regularisation regularisation = Regularisation::kGcv;
};

/// Displacements of the girder's nodes from strains below it: the least squares solution of
/// Φ R = ε with Φ = −z H''(x) of each gauge, R = (ΦᵀΦ)⁻¹ Φᵀ ε (vehicle-bridge paper,
/// equations 9 to 11). With regularisation the R of least ‖Φ R − ε‖² + λ² norm(R), λ
/// chosen over all columns of ε together; it decides what gauges leave open, if they are
/// fewer than the motions of the nodes.
///
/// R is solved for in the girder's modes, which are as many as its nodes have motions and
/// lead to the same R. Allocates.
class NodalReconstruction {
 public:
  /// @param gauges  strain gauges on the girder
  /// @param strain  a row for each gauge; λ is chosen by these columns
  /// @pre with Regularisation::kNone the gauges determine the nodes: see gauged_motions()
  NodalReconstruction(const Girder& girder, const std::vector<Sensor>& gauges,
                      const NodalInverseSettings& settings, const Eigen::MatrixXd& strain);

  /// Returns λ; 0: no regularisation.
  double lambda() const { return lambda_; }

  /// Returns the matrix from strains to deflections [m] at the points: points × gauges.
  Eigen::MatrixXd deflections(const std::vector<double>& points) const;

 private:
  const Girder& girder_;
  double lambda_ = 0.0;
  Eigen::MatrixXd modal_;  // modes × gauges
};

/// Returns the rank of Φ: the number of independent motions of the nodes that the gauges
/// determine, at most the number of gauges. Of girder.mode_count().
Eigen::Index gauged_motions(const Girder& girder, const std::vector<Sensor>& gauges);

/// The nodes that can move, but for rotations: from left to right [m].
std::vector<double> moving_nodes(const Girder& girder);

}  // namespace trestle::identification
