#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/math/lu_factor.h"
#include "studies/identification/girder.h"
#include "studies/identification/vehicle_matrices.h"
#include "studies/identification/vehicle_passage.h"

namespace trestle::identification {

/// The values of a passage that are computed once for all its integrations.
struct PassageGeometry {
  const Girder& girder;
  const Eigen::MatrixXd& contact_shapes;  ///< modes × (steps · axles)
  const Eigen::MatrixXd& contact_slopes;  ///< likewise
  const Eigen::ArrayXd& flexibility;      ///< per mode
  double step;                            ///< [s]
  double speed;                           ///< [m/s]
};

/// The state of one passage, marched step by step: column 0 is the motion, the others are
/// its sensitivities.
class PassageIntegrator {
 public:
  PassageIntegrator(const PassageGeometry& geometry, const VehicleModel& vehicle,
                    const Eigen::VectorXd& values, const std::vector<Eigen::Index>& unknown,
                    const std::vector<RoadInput>& shapes, const RoadInput& road);

  Eigen::Index column_count() const { return columns_; }

  /// Goes to instant k; 0 first, which puts everything at rest on the road.
  void advance(Eigen::Index k);

  /// The girder's modal motion (order 0), velocity (1) or acceleration (2): modes ×
  /// columns.
  const Eigen::MatrixXd& modal(int order) const {
    return order == 0 ? q_ : order == 1 ? qd_ : qdd_;
  }

 private:
  void start();
  void factor_step(Eigen::Index k);
  void step_column(Eigen::Index k, Eigen::Index column);
  void predict_modes(Eigen::Index column);
  void correct_modes(Eigen::Index k, Eigen::Index column);
  /// Loads of a sensitivity: −e·b of its element in the motion just found, and its weight.
  void add_source(Eigen::Index column, bool at_start);
  /// Road under the axles, in a column.
  void read_road(Eigen::Index k, Eigen::Index column);

  PassageGeometry geometry_;
  const VehicleModel& vehicle_;
  const std::vector<Eigen::Index>& unknown_;
  const std::vector<RoadInput>& shapes_;
  const RoadInput& road_;
  VehicleMatrices matrices_;
  Eigen::MatrixXd weight_derivatives_;
  std::vector<Eigen::VectorXd> unknown_shapes_;  // b of each unknown element

  Eigen::Index freedoms_, axles_, columns_;
  double a0_, a1_;                              // 4/dt², 2/dt
  Eigen::ArrayXd keep_q_, keep_qd_, keep_qdd_;  // of the prediction, per mode
  Eigen::MatrixXd q_, qd_, qdd_;                // modes × columns
  Eigen::MatrixXd y_, yd_, ydd_;                // freedoms × columns
  Eigen::MatrixXd u_, ud_;                      // contacts: axles × columns
  Eigen::MatrixXd force_;                       // axles × columns

  Eigen::VectorXd predicted_;  // modes
  Eigen::VectorXd predicted_d_;
  Eigen::MatrixXd compliance_;        // contact displacement per force
  Eigen::MatrixXd compliance_d_;      // contact velocity per force
  Eigen::VectorXd free_u_, free_ud_;  // contact motion without force, road included
  Eigen::VectorXd right_, solution_;
  Eigen::VectorXd source_v_, source_c_;
  Eigen::MatrixXd system_;
  LuFactor factor_;
  bool contact_damping_ = false;
};

}  // namespace trestle::identification
