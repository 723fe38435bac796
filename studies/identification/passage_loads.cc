#include "studies/identification/passage_loads.h"

#include <cstddef>

namespace trestle::identification {

PassageLoads::PassageLoads(const PassageCase& passage, const VehicleMatrices& matrices)
    : passage_(passage),
      weight_(matrices.weight),
      weight_derivatives_(weight_derivatives(passage.vehicle, matrices, passage.unknown)),
      on_freedoms_(Eigen::VectorXd::Zero(passage.vehicle.freedom_count())),
      on_contacts_(Eigen::VectorXd::Zero(passage.vehicle.axle_count())) {}

void PassageLoads::compute(Eigen::Index column, const VehicleMotion& motion,
                           bool at_start) {
  on_freedoms_.setZero();
  on_contacts_.setZero();
  if (column == 0) {
    on_contacts_ = weight_;
    return;
  }
  const Eigen::Index j = column - 1;
  const std::vector<Eigen::Index>& unknown = passage_.unknown;
  if (j >= static_cast<Eigen::Index>(unknown.size())) return;
  const VehicleElement& element =
      passage_.vehicle
          .elements[static_cast<std::size_t>(unknown[static_cast<std::size_t>(j)])];
  on_contacts_ = weight_derivatives_.col(j);
  if (element.quantity == VehicleQuantity::kMass ||
      element.quantity == VehicleQuantity::kInertia) {
    on_freedoms_ -= element.freedoms.dot(motion.ydd.col(0)) * element.freedoms;
    return;
  }
  const bool spring = element.quantity == VehicleQuantity::kStiffness;
  const double e = spring ? (at_start ? 0.0 : element.freedoms.dot(motion.y.col(0))) +
                                element.contacts.dot(motion.u.col(0))
                          : (at_start ? 0.0 : element.freedoms.dot(motion.yd.col(0))) +
                                element.contacts.dot(motion.ud.col(0));
  on_freedoms_ -= e * element.freedoms;
  on_contacts_ -= e * element.contacts;
}

const RoadInput* PassageLoads::road(Eigen::Index column) const {
  const auto elements = static_cast<Eigen::Index>(passage_.unknown.size());
  if (column == 0) return &passage_.road;
  if (column <= elements) return nullptr;
  return &passage_.shapes[static_cast<std::size_t>(column - elements - 1)];
}

}  // namespace trestle::identification
