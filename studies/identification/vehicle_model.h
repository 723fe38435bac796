#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace trestle::identification {

/// The quantity of a vehicle's number.
enum class VehicleQuantity { kMass, kInertia, kDamping, kStiffness };

/// One mass, spring or damper. It sees e = freedoms · y + contacts · u, of the vehicle's
/// freedoms y and the contact points u (both positive down, y from static equilibrium): a
/// spring has the energy value · e² / 2; a mass sees no contact.
struct VehicleElement {
  std::string name;    ///< in files and results: `suspension_stiffness`
  std::string symbol;  ///< in formulas: `kv1`; may be empty
  VehicleQuantity quantity = VehicleQuantity::kMass;
  Eigen::VectorXd freedoms;  ///< one per freedom
  Eigen::VectorXd contacts;  ///< one per axle
};

/// A vehicle as elements whose values are known or looked for. The matrices are linear in
/// the values, which makes the sensitivities direct.
struct VehicleModel {
  Eigen::VectorXd gravity;           ///< per freedom: 1 where weight acts, 0 of a rotation
  std::vector<double> axle_offsets;  ///< behind the first axle [m]; the first is 0
  std::vector<VehicleElement> elements;

  Eigen::Index freedom_count() const { return gravity.size(); }
  Eigen::Index axle_count() const { return static_cast<Eigen::Index>(axle_offsets.size()); }
  /// From the first axle to the last [m].
  double length() const;
};

/// Body mass (mv1) over wheel mass (mv2), suspension cv and kv1, tyre kv2; in this order.
VehicleModel quarter_car();

/// Two axles: body with pitch, two wheels, each with suspension and tyre.
/// @param to_front, to_rear  from the centre of mass to the axles [m], positive
VehicleModel half_car(double to_front, double to_rear);

}  // namespace trestle::identification
