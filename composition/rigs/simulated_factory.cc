#include "composition/rigs/simulated_factory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "adapters/simulated/simulated_rig.h"
#include "composition/linear/transfer_factory.h"
#include "composition/rigs/actuator_factory.h"
#include "composition/rigs/loaded_rig_factory.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "proto/config/rig.pb.h"
#include "proto/config/transfer.pb.h"

namespace trestle::composition {
namespace {

/// The noise of a vehicle's accelerometers in its force: two of them, each on a mass.
double accelerometers_force(const config::QuarterVehicle& vehicle) {
  return vehicle.accelerometer_noise() *
         std::hypot(vehicle.car_mass(), vehicle.bogie_mass());
}

RigDescription describe(const LoadingFrame& frame, int reactions,
                        const InterfaceLayout& layout) {
  RigDescription description;
  description.reactions = reactions;
  const Eigen::MatrixXd matrix = frame.tangent();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    bool turns = !layout.empty();
    for (Eigen::Index j = 0; turns && j < matrix.cols(); ++j)
      if (matrix(i, j) != 0.0 &&
          layout[static_cast<std::size_t>(j)].kind == DofKind::kTranslation)
        turns = false;
    description.actuators.push_back(
        {std::to_string(i + 1), turns ? DofKind::kRotation : DofKind::kTranslation});
  }
  return description;
}

std::optional<simulated::DisplacementObserver> make_estimator(const config::Rig& rig,
                                                              int actuators,
                                                              const std::string& path) {
  if (!rig.has_estimator()) return std::nullopt;
  if (!rig.force_from_measured())
    throw SettingError(path, "estimates what nothing uses; it needs force_from_measured");
  return simulated::DisplacementObserver(
      make_observed_plant(rig.estimator(), actuators, path), path);
}

std::optional<simulated::SensorDropout> make_dropout(const config::Rig& rig,
                                                     const std::string& path) {
  if (!rig.disturbances().has_dropout()) return std::nullopt;
  const config::SensorDropout& dropout = rig.disturbances().dropout();
  require_at_least(dropout.at(), 0.0, path + ".at");
  require_above_zero(dropout.duration(), path + ".duration");
  if (dropout.has_every() && !(dropout.every() > dropout.duration()))
    throw SettingError(path + ".every",
                       "must be longer than duration; else nothing is ever read");
  return simulated::SensorDropout(
      {.at = dropout.at(), .duration = dropout.duration(), .every = dropout.every()});
}

/// 0: it does not say (the matrices are in files).
int coupled_actuators(const config::TransferMatrix& matrix) noexcept {
  std::uint32_t most = 0;
  for (const config::ZpkEntry& entry : matrix.zpk().entries())
    most = std::max({most, entry.to(), entry.from()});
  if (most > 0) return static_cast<int>(std::min<std::uint32_t>(most, kMaxActuators + 1));
  const config::StateSpaceModel& model = matrix.state_space();
  if (!model.c().rows().empty()) return model.c().rows_size();
  return model.b().rows().empty() ? 0 : model.b().rows(0).values_size();
}

}  // namespace

int rig_actuators(const config::Rig& rig) noexcept {
  if (!rig.actuators().empty()) return rig.actuators_size();
  if (rig.has_shared()) return rig.shared().drives_size();
  if (!rig.transfer_systems().empty()) return rig.transfer_systems_size();
  if (const int coupled = coupled_actuators(rig.transfer_matrix()); coupled > 0)
    return coupled;
  if (!rig.noise().empty()) return rig.noise_size();
  return specimen_dofs(rig.specimen());
}

simulated::SensorNoise make_sensor_noise(const config::Rig& rig, Eigen::Index actuators,
                                         const std::string& path) {
  const double unsteady = accelerometers_force(rig.specimen().quarter_vehicle());
  simulated::SensorNoise noise{
      ActuatorVector::Zero(actuators), ActuatorVector::Constant(actuators, unsteady), {}};
  if (rig.noise().empty()) return noise;
  if (rig.noise_size() != actuators)
    throw SettingError(path, "has " + std::to_string(rig.noise_size()) +
                                 " entries; one for each of the " +
                                 std::to_string(actuators) + " actuators is needed");
  for (int i = 0; i < rig.noise_size(); ++i) {
    const std::string entry = path + "[" + std::to_string(i) + "]";
    require_at_least(rig.noise(i).displacement(), 0.0, entry + ".displacement");
    require_at_least(rig.noise(i).force(), 0.0, entry + ".force");
    noise.displacement(i) = rig.noise(i).displacement();
    noise.force(i) = std::hypot(rig.noise(i).force(), unsteady);
    noise.sequences.emplace_back();
    if (rig.noise(i).has_sequence())
      noise.sequences.back().emplace(rig.noise(i).sequence().seed());
  }
  return noise;
}

std::unique_ptr<SiteAdapter> make_simulated_rig(const config::Rig& rig,
                                                const std::string& site,
                                                std::unique_ptr<const LoadingFrame> frame,
                                                const std::string& path,
                                                RigSurroundings around) {
  const InterfaceLayout& layout = around.layout;
  const int actuators = frame->actuators();
  const int controlled = frame->interface_dofs();
  const auto named = static_cast<int>(controlled_dofs(layout));
  if (!layout.empty() && named != controlled)
    throw SettingError(path, "its loading frame has " + std::to_string(controlled) +
                                 " interface DOFs; the site has " + std::to_string(named));
  if (!rig.transfer_systems().empty())
    return make_loaded_rig(rig, site, *frame, std::move(around.graph), path);
  const int reactions = layout.empty() ? force_only_dofs(rig.specimen(), controlled)
                                       : static_cast<int>(layout.size()) - named;
  RigDescription description = describe(*frame, reactions, layout);
  auto models = make_actuators(rig, actuators, path);
  auto specimen = make_specimen(rig.specimen(), controlled, reactions, path + ".specimen");
  simulated::SensorNoise noise = make_sensor_noise(rig, actuators, path + ".noise");
  return std::make_unique<simulated::SimulatedRig>(
      site, std::move(description),
      simulated::SimulatedRigParts{
          .actuators = std::move(models),
          .specimen = std::move(specimen),
          .frame = std::move(frame),
          .noise = std::move(noise),
          .input = rig.force_from_measured()
                       ? simulated::SpecimenInput::kMeasuredDisplacement
                       : simulated::SpecimenInput::kTrueDisplacement,
          .estimator = make_estimator(rig, actuators, path + ".estimator"),
          .dropout = make_dropout(rig, path + ".disturbances.dropout")});
}

}  // namespace trestle::composition
