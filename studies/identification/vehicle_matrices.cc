#include "studies/identification/vehicle_matrices.h"

#include <stdexcept>

#include "core/math/dense_solve.h"

namespace trestle::identification {
namespace {

bool is_mass(const VehicleElement& element) {
  return element.quantity == VehicleQuantity::kMass ||
         element.quantity == VehicleQuantity::kInertia;
}

/// Static deflection under the vehicle's own weight, ground at rest.
Eigen::VectorXd settled(const VehicleModel& model, const VehicleMatrices& matrices,
                        const Eigen::VectorXd& force) {
  const Eigen::Index n = model.freedom_count();
  const auto y =
      math::solve_if_regular(matrices.stiffness.topLeftCorner(n, n), force, 1e-14);
  if (!y)
    throw std::runtime_error(
        "the vehicle's springs do not carry it: a freedom has no stiffness");
  return *y;
}

}  // namespace

Eigen::VectorXd element_shape(const VehicleElement& element) {
  Eigen::VectorXd shape(element.freedoms.size() + element.contacts.size());
  shape << element.freedoms, element.contacts;
  return shape;
}

VehicleMatrices vehicle_matrices(const VehicleModel& model, const Eigen::VectorXd& values) {
  const Eigen::Index n = model.freedom_count(), all = n + model.axle_count();
  VehicleMatrices made{Eigen::MatrixXd::Zero(n, n),
                       Eigen::MatrixXd::Zero(all, all),
                       Eigen::MatrixXd::Zero(all, all),
                       {}};
  for (std::size_t i = 0; i < model.elements.size(); ++i) {
    const VehicleElement& element = model.elements[i];
    const double value = values(static_cast<Eigen::Index>(i));
    if (is_mass(element)) {
      made.mass += value * element.freedoms * element.freedoms.transpose();
      continue;
    }
    const Eigen::VectorXd b = element_shape(element);
    (element.quantity == VehicleQuantity::kDamping ? made.damping : made.stiffness) +=
        value * b * b.transpose();
  }
  const Eigen::VectorXd load = kGravity * made.mass * model.gravity;
  made.weight = -made.stiffness.bottomLeftCorner(all - n, n) * settled(model, made, load);
  return made;
}

Eigen::MatrixXd weight_derivatives(const VehicleModel& model,
                                   const VehicleMatrices& matrices,
                                   const std::vector<Eigen::Index>& unknown) {
  const Eigen::Index n = model.freedom_count(), axles = model.axle_count();
  const Eigen::VectorXd y =
      settled(model, matrices, kGravity * matrices.mass * model.gravity);
  const Eigen::MatrixXd carried = matrices.stiffness.bottomLeftCorner(axles, n);
  Eigen::MatrixXd derivatives =
      Eigen::MatrixXd::Zero(axles, static_cast<Eigen::Index>(unknown.size()));
  for (std::size_t j = 0; j < unknown.size(); ++j) {
    const VehicleElement& element = model.elements[static_cast<std::size_t>(unknown[j])];
    if (element.quantity == VehicleQuantity::kDamping) continue;
    auto column = derivatives.col(static_cast<Eigen::Index>(j));
    if (is_mass(element)) {
      const double pull = kGravity * element.freedoms.dot(model.gravity);
      column = -carried * settled(model, matrices, pull * element.freedoms);
    } else {
      const double e = element.freedoms.dot(y);
      column =
          -element.contacts * e - carried * settled(model, matrices, -e * element.freedoms);
    }
  }
  return derivatives;
}

}  // namespace trestle::identification
