#include "adapters/simulated/simulated_catalog.h"

#include <Eigen/QR>
#include <algorithm>
#include <cstdint>

#include "adapters/simulated/actuator_catalog.h"
#include "adapters/simulated/simulated_rig.h"
#include "core/mechanics/setting_check.h"
#include "core/types/setting_error.h"
#include "proto/config.pb.h"

namespace trestle {
namespace {

void check_loading_frame(const Eigen::MatrixXd& matrix, const std::string& path) {
  const Eigen::Index actuators = matrix.rows();
  const Eigen::Index dofs = matrix.cols();
  if (dofs < 1 || dofs > kMaxInterfaceDofs || actuators > kMaxActuators)
    throw SettingError(path, "has " + std::to_string(actuators) + " actuators and " +
                                 std::to_string(dofs) + " interface DOFs; at most " +
                                 std::to_string(kMaxActuators) + " and " +
                                 std::to_string(kMaxInterfaceDofs) + " are possible");
  const Eigen::Index rank =
      matrix.allFinite() ? matrix.colPivHouseholderQr().rank() : Eigen::Index{0};
  if (rank < dofs)
    throw SettingError(path, "the " + std::to_string(actuators) +
                                 " actuators of its loading frame hold only " +
                                 std::to_string(rank) + " of " + std::to_string(dofs) +
                                 " interface DOFs; its matrix must be invertible");
}

SensorNoise make_noise(const config::Rig& rig, Eigen::Index actuators,
                       const std::string& path) {
  SensorNoise noise{ActuatorVector::Zero(actuators), ActuatorVector::Zero(actuators)};
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
    noise.force(i) = rig.noise(i).force();
  }
  return noise;
}

RigDescription describe(const Eigen::MatrixXd& matrix, const InterfaceLayout& layout) {
  RigDescription description;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    bool turns = !layout.empty();
    for (std::size_t j = 0; j < layout.size(); ++j)
      if (matrix(i, static_cast<Eigen::Index>(j)) != 0.0 &&
          layout[j].kind == DofKind::kTranslation)
        turns = false;
    description.actuators.push_back(
        {std::to_string(i + 1), turns ? DofKind::kRotation : DofKind::kTranslation});
  }
  return description;
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
  if (const int coupled = coupled_actuators(rig.transfer_matrix()); coupled > 0)
    return coupled;
  if (!rig.noise().empty()) return rig.noise_size();
  return specimen_dofs(rig.specimen());
}

std::unique_ptr<SiteAdapter> make_simulated_rig(
    const config::Rig& rig, const std::string& site,
    const Eigen::MatrixXd& actuator_from_interface, const std::string& path,
    const InterfaceLayout& layout) {
  check_loading_frame(actuator_from_interface, path);
  if (!layout.empty() &&
      static_cast<Eigen::Index>(layout.size()) != actuator_from_interface.cols())
    throw SettingError(
        path, "its loading frame has " + std::to_string(actuator_from_interface.cols()) +
                  " interface DOFs; the site has " + std::to_string(layout.size()));
  const auto actuators = static_cast<int>(actuator_from_interface.rows());
  const auto dofs = static_cast<int>(actuator_from_interface.cols());
  return std::make_unique<SimulatedRig>(
      site, describe(actuator_from_interface, layout), make_actuators(rig, actuators, path),
      make_specimen(rig.specimen(), dofs, path + ".specimen"), actuator_from_interface,
      make_noise(rig, actuators, path + ".noise"));
}

}  // namespace trestle
