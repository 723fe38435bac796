#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "studies/identification/girder.h"
#include "studies/identification/identification_problem.h"
#include "studies/identification/nodal_reconstruction.h"
#include "studies/identification/orthogonal_functions.h"
#include "studies/identification/parameter_estimate.h"

namespace trestle::identification {

/// The model's side of the nodal differences.
enum class DetourBias {
  kKept,     ///< its own motion of the points, as published
  kRemoved,  ///< its strains, on the readings' way to the points
};

struct NodalSettings {
  int order = 30;                               ///< functions of time, for each pass
  Measures quantity = Measures::kDisplacement;  ///< of the points; not strain
  std::vector<double> points;                   ///< [m]; empty: moving_nodes()
  NodalInverseSettings nodes;
  DetourBias bias = DetourBias::kKept;
  int most_iterations = 60;
  double tolerance = 1e-5;  ///< of the largest relative change
};

/// The error of a nodal estimate, to first order, of ln(parameters).
struct NodalError {
  Eigen::MatrixXd covariance;  ///< by the strains' noise, which the nodes' motion colours
  Eigen::VectorXd bias;        ///< estimate less truth, by what the way to the nodes loses
};

/// How the points' motion came about.
struct NodalSummary {
  int order = 0;
  Eigen::Index points = 0;
  Eigen::Index gauges = 0;
  Eigen::Index determined = 0;  ///< of the nodes' motions, by the gauges
  Eigen::Index motions = 0;     ///< of the nodes
  double lambda = 0.0;
};

/// Identification by the motion of the bridge's nodes instead of the strains themselves
/// (vehicle-bridge paper, equations 9 to 13). The strains of each pass become ε = C T with
/// orthogonal functions T of time, the nodes' displacements R = (ΦᵀΦ)⁻¹ Φᵀ C T, their
/// velocities and accelerations those of T' and T''. Regularised Gauss-Newton steps then
/// solve S Δp = ΔR, with relative parameters and without weights.
///
/// The road must be known, and every sensor a strain gauge. Allocates.
class NodalFit {
 public:
  /// @param problem, girder  must live as long as this
  NodalFit(const IdentificationProblem& problem, const Girder& girder,
           const NodalSettings& settings);

  /// Returns the points' motion, from the readings: a matrix for each pass, points ×
  /// samples [m, m/s or m/s²].
  const std::vector<Eigen::MatrixXd>& motion() const { return motion_; }
  const NodalSummary& summary() const { return summary_; }

  ParameterEstimate estimate() const;

  /// @param noise_level  of problem.noise
  NodalError error(const Eigen::VectorXd& parameters, double noise_level) const;

 private:
  /// The motion of all passes' points, and its derivatives.
  struct Model {
    Eigen::VectorXd motion;
    Eigen::MatrixXd by_logarithm;
  };

  Model model(const Eigen::VectorXd& parameters) const;
  /// Strains of all passes, sample by sample, to the points' motion, likewise.
  Eigen::VectorXd carried(const Eigen::VectorXd& strains) const;
  /// The transpose of carried().
  Eigen::VectorXd carried_back(const Eigen::VectorXd& motion) const;

  const IdentificationProblem& problem_;
  NodalSettings settings_;
  NodalSummary summary_;
  IdentificationProblem points_;  // the same passes, with the points as sensors
  std::vector<OrthogonalFunctions> functions_;
  Eigen::MatrixXd to_points_;  // points × gauges
  std::vector<Eigen::MatrixXd> motion_;
};

/// Says why the settings do not suit the study: a sensor that is no gauge, more functions
/// than the samples keep apart, a point off the bridge or at a support, gauges that leave
/// nodes open without regularisation.
std::optional<std::string> validate_nodal(const IdentificationProblem& problem,
                                          const Girder& girder,
                                          const NodalSettings& settings);

}  // namespace trestle::identification
