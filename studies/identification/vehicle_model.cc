#include "studies/identification/vehicle_model.h"

#include <algorithm>

namespace trestle::identification {
namespace {

Eigen::VectorXd row(std::initializer_list<double> values) {
  Eigen::VectorXd made(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), made.data());
  return made;
}

}  // namespace

double VehicleModel::length() const {
  return axle_offsets.empty() ? 0.0
                              : *std::max_element(axle_offsets.begin(), axle_offsets.end());
}

VehicleModel quarter_car() {
  using enum VehicleQuantity;
  VehicleModel model;
  model.gravity = row({1.0, 1.0});
  model.axle_offsets = {0.0};
  model.elements = {
      {"body_mass", "mv1", kMass, row({1, 0}), row({0})},
      {"wheel_mass", "mv2", kMass, row({0, 1}), row({0})},
      {"suspension_damping", "cv", kDamping, row({1, -1}), row({0})},
      {"suspension_stiffness", "kv1", kStiffness, row({1, -1}), row({0})},
      {"tyre_stiffness", "kv2", kStiffness, row({0, 1}), row({-1})},
  };
  return model;
}

VehicleModel half_car(double to_front, double to_rear) {
  using enum VehicleQuantity;
  // Freedoms: body down, pitch (nose down), front wheel, rear wheel.
  const double a = to_front, b = -to_rear;
  VehicleModel model;
  model.gravity = row({1, 0, 1, 1});
  model.axle_offsets = {0.0, to_front + to_rear};
  const Eigen::VectorXd none = row({0, 0});
  model.elements = {
      {"body_mass", "m", kMass, row({1, 0, 0, 0}), none},
      {"pitch_inertia", "J", kInertia, row({0, 1, 0, 0}), none},
      {"front_wheel_mass", "m1", kMass, row({0, 0, 1, 0}), none},
      {"rear_wheel_mass", "m2", kMass, row({0, 0, 0, 1}), none},
      {"front_suspension_stiffness", "ks1", kStiffness, row({1, a, -1, 0}), none},
      {"rear_suspension_stiffness", "ks2", kStiffness, row({1, b, 0, -1}), none},
      {"front_suspension_damping", "cs1", kDamping, row({1, a, -1, 0}), none},
      {"rear_suspension_damping", "cs2", kDamping, row({1, b, 0, -1}), none},
      {"front_tyre_stiffness", "kt1", kStiffness, row({0, 0, 1, 0}), row({-1, 0})},
      {"rear_tyre_stiffness", "kt2", kStiffness, row({0, 0, 0, 1}), row({0, -1})},
  };
  return model;
}

}  // namespace trestle::identification
