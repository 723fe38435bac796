#include "studies/identification/vehicle_passage.h"

#include <cmath>

#include "studies/identification/passage_integrator.h"

namespace trestle::identification {
namespace {

Eigen::Index lead_steps(const PassageSettings& settings, double step) {
  const double ahead = settings.first_sample + settings.approach / settings.speed;
  return static_cast<Eigen::Index>(std::ceil(ahead / step - 1e-9));
}

}  // namespace

VehiclePassage::VehiclePassage(const Girder& girder, std::vector<double> axle_offsets,
                               std::vector<Sensor> sensors, const PassageSettings& settings)
    : girder_(girder), settings_(settings), sensors_(std::move(sensors)) {
  step_ = settings.sampling_period / settings.substeps;
  lead_steps_ = lead_steps(settings, step_);
  const Eigen::Index periods = settings.samples - 1;
  const Eigen::Index steps = lead_steps_ + periods * settings.substeps + 1;
  const auto axles = static_cast<Eigen::Index>(axle_offsets.size());
  positions_.resize(steps, axles);
  contact_shapes_.resize(girder.mode_count(), steps * axles);
  contact_slopes_.resize(girder.mode_count(), steps * axles);
  for (Eigen::Index k = 0; k < steps; ++k)
    for (Eigen::Index a = 0; a < axles; ++a) {
      const double time =
          settings.first_sample + step_ * static_cast<double>(k - lead_steps_);
      const double x = settings.speed * time - axle_offsets[static_cast<std::size_t>(a)];
      positions_(k, a) = x;
      contact_shapes_.col(k * axles + a) = girder.shapes(x, 0);
      contact_slopes_.col(k * axles + a) = girder.shapes(x, 1);
    }
  sensor_shapes_.resize(girder.mode_count(), static_cast<Eigen::Index>(sensors_.size()));
  for (std::size_t s = 0; s < sensors_.size(); ++s) {
    const bool strain = sensors_[s].measures == Measures::kStrain;
    sensor_shapes_.col(static_cast<Eigen::Index>(s)) =
        (strain ? -sensors_[s].gauge_arm : 1.0) *
        girder.shapes(sensors_[s].at, strain ? 2 : 0);
  }
  flexibility_ = 1.0 / (4.0 / (step_ * step_) + 2.0 / step_ * girder.damping().array() +
                        girder.frequencies().array().square());
}

Eigen::Index VehiclePassage::value_count() const {
  return settings_.samples * static_cast<Eigen::Index>(sensors_.size());
}

Response VehiclePassage::respond(const VehicleModel& vehicle, const Eigen::VectorXd& values,
                                 const RoadInput& road,
                                 const std::vector<Eigen::Index>& unknown,
                                 const std::vector<RoadInput>& shapes) const {
  PassageIntegrator march(
      {girder_, contact_shapes_, contact_slopes_, flexibility_, step_, settings_.speed},
      {vehicle, values, unknown, shapes, road});
  const auto sensor_count = static_cast<Eigen::Index>(sensors_.size());
  Response response;
  response.values.resize(value_count());
  response.sensitivities.resize(value_count(), march.column_count() - 1);
  Eigen::Index row = 0;
  for (Eigen::Index k = 0; k < step_count(); ++k) {
    march.advance(k);
    if (k < lead_steps_ || (k - lead_steps_) % settings_.substeps != 0) continue;
    for (Eigen::Index s = 0; s < sensor_count; ++s, ++row) {
      const int order =
          sensors_[static_cast<std::size_t>(s)].measures == Measures::kAcceleration ? 2
          : sensors_[static_cast<std::size_t>(s)].measures == Measures::kVelocity   ? 1
                                                                                    : 0;
      const Eigen::VectorXd seen = march.modal(order).transpose() * sensor_shapes_.col(s);
      response.values(row) = seen(0);
      response.sensitivities.row(row) = seen.tail(seen.size() - 1).transpose();
    }
  }
  return response;
}

}  // namespace trestle::identification
