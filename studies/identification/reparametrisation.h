#pragma once

#include <Eigen/Core>
#include <vector>

#include "studies/identification/vehicle_model.h"

namespace trestle::identification {

/// Parameters in which the response is nearly linear and well scaled: the logarithms of the
/// total mass M, of the other masses over the first, of what stands between the vehicle's
/// own freedoms over the first mass, and of what touches the road over M. For the quarter
/// car: ln M, ln(mv2/mv1), ln(cv/mv1), ln(kv1/mv1), ln(kv2/M).
class Reparametrisation {
 public:
  Reparametrisation(const VehicleModel& vehicle, const std::vector<Eigen::Index>& unknown);

  Eigen::VectorXd theta(const Eigen::VectorXd& parameters) const;
  Eigen::VectorXd parameters(const Eigen::VectorXd& theta) const;

  /// d ln(parameter) / d theta at these parameters.
  Eigen::MatrixXd slope(const Eigen::VectorXd& parameters) const;

  /// Returns the index of ln M; −1 if no mass is unknown.
  Eigen::Index total() const { return first_mass_; }

 private:
  enum class Over { kItself, kFirstMass, kTotal, kNothing };

  double total_mass(const Eigen::VectorXd& parameters) const;

  Eigen::Index first_mass_ = -1;
  std::vector<bool> is_mass_;
  std::vector<Over> over_;
};

}  // namespace trestle::identification
