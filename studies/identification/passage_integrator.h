#pragma once

#include <Eigen/Core>

#include "core/math/lu_factor.h"
#include "studies/identification/girder_motion.h"
#include "studies/identification/passage_loads.h"
#include "studies/identification/vehicle_matrices.h"

namespace trestle::identification {

/// The state of one passage, marched step by step: column 0 is the motion, the others are
/// its sensitivities.
class PassageIntegrator {
 public:
  PassageIntegrator(const PassageGeometry& geometry, const PassageCase& passage);

  Eigen::Index column_count() const { return columns_; }

  /// Goes to instant k; 0 first, which puts everything at rest on the road.
  void advance(Eigen::Index k);

  /// The girder's modal motion (order 0), velocity (1) or acceleration (2): modes ×
  /// columns.
  const Eigen::MatrixXd& modal(int order) const { return girder_.modal(order); }

 private:
  void start();
  void factor_step(Eigen::Index k);
  void step_column(Eigen::Index k, Eigen::Index column);
  /// Adds the road under the axles to the contact motion.
  void read_road(Eigen::Index k, Eigen::Index column);

  PassageGeometry geometry_;
  VehicleMatrices matrices_;
  PassageLoads loads_;
  Eigen::Index freedoms_, axles_, columns_;
  double a0_, a1_;  // 4/dt², 2/dt
  GirderMotion girder_;
  VehicleMotion motion_;

  Eigen::MatrixXd compliance_;        // contact displacement per force
  Eigen::MatrixXd compliance_d_;      // contact velocity per force
  Eigen::VectorXd free_u_, free_ud_;  // contact motion without force, road included
  Eigen::VectorXd right_, solution_;
  Eigen::MatrixXd system_;
  math::LuFactor factor_;
  bool contact_damping_ = false;
};

}  // namespace trestle::identification
