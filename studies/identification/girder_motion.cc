#include "studies/identification/girder_motion.h"

namespace trestle::identification {

GirderMotion::GirderMotion(const PassageGeometry& geometry, Eigen::Index axles,
                           Eigen::Index columns)
    : geometry_(geometry),
      axles_(axles),
      a0_(4.0 / (geometry.step * geometry.step)),
      a1_(2.0 / geometry.step) {
  const Eigen::Index modes = geometry.girder.mode_count();
  const auto damping = geometry.girder.damping().array();
  keep_q_ = geometry.flexibility * (a0_ + a1_ * damping);
  keep_qd_ = geometry.flexibility * (2.0 * a1_ + damping);
  keep_qdd_ = geometry.flexibility;
  q_ = qd_ = qdd_ = Eigen::MatrixXd::Zero(modes, columns);
  predicted_ = predicted_d_ = Eigen::VectorXd::Zero(modes);
}

void GirderMotion::start(Eigen::Index column, const Eigen::MatrixXd& force) {
  qdd_.col(column) = geometry_.contact_shapes.leftCols(axles_) * force.col(column);
}

void GirderMotion::predict(Eigen::Index column) {
  predicted_.array() = keep_q_ * q_.col(column).array() +
                       keep_qd_ * qd_.col(column).array() +
                       keep_qdd_ * qdd_.col(column).array();
}

double GirderMotion::displacement(Eigen::Index k, Eigen::Index axle) const {
  return geometry_.contact_shapes.col(k * axles_ + axle).dot(predicted_);
}

void GirderMotion::predict_velocity(Eigen::Index column) {
  predicted_d_ = a1_ * (predicted_ - q_.col(column)) - qd_.col(column);
}

double GirderMotion::velocity(Eigen::Index k, Eigen::Index axle) const {
  return geometry_.contact_shapes.col(k * axles_ + axle).dot(predicted_d_) +
         geometry_.speed * geometry_.contact_slopes.col(k * axles_ + axle).dot(predicted_);
}

void GirderMotion::correct(Eigen::Index k, Eigen::Index column,
                           const Eigen::MatrixXd& force) {
  for (Eigen::Index a = 0; a < axles_; ++a)
    predicted_.array() += force(a, column) * geometry_.flexibility *
                          geometry_.contact_shapes.col(k * axles_ + a).array();
  auto q = q_.col(column).array();
  auto qd = qd_.col(column).array();
  auto qdd = qdd_.col(column).array();
  qdd = a0_ * (predicted_.array() - q) - 2.0 * a1_ * qd - qdd;
  qd = a1_ * (predicted_.array() - q) - qd;
  q = predicted_.array();
}

}  // namespace trestle::identification
