#pragma once

#include <Eigen/Core>

#include "studies/identification/girder.h"

namespace trestle::identification {

/// What a passage has worked out once for all its marches.
struct PassageGeometry {
  const Girder& girder;
  const Eigen::MatrixXd& contact_shapes;  ///< modes × (steps · axles)
  const Eigen::MatrixXd& contact_slopes;  ///< likewise
  const Eigen::ArrayXd& flexibility;      ///< per mode
  double step;                            ///< [s]
  double speed;                           ///< [m/s]
};

/// The girder under the axles of one passage, in modal coordinates: Newmark's average
/// acceleration, first without the contact forces of the step, then with them. Each column
/// is one motion.
class GirderMotion {
 public:
  GirderMotion(const PassageGeometry& geometry, Eigen::Index axles, Eigen::Index columns);

  /// Modal motion (order 0), velocity (1) or acceleration (2): modes × columns.
  const Eigen::MatrixXd& modal(int order) const {
    return order == 0 ? q_ : order == 1 ? qd_ : qdd_;
  }

  /// At rest at instant 0, under these contact forces.
  void start(Eigen::Index column, const Eigen::MatrixXd& force);

  /// Predicts the motion at the next instant without contact forces, for the functions
  /// below.
  void predict(Eigen::Index column);
  double displacement(Eigen::Index k, Eigen::Index axle) const;
  void predict_velocity(Eigen::Index column);
  double velocity(Eigen::Index k, Eigen::Index axle) const;
  /// Completes the step to instant k. @param force  contacts: axles × columns
  void correct(Eigen::Index k, Eigen::Index column, const Eigen::MatrixXd& force);

 private:
  PassageGeometry geometry_;
  Eigen::Index axles_;
  double a0_, a1_;                              // 4/dt², 2/dt
  Eigen::ArrayXd keep_q_, keep_qd_, keep_qdd_;  // of the prediction, per mode
  Eigen::MatrixXd q_, qd_, qdd_;                // modes × columns
  Eigen::VectorXd predicted_;                   // modes
  Eigen::VectorXd predicted_d_;
};

}  // namespace trestle::identification
