#include "studies/identification/vehicle_factory.h"

#include <algorithm>
#include <string>

#include "core/base/setting_error.h"
#include "core/base/suggestion.h"

namespace trestle::identification {
namespace {

/// Takes the numbers of a vehicle's elements in their order.
class Seeker {
 public:
  Seeker(VehicleUnknowns& vehicle, double start_factor)
      : vehicle_(vehicle), start_factor_(start_factor) {}

  /// @param sought  SoughtMass or its like
  template <typename Sought>
  void take(const Sought& sought, const std::string& path) {
    const std::string name = path.substr(path.rfind('.') + 1);
    if (sought.has_known() == sought.has_guess())
      throw SettingError(path, sought.has_known()
                                   ? name +
                                         " is given as known and as a guess; must be "
                                         "one of them"
                                   : name +
                                         " is neither known nor guessed; say `known`, or "
                                         "a `guess` to look for it from");
    values_.push_back(sought.has_known() ? sought.known() : start_factor_ * sought.guess());
    if (sought.has_guess())
      vehicle_.unknown.push_back(static_cast<Eigen::Index>(values_.size()) - 1);
    vehicle_.truth.emplace_back(std::nullopt);
    if (sought.has_truth())
      vehicle_.truth.back() = sought.truth();
    else if (sought.has_known())
      vehicle_.truth.back() = sought.known();
  }

  void finish() {
    vehicle_.values = Eigen::Map<const Eigen::VectorXd>(
        values_.data(), static_cast<Eigen::Index>(values_.size()));
    if (vehicle_.unknown.empty())
      throw SettingError(
          "vehicle",
          "vehicle is known altogether: nothing to identify; give what shall be "
          "found a `guess` in place of `known`");
  }

 private:
  VehicleUnknowns& vehicle_;
  double start_factor_;
  std::vector<double> values_;
};

void take_quarter_car(const config::QuarterCar& car, VehicleUnknowns& vehicle,
                      Seeker& seeker) {
  const std::string at = "vehicle.quarter_car.";
  vehicle.model = quarter_car();
  seeker.take(car.body_mass(), at + "body_mass");
  seeker.take(car.wheel_mass(), at + "wheel_mass");
  seeker.take(car.suspension_damping(), at + "suspension_damping");
  seeker.take(car.suspension_stiffness(), at + "suspension_stiffness");
  seeker.take(car.tyre_stiffness(), at + "tyre_stiffness");
}

void take_half_car(const config::HalfCar& car, VehicleUnknowns& vehicle, Seeker& seeker) {
  const std::string at = "vehicle.half_car.";
  vehicle.model = half_car(car.to_front(), car.to_rear());
  seeker.take(car.body_mass(), at + "body_mass");
  seeker.take(car.pitch_inertia(), at + "pitch_inertia");
  seeker.take(car.front_wheel_mass(), at + "front_wheel_mass");
  seeker.take(car.rear_wheel_mass(), at + "rear_wheel_mass");
  seeker.take(car.front_suspension_stiffness(), at + "front_suspension_stiffness");
  seeker.take(car.rear_suspension_stiffness(), at + "rear_suspension_stiffness");
  seeker.take(car.front_suspension_damping(), at + "front_suspension_damping");
  seeker.take(car.rear_suspension_damping(), at + "rear_suspension_damping");
  seeker.take(car.front_tyre_stiffness(), at + "front_tyre_stiffness");
  seeker.take(car.rear_tyre_stiffness(), at + "rear_tyre_stiffness");
}

using Ends = google::protobuf::RepeatedPtrField<config::ElementEnd>;

/// Attaches an element to its ends.
void attach(const config::ElementVehicle& given, const Ends& between,
            const std::string& path, VehicleElement& element) {
  std::vector<std::string> names;
  for (const auto& freedom : given.freedoms()) names.push_back(freedom.name());
  for (const auto& axle : given.axles()) names.push_back(axle.name());
  const auto freedoms = static_cast<std::ptrdiff_t>(given.freedoms_size());
  for (const config::ElementEnd& end : between) {
    const auto found = std::find(names.begin(), names.end(), end.of());
    if (found == names.end())
      throw SettingError(
          path + ".between." + end.of(),
          "is no freedom and no axle of the vehicle; " + suggestion(end.of(), names));
    const std::ptrdiff_t at = found - names.begin();
    if (at < freedoms)
      element.freedoms(at) = end.factor();
    else
      element.contacts(at - freedoms) = end.factor();
  }
}

void take_freedoms(const config::ElementVehicle& given, VehicleUnknowns& vehicle,
                   Seeker& seeker) {
  const Eigen::VectorXd no_contacts = Eigen::VectorXd::Zero(given.axles_size());
  vehicle.model.gravity = Eigen::VectorXd::Zero(given.freedoms_size());
  for (int i = 0; i < given.freedoms_size(); ++i) {
    const config::BodyFreedom& freedom = given.freedoms(i);
    const std::string path = "vehicle.multi_body.freedoms." + freedom.name();
    if (freedom.has_mass() == freedom.has_inertia())
      throw SettingError(path,
                         "must have a mass, when it moves down, or an inertia, when "
                         "it turns; one of them");
    VehicleElement element;
    element.freedoms = Eigen::VectorXd::Unit(given.freedoms_size(), i);
    element.contacts = no_contacts;
    if (freedom.has_mass()) {
      vehicle.model.gravity(i) = 1.0;
      element.name = freedom.name() + "_mass";
      seeker.take(freedom.mass(), path + ".mass");
    } else {
      element.quantity = VehicleQuantity::kInertia;
      element.name = freedom.name() + "_inertia";
      seeker.take(freedom.inertia(), path + ".inertia");
    }
    vehicle.model.elements.push_back(std::move(element));
  }
}

void take_multi_body(const config::ElementVehicle& given, VehicleUnknowns& vehicle,
                     Seeker& seeker) {
  const std::string at = "vehicle.multi_body.";
  for (const config::Axle& axle : given.axles())
    vehicle.model.axle_offsets.push_back(axle.behind());
  if (*std::min_element(vehicle.model.axle_offsets.begin(),
                        vehicle.model.axle_offsets.end()) > 0.0)
    throw SettingError(at + "axles", "has no first axle; one must be 0 m behind");
  take_freedoms(given, vehicle, seeker);
  const auto blank = [&](const std::string& name, VehicleQuantity quantity) {
    return VehicleElement{name, "", quantity, Eigen::VectorXd::Zero(given.freedoms_size()),
                          Eigen::VectorXd::Zero(given.axles_size())};
  };
  for (const config::VehicleSpring& spring : given.springs()) {
    VehicleElement element = blank(spring.name(), VehicleQuantity::kStiffness);
    attach(given, spring.between(), at + "springs." + spring.name(), element);
    seeker.take(spring.stiffness(), at + "springs." + spring.name() + ".stiffness");
    vehicle.model.elements.push_back(std::move(element));
  }
  for (const config::VehicleDamper& damper : given.dampers()) {
    VehicleElement element = blank(damper.name(), VehicleQuantity::kDamping);
    attach(given, damper.between(), at + "dampers." + damper.name(), element);
    seeker.take(damper.damping(), at + "dampers." + damper.name() + ".damping");
    vehicle.model.elements.push_back(std::move(element));
  }
}

}  // namespace

VehicleUnknowns sought_vehicle(const config::CrossingVehicle& given, double start_factor) {
  VehicleUnknowns vehicle;
  Seeker seeker(vehicle, start_factor);
  if (given.has_quarter_car())
    take_quarter_car(given.quarter_car(), vehicle, seeker);
  else if (given.has_half_car())
    take_half_car(given.half_car(), vehicle, seeker);
  else if (given.has_multi_body())
    take_multi_body(given.multi_body(), vehicle, seeker);
  else
    throw SettingError("vehicle",
                       "has no kind; must be one of quarter-car, half-car, multi-body");
  seeker.finish();
  return vehicle;
}

}  // namespace trestle::identification
