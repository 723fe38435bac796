#include "studies/identification/passage_integrator.h"

namespace trestle::identification {

PassageIntegrator::PassageIntegrator(const PassageGeometry& geometry,
                                     const VehicleModel& vehicle,
                                     const Eigen::VectorXd& values,
                                     const std::vector<Eigen::Index>& unknown,
                                     const std::vector<RoadInput>& shapes,
                                     const RoadInput& road)
    : geometry_(geometry),
      vehicle_(vehicle),
      unknown_(unknown),
      shapes_(shapes),
      road_(road),
      matrices_(vehicle_matrices(vehicle, values)),
      weight_derivatives_(weight_derivatives(vehicle, matrices_, unknown)),
      freedoms_(vehicle.freedom_count()),
      axles_(vehicle.axle_count()),
      columns_(1 + static_cast<Eigen::Index>(unknown.size() + shapes.size())),
      a0_(4.0 / (geometry.step * geometry.step)),
      a1_(2.0 / geometry.step) {
  for (const Eigen::Index element : unknown)
    unknown_shapes_.push_back(
        element_shape(vehicle.elements[static_cast<std::size_t>(element)]));
  const Eigen::Index modes = geometry.girder.mode_count();
  const auto damping = geometry.girder.damping().array();
  keep_q_ = geometry.flexibility * (a0_ + a1_ * damping);
  keep_qd_ = geometry.flexibility * (2.0 * a1_ + damping);
  keep_qdd_ = geometry.flexibility;
  q_ = qd_ = qdd_ = Eigen::MatrixXd::Zero(modes, columns_);
  y_ = yd_ = ydd_ = Eigen::MatrixXd::Zero(freedoms_, columns_);
  u_ = ud_ = force_ = Eigen::MatrixXd::Zero(axles_, columns_);
  predicted_ = predicted_d_ = Eigen::VectorXd::Zero(modes);
  compliance_ = compliance_d_ = Eigen::MatrixXd::Zero(axles_, axles_);
  free_u_ = free_ud_ = source_c_ = Eigen::VectorXd::Zero(axles_);
  source_v_ = Eigen::VectorXd::Zero(freedoms_);
  right_ = solution_ = Eigen::VectorXd::Zero(freedoms_ + axles_);
  system_ = Eigen::MatrixXd::Zero(freedoms_ + axles_, freedoms_ + axles_);
  contact_damping_ = !matrices_.damping.rightCols(axles_).isZero(0.0);
}

void PassageIntegrator::advance(Eigen::Index k) {
  if (k == 0) {
    start();
    return;
  }
  factor_step(k);
  for (Eigen::Index column = 0; column < columns_; ++column) step_column(k, column);
}

void PassageIntegrator::read_road(Eigen::Index k, Eigen::Index column) {
  const auto parameters = static_cast<Eigen::Index>(unknown_.size());
  if (column > 0 && column <= parameters) return;
  const RoadInput& road =
      column == 0 ? road_ : shapes_[static_cast<std::size_t>(column - parameters - 1)];
  free_u_ += road.height.row(k).transpose();
  free_ud_ += geometry_.speed * road.slope.row(k).transpose();
}

/// At rest, the accelerations are those that the road's first height asks for.
void PassageIntegrator::start() {
  const LuFactor mass(matrices_.mass);
  const Eigen::Index n = freedoms_;
  for (Eigen::Index column = 0; column < columns_; ++column) {
    free_u_.setZero();
    free_ud_.setZero();
    read_road(0, column);
    u_.col(column) = free_u_;
    ud_.col(column) = free_ud_;
    add_source(column, true);
    const Eigen::VectorXd pull = source_v_ -
                                 matrices_.stiffness.topRightCorner(n, axles_) * free_u_ -
                                 matrices_.damping.topRightCorner(n, axles_) * free_ud_;
    Eigen::VectorXd acceleration = pull;
    mass.solve(pull, acceleration);
    ydd_.col(column) = acceleration;
    force_.col(column) = source_c_ -
                         matrices_.stiffness.bottomRightCorner(axles_, axles_) * free_u_ -
                         matrices_.damping.bottomRightCorner(axles_, axles_) * free_ud_;
    qdd_.col(column) = geometry_.contact_shapes.leftCols(axles_) * force_.col(column);
  }
}

void PassageIntegrator::factor_step(Eigen::Index k) {
  const Eigen::Index n = freedoms_;
  const auto shapes = geometry_.contact_shapes.middleCols(k * axles_, axles_);
  const auto& K = matrices_.stiffness;
  const auto& C = matrices_.damping;
  for (Eigen::Index a = 0; a < axles_; ++a)
    for (Eigen::Index b = 0; b < axles_; ++b)
      compliance_(a, b) =
          (shapes.col(a).array() * geometry_.flexibility * shapes.col(b).array()).sum();
  system_.topLeftCorner(n, n) =
      a0_ * matrices_.mass + a1_ * C.topLeftCorner(n, n) + K.topLeftCorner(n, n);
  system_.topRightCorner(n, axles_).noalias() = K.topRightCorner(n, axles_) * compliance_;
  system_.bottomLeftCorner(axles_, n) =
      K.bottomLeftCorner(axles_, n) + a1_ * C.bottomLeftCorner(axles_, n);
  system_.bottomRightCorner(axles_, axles_).noalias() =
      K.bottomRightCorner(axles_, axles_) * compliance_;
  system_.bottomRightCorner(axles_, axles_).diagonal().array() += 1.0;
  if (contact_damping_) {
    const auto slopes = geometry_.contact_slopes.middleCols(k * axles_, axles_);
    for (Eigen::Index a = 0; a < axles_; ++a)
      for (Eigen::Index b = 0; b < axles_; ++b)
        compliance_d_(a, b) =
            a1_ * compliance_(a, b) +
            geometry_.speed *
                (slopes.col(a).array() * geometry_.flexibility * shapes.col(b).array())
                    .sum();
    system_.topRightCorner(n, axles_).noalias() +=
        C.topRightCorner(n, axles_) * compliance_d_;
    system_.bottomRightCorner(axles_, axles_).noalias() +=
        C.bottomRightCorner(axles_, axles_) * compliance_d_;
  }
  factor_.compute(system_);
}

void PassageIntegrator::predict_modes(Eigen::Index column) {
  predicted_.array() = keep_q_ * q_.col(column).array() +
                       keep_qd_ * qd_.col(column).array() +
                       keep_qdd_ * qdd_.col(column).array();
}

void PassageIntegrator::correct_modes(Eigen::Index k, Eigen::Index column) {
  for (Eigen::Index a = 0; a < axles_; ++a)
    predicted_.array() += force_(a, column) * geometry_.flexibility *
                          geometry_.contact_shapes.col(k * axles_ + a).array();
  auto q = q_.col(column).array();
  auto qd = qd_.col(column).array();
  auto qdd = qdd_.col(column).array();
  qdd = a0_ * (predicted_.array() - q) - 2.0 * a1_ * qd - qdd;
  qd = a1_ * (predicted_.array() - q) - qd;
  q = predicted_.array();
}

void PassageIntegrator::add_source(Eigen::Index column, bool at_start) {
  source_v_.setZero();
  source_c_.setZero();
  if (column == 0) {
    source_c_ = matrices_.weight;
    return;
  }
  const Eigen::Index j = column - 1;
  if (j >= static_cast<Eigen::Index>(unknown_.size())) return;
  const VehicleElement& element =
      vehicle_.elements[static_cast<std::size_t>(unknown_[static_cast<std::size_t>(j)])];
  source_c_ = weight_derivatives_.col(j);
  if (element.quantity == VehicleQuantity::kMass ||
      element.quantity == VehicleQuantity::kInertia) {
    source_v_ -= element.freedoms.dot(ydd_.col(0)) * element.freedoms;
    return;
  }
  const bool spring = element.quantity == VehicleQuantity::kStiffness;
  const double e = spring ? (at_start ? 0.0 : element.freedoms.dot(y_.col(0))) +
                                element.contacts.dot(u_.col(0))
                          : (at_start ? 0.0 : element.freedoms.dot(yd_.col(0))) +
                                element.contacts.dot(ud_.col(0));
  source_v_ -= e * element.freedoms;
  source_c_ -= e * element.contacts;
}

void PassageIntegrator::step_column(Eigen::Index k, Eigen::Index column) {
  const Eigen::Index n = freedoms_;
  const auto& K = matrices_.stiffness;
  const auto& C = matrices_.damping;
  predict_modes(column);
  for (Eigen::Index a = 0; a < axles_; ++a)
    free_u_(a) = geometry_.contact_shapes.col(k * axles_ + a).dot(predicted_);
  free_ud_.setZero();
  if (contact_damping_) {
    predicted_d_ = a1_ * (predicted_ - q_.col(column)) - qd_.col(column);
    for (Eigen::Index a = 0; a < axles_; ++a)
      free_ud_(a) =
          geometry_.contact_shapes.col(k * axles_ + a).dot(predicted_d_) +
          geometry_.speed * geometry_.contact_slopes.col(k * axles_ + a).dot(predicted_);
  }
  read_road(k, column);
  add_source(column, false);
  auto y = y_.col(column);
  auto yd = yd_.col(column);
  auto ydd = ydd_.col(column);
  right_.head(n) = source_v_;
  right_.tail(axles_) = source_c_;
  right_.head(n).noalias() += matrices_.mass * (a0_ * y + 2.0 * a1_ * yd + ydd);
  right_.head(n).noalias() += C.topLeftCorner(n, n) * (a1_ * y + yd);
  right_.head(n).noalias() -= K.topRightCorner(n, axles_) * free_u_;
  right_.tail(axles_).noalias() -= K.bottomRightCorner(axles_, axles_) * free_u_;
  if (contact_damping_) {
    right_.head(n).noalias() -= C.topRightCorner(n, axles_) * free_ud_;
    right_.tail(axles_).noalias() -= C.bottomRightCorner(axles_, axles_) * free_ud_;
    right_.tail(axles_).noalias() += C.bottomLeftCorner(axles_, n) * (a1_ * y + yd);
  }
  factor_.solve(right_, solution_);
  force_.col(column) = solution_.tail(axles_);
  ydd = a0_ * (solution_.head(n) - y) - 2.0 * a1_ * yd - ydd;
  yd = a1_ * (solution_.head(n) - y) - yd;
  y = solution_.head(n);
  if (column == 0) {
    u_.col(0) = free_u_ + compliance_ * force_.col(0);
    if (contact_damping_)
      ud_.col(0) = free_ud_ + compliance_d_ * force_.col(0);
    else
      ud_.col(0) = free_ud_;
  }
  correct_modes(k, column);
}

}  // namespace trestle::identification
