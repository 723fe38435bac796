#pragma once

#include <Eigen/Core>
#include <vector>

#include "studies/identification/vehicle_matrices.h"
#include "studies/identification/vehicle_passage.h"

namespace trestle::identification {

/// One passage of a vehicle of certain values, and what is asked of it. All outlive the
/// march.
struct PassageCase {
  const VehicleModel& vehicle;
  const Eigen::VectorXd& values;             ///< one per element
  const std::vector<Eigen::Index>& unknown;  ///< elements: a sensitivity each
  const std::vector<RoadInput>& shapes;      ///< of the road: a sensitivity each
  const RoadInput& road;

  /// The motion, then its sensitivities.
  Eigen::Index columns() const {
    return 1 + static_cast<Eigen::Index>(unknown.size() + shapes.size());
  }
};

/// The vehicle over the girder: a column for each motion, as PassageCase::columns().
struct VehicleMotion {
  Eigen::MatrixXd y, yd, ydd;  ///< freedoms × columns
  Eigen::MatrixXd u, ud;       ///< contacts: axles × columns
  Eigen::MatrixXd force;       ///< axles × columns
};

/// What excites each column of a passage: the motion by weight and road, a sensitivity by
/// its element in the motion that was just found, or by its shape of the road.
class PassageLoads {
 public:
  PassageLoads(const PassageCase& passage, const VehicleMatrices& matrices);

  /// Computes the loads of a column: for the motion the weight; for an element −e·b in the
  /// motion just found, and its weight; for a road shape none.
  /// @param at_start  the vehicle stands still
  void compute(Eigen::Index column, const VehicleMotion& motion, bool at_start);
  const Eigen::VectorXd& on_freedoms() const { return on_freedoms_; }
  const Eigen::VectorXd& on_contacts() const { return on_contacts_; }

  /// The road of a column: null for an element.
  const RoadInput* road(Eigen::Index column) const;

 private:
  PassageCase passage_;
  Eigen::VectorXd weight_;
  Eigen::MatrixXd weight_derivatives_;
  Eigen::VectorXd on_freedoms_, on_contacts_;
};

}  // namespace trestle::identification
