#include "studies/identification/passage_integrator.h"

namespace trestle::identification {

PassageIntegrator::PassageIntegrator(const PassageGeometry& geometry,
                                     const PassageCase& passage)
    : geometry_(geometry),
      matrices_(vehicle_matrices(passage.vehicle, passage.values)),
      loads_(passage, matrices_),
      freedoms_(passage.vehicle.freedom_count()),
      axles_(passage.vehicle.axle_count()),
      columns_(passage.columns()),
      a0_(4.0 / (geometry.step * geometry.step)),
      a1_(2.0 / geometry.step),
      girder_(geometry, axles_, columns_) {
  motion_.y = motion_.yd = motion_.ydd = Eigen::MatrixXd::Zero(freedoms_, columns_);
  motion_.u = motion_.ud = motion_.force = Eigen::MatrixXd::Zero(axles_, columns_);
  compliance_ = compliance_d_ = Eigen::MatrixXd::Zero(axles_, axles_);
  free_u_ = free_ud_ = Eigen::VectorXd::Zero(axles_);
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
  const RoadInput* const road = loads_.road(column);
  if (road == nullptr) return;
  free_u_ += road->height.row(k).transpose();
  free_ud_ += geometry_.speed * road->slope.row(k).transpose();
}

/// At rest, the accelerations are those that the road's first height asks for.
void PassageIntegrator::start() {
  const math::LuFactor mass(matrices_.mass);
  const Eigen::Index n = freedoms_;
  for (Eigen::Index column = 0; column < columns_; ++column) {
    free_u_.setZero();
    free_ud_.setZero();
    read_road(0, column);
    motion_.u.col(column) = free_u_;
    motion_.ud.col(column) = free_ud_;
    loads_.compute(column, motion_, true);
    const Eigen::VectorXd pull = loads_.on_freedoms() -
                                 matrices_.stiffness.topRightCorner(n, axles_) * free_u_ -
                                 matrices_.damping.topRightCorner(n, axles_) * free_ud_;
    Eigen::VectorXd acceleration = pull;
    mass.solve(pull, acceleration);
    motion_.ydd.col(column) = acceleration;
    motion_.force.col(column) =
        loads_.on_contacts() -
        matrices_.stiffness.bottomRightCorner(axles_, axles_) * free_u_ -
        matrices_.damping.bottomRightCorner(axles_, axles_) * free_ud_;
    girder_.start(column, motion_.force);
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

void PassageIntegrator::step_column(Eigen::Index k, Eigen::Index column) {
  const Eigen::Index n = freedoms_;
  const auto& K = matrices_.stiffness;
  const auto& C = matrices_.damping;
  girder_.predict(column);
  for (Eigen::Index a = 0; a < axles_; ++a) free_u_(a) = girder_.displacement(k, a);
  free_ud_.setZero();
  if (contact_damping_) {
    girder_.predict_velocity(column);
    for (Eigen::Index a = 0; a < axles_; ++a) free_ud_(a) = girder_.velocity(k, a);
  }
  read_road(k, column);
  loads_.compute(column, motion_, false);
  auto y = motion_.y.col(column);
  auto yd = motion_.yd.col(column);
  auto ydd = motion_.ydd.col(column);
  right_.head(n) = loads_.on_freedoms();
  right_.tail(axles_) = loads_.on_contacts();
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
  motion_.force.col(column) = solution_.tail(axles_);
  ydd = a0_ * (solution_.head(n) - y) - 2.0 * a1_ * yd - ydd;
  yd = a1_ * (solution_.head(n) - y) - yd;
  y = solution_.head(n);
  if (column == 0) {
    motion_.u.col(0) = free_u_ + compliance_ * motion_.force.col(0);
    if (contact_damping_)
      motion_.ud.col(0) = free_ud_ + compliance_d_ * motion_.force.col(0);
    else
      motion_.ud.col(0) = free_ud_;
  }
  girder_.correct(k, column, motion_.force);
}

}  // namespace trestle::identification
