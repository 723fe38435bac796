#include "composition/rigs/loaded_rig_factory.h"

#include <algorithm>
#include <utility>

#include "adapters/simulated/coupled_rig.h"
#include "adapters/simulated/linear_specimen_dynamics.h"
#include "adapters/simulated/shared_specimen_rig.h"
#include "composition/linear/matrix_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "proto/config/matrix.pb.h"
#include "proto/config/rig.pb.h"

namespace trestle::composition {
namespace {

constexpr int kUsualSubsteps = 4;

template <typename Check>
void collect(SettingErrorCollector& problems, const Check& check) {
  try {
    check();
  } catch (const SettingError& error) {
    problems.add_below("", error);
  }
}

simulated::LoadedTransferSettings make_transfer(const config::LoadedTransfer& transfer,
                                                const std::string& path) {
  simulated::LoadedTransferSettings settings{.mass = transfer.mass(),
                                             .stiffness = transfer.stiffness(),
                                             .damping = transfer.damping()};
  require_above_zero(settings.mass, path + ".mass");
  require_above_zero(settings.stiffness, path + ".stiffness");
  require_at_least(settings.damping, 0.0, path + ".damping");
  if (transfer.has_load()) settings.load = transfer.load();
  settings.friction = transfer.friction().force();
  if (transfer.friction().has_speed())
    settings.friction_speed = transfer.friction().speed();
  settings.initial_displacement = transfer.initial_displacement();
  settings.initial_velocity = transfer.initial_velocity();
  return settings;
}

Eigen::MatrixXd rows_of(const google::protobuf::RepeatedPtrField<config::Row>& rows,
                        int dofs, const std::string& path) {
  if (rows.empty()) return Eigen::MatrixXd::Zero(dofs, dofs);
  Eigen::MatrixXd matrix = make_matrix(rows, path);
  if (matrix.rows() != dofs || matrix.cols() != dofs)
    throw SettingError(path, "is " + std::to_string(matrix.rows()) + " x " +
                                 std::to_string(matrix.cols()) + "; the rig has " +
                                 std::to_string(dofs) + " transfer systems");
  return matrix;
}

std::unique_ptr<simulated::SpecimenDynamics> make_system(const config::Specimen& specimen,
                                                         int dofs,
                                                         const std::string& path) {
  if (!specimen.has_linear())
    throw SettingError(path,
                       "transfer_systems move a specimen of kind bond-graph or linear; "
                       "any other needs actuators");
  const config::LinearSpecimen& linear = specimen.linear();
  if (!linear.mass().empty())
    throw SettingError(path + ".mass",
                       "a mass at the interface moves with its transfer system; add it to "
                       "that mass, or give the specimen as a bond graph");
  return std::make_unique<simulated::LinearSpecimenDynamics>(
      rows_of(linear.stiffness(), dofs, path + ".stiffness"),
      rows_of(linear.damping(), dofs, path + ".damping"));
}

/// Those that the site drives among all ports of the specimen.
std::vector<Eigen::Index> own_ports(const config::SharedSpecimen& shared,
                                    const std::vector<std::string>& ports, int actuators,
                                    const std::string& path) {
  if (ports.empty())
    throw SettingError(path + ".shared",
                       "only a specimen of kind bond-graph has ports to be shared");
  if (shared.drives_size() != actuators)
    throw SettingError(path + ".shared.drives",
                       "names " + std::to_string(shared.drives_size()) +
                           " ports; the site has " + std::to_string(actuators) +
                           " interface DOFs");
  std::vector<Eigen::Index> own;
  for (int i = 0; i < shared.drives_size(); ++i) {
    const auto found = std::find(ports.begin(), ports.end(), shared.drives(i));
    if (found == ports.end())
      throw SettingError(path + ".shared.drives[" + std::to_string(i) + "]",
                         "the specimen has no port `" + shared.drives(i) + "`" +
                             suggest(shared.drives(i), ports));
    own.push_back(static_cast<Eigen::Index>(found - ports.begin()));
  }
  return own;
}

simulated::SensorNoise make_noise(const config::Rig& rig, Eigen::Index actuators,
                                  const std::string& path) {
  simulated::SensorNoise noise{
      ActuatorVector::Zero(actuators), ActuatorVector::Zero(actuators), {}};
  if (rig.noise().empty()) return noise;
  if (rig.noise_size() != actuators)
    throw SettingError(path, "has " + std::to_string(rig.noise_size()) +
                                 " entries; one for each of the " +
                                 std::to_string(actuators) + " actuators is needed");
  for (int i = 0; i < rig.noise_size(); ++i) {
    if (rig.noise(i).has_sequence())
      throw SettingError(path + "[" + std::to_string(i) + "].sequence",
                         "is not for transfer_systems; leave it out");
    noise.displacement[i] = rig.noise(i).displacement();
    noise.force[i] = rig.noise(i).force();
  }
  return noise;
}

/// Keys of a rig that its transfer systems do not read.
void refuse_keys_of_actuators(const config::Rig& rig, const std::string& path,
                              SettingErrorCollector& problems) {
  const std::string list = path + ".transfer_systems";
  if (!rig.actuators().empty() || rig.has_transfer_matrix())
    problems.add(list, "stand beside actuators; give one of the two");
  if (rig.force_from_measured() || rig.has_estimator())
    problems.add(list,
                 "feel their specimen, so that its force cannot be computed from "
                 "what is measured; leave force_from_measured and estimator out");
  if (rig.latency_samples() != 0)
    problems.add(path + ".latency_samples",
                 "latency_samples is for actuators and a transfer_matrix; of "
                 "transfer_systems the drives come at once: leave it out");
  if (rig.has_disturbances())
    problems.add(path + ".disturbances",
                 "disturbances are of actuators and a transfer_matrix; transfer_systems "
                 "have a friction of their own: leave it out");
  if (rig.integration() != config::ACTUATOR_INTEGRATION_EXACT)
    problems.add(path + ".integration",
                 "integration is for actuators and a transfer_matrix; transfer_systems go "
                 "by Runge and Kutta in `substeps`: leave it out");
}

}  // namespace

simulated::CoupledActuators make_loaded_transfers(
    const config::Rig& rig, int actuators,
    std::unique_ptr<simulated::SpecimenDynamics> specimen, const std::string& path) {
  const std::string list = path + ".transfer_systems";
  SettingErrorCollector problems;
  refuse_keys_of_actuators(rig, path, problems);
  if (rig.transfer_systems_size() != actuators)
    problems.add(list, std::to_string(rig.transfer_systems_size()) +
                           " are given; the site moves " + std::to_string(actuators) +
                           " interface DOFs");
  std::vector<simulated::LoadedTransferSettings> transfers;
  for (int i = 0; i < rig.transfer_systems_size(); ++i)
    collect(problems, [&] {
      transfers.push_back(
          make_transfer(rig.transfer_systems(i), list + "[" + std::to_string(i) + "]"));
    });
  if (specimen == nullptr)
    collect(problems,
            [&] { specimen = make_system(rig.specimen(), actuators, path + ".specimen"); });
  if (specimen != nullptr && specimen->ports() != actuators)
    problems.add(path + ".specimen", "has " + std::to_string(specimen->ports()) +
                                         " ports; the rig has " +
                                         std::to_string(actuators) + " transfer systems");
  problems.throw_if_any();
  return simulated::CoupledActuators(
      transfers, std::move(specimen),
      rig.has_substeps() ? static_cast<int>(rig.substeps()) : kUsualSubsteps);
}

std::unique_ptr<SiteAdapter> make_loaded_rig(const config::Rig& rig,
                                             const std::string& site,
                                             const LoadingFrame& frame, GraphSide graph,
                                             const std::string& path) {
  const int actuators = frame.actuators();
  const Eigen::MatrixXd tangent = frame.tangent();
  if (!frame.linear() || tangent.rows() != tangent.cols() || !tangent.isIdentity(0.0))
    throw SettingError(path + ".transfer_systems",
                       "move the interface DOFs themselves; leave the loading frame out");
  RigDescription description;
  for (int i = 0; i < actuators; ++i)
    description.actuators.push_back({std::to_string(i + 1), DofKind::kTranslation});
  simulated::SensorNoiseGenerator noise(site, make_noise(rig, actuators, path + ".noise"));
  if (!rig.has_shared())
    return std::make_unique<simulated::CoupledRig>(
        std::move(description),
        make_loaded_transfers(rig, actuators, std::move(graph.specimen), path),
        std::move(noise));
  std::vector<Eigen::Index> own = own_ports(rig.shared(), graph.ports, actuators, path);
  const auto all = static_cast<int>(graph.ports.size());
  auto exchange =
      std::make_unique<simulated::DriveChannel>(rig.shared().meeting(), graph.ports, own);
  return std::make_unique<simulated::SharedSpecimenRig>(
      std::move(description),
      make_loaded_transfers(rig, all, std::move(graph.specimen), path), std::move(exchange),
      std::move(own), std::move(noise));
}

}  // namespace trestle::composition
