#include "virtual-lab/stability/stability_catalog.h"

#include <algorithm>
#include <cmath>

#include "adapters/simulated/specimen_catalog.h"
#include "core/kinematics/kinematics_catalog.h"
#include "numerical/frame/model_catalog.h"
#include "numerical/integration/integrator_catalog.h"
#include "proto/config.pb.h"
#include "site-servers/control/control_catalog.h"
#include "virtual-lab/lab_catalog.h"
#include "virtual-lab/pace_catalog.h"
#include "virtual-lab/stability/linear_rig_catalog.h"

namespace trestle {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

std::string kind_of(const config::Compensator& message) {
  const google::protobuf::FieldDescriptor* kind =
      message.GetReflection()->GetOneofFieldDescriptor(
          message, message.GetDescriptor()->FindOneofByName("kind"));
  if (kind == nullptr) return "none";
  std::string name = kind->name();
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// Why there is no loop to look at, or empty; what can be told before anything is built.
std::string reason_against(const config::Test& test) {
  if (test.undivided()) return "the undivided structure has no sites";
  if (test.numerical().has_bridge())
    return "the loop over a bridge changes as the vehicles move on";
  if (test.mode() == config::PSEUDO_DYNAMIC)
    return "in pseudo-dynamic mode a step waits until its actuators have arrived, so that "
           "their delay is not in the loop";
  for (const config::Site& site : test.sites())
    if (!site.rig().has_specimen())
      return "nothing is known of the rig of " + site.name() +
             "; give the site a rig in this file, as its twin";
  return {};
}

LoopEquations equations_of(const Structure& structure,
                           const std::vector<ExperimentalPart>& parts) {
  LoopEquations equations;
  for (const ExperimentalPart& part : parts)
    for (std::size_t i = 0; i < part.dofs.size(); ++i) {
      const int equation = structure.equation(part.dofs[i]);
      equations.loaded.push_back(equation);
      if (i + part.force_only < part.dofs.size()) equations.controlled.push_back(equation);
    }
  return equations;
}

/// Its linear maps at zero stroke.
void add_frame(const LoadingFrame& frame, LoopSite& site) {
  const Index actuators = frame.actuators();
  const Index dofs = frame.interface_dofs();
  site.to_actuators = frame.tangent();
  site.to_interface = MatrixXd(dofs, actuators);
  Stroke stroke = Stroke::zero(actuators);
  for (Index i = 0; i < actuators; ++i) {
    stroke.velocity = ActuatorVector::Unit(actuators, i);
    site.to_interface.col(i) = frame.to_interface(stroke).velocity;
  }
  site.felt_force = MatrixXd(dofs, dofs);
  const ActuatorVector zero = ActuatorVector::Zero(actuators);
  for (Index i = 0; i < dofs; ++i)
    site.felt_force.col(i) = frame.force_to_interface(
        frame.force_to_actuators(InterfaceVector::Unit(dofs, i), zero), zero);
}

/// @returns why it has no linear form, or empty
std::string add_control(const config::Site& message, const std::string& path,
                        LoopSite& site) {
  const auto actuators = static_cast<int>(site.actuators());
  const std::unique_ptr<Compensator> compensator =
      make_compensator(with_files_inlined(message.compensator(), message.name(),
                                          site.tick(), path + ".compensator"),
                       actuators, site.tick(), path + ".compensator");
  for (int i = 0; i < actuators; ++i) {
    const std::optional<LinearCommand> form = compensator->linear_form(i);
    if (!form) return "the compensator of " + message.name() + " has no linear form";
    site.compensator.push_back(*form);
  }
  const std::unique_ptr<ActuatorController> controller =
      make_controller(with_files_inlined(message.controller(), path + ".controller"),
                      actuators, site.tick(), path + ".controller");
  const std::optional<LinearControl> control = controller->linear_form(actuators);
  if (!control) return "the controller of " + message.name() + " has no linear form";
  site.controller = *control;
  return {};
}

void add_site(const config::Test& test, int index, TestLoop& result) {
  const config::Site& message = test.sites(index);
  const std::string path = "sites[" + std::to_string(index) + "]";
  LoopSite site;
  site.name = message.name();
  site.scale = pace_of(test).scale;
  site.time_step = test.time_step() * site.scale;
  site.ticks = ticks_per_step(test, message, path);
  add_frame(*make_loading_frame(message.loading_frame(), message.interface_size(),
                                path + ".loading_frame"),
            site);
  result.unknown = add_control(message, path, site);
  if (!result.unknown.empty()) return;
  site.rig = make_linear_rig(message.rig(), static_cast<int>(site.actuators()), site.tick(),
                             path + ".rig");
  const std::unique_ptr<SpecimenModel> specimen =
      make_specimen(message.rig().specimen(), message.interface_size(),
                    message.force_only_size(), path + ".rig.specimen");
  site.specimen = linear_form(*specimen, site.controlled(), site.tick());
  if (!site.specimen.exact)
    result.approximate = "the specimen of " + message.name() +
                         " has inner motion; its stiffness, damping and mass are taken as "
                         "the interface feels them when it moves slowly";
  result.compensators.push_back(kind_of(message.compensator()));
  result.secants.emplace_back(message.secant_stiffness().begin(),
                              message.secant_stiffness().end());
  result.loop.sites.push_back(std::move(site));
}

}  // namespace

TestLoop make_loop(const config::Test& test) {
  TestLoop result;
  result.unknown = reason_against(test);
  if (!result.unknown.empty()) return result;
  const NumericalParts parts = numerical_parts(test);
  const Structure structure =
      make_structure(test.numerical(), parts.experimental, "numerical");
  if (3 * structure.equations > kMostLoopStates) {
    result.unknown = "the numerical part has " + std::to_string(structure.equations) +
                     " equations; up to " + std::to_string(kMostLoopStates / 3) +
                     " are looked at";
    return result;
  }
  const std::unique_ptr<Integrator> integrator = make_integrator(
      test.numerical().integrator(), structure, test.time_step(), "numerical.integrator");
  result.loop.numerical =
      linear_form(*integrator, structure, equations_of(structure, parts.experimental));
  if (test.mode() == config::REAL_TIME)
    result.loop.latency_steps = test.real_time().has_latency_steps()
                                    ? static_cast<int>(test.real_time().latency_steps())
                                    : 1;
  for (int i = 0; i < test.sites_size() && result.unknown.empty(); ++i)
    add_site(test, i, result);
  return result;
}

StabilityReport assess_stability(const config::Test& test, Margins margins) {
  return assess(make_loop(test), margins);
}

}  // namespace trestle
