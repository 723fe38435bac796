#include "studies/pretest/loop_site_factory.h"

#include <algorithm>

#include "composition/hybrid_test/hybrid_test_factory.h"
#include "composition/hybrid_test/pacing_factory.h"
#include "composition/hybrid_test/specimen_mass_factory.h"
#include "composition/rigs/specimen_factory.h"
#include "composition/sites/compensator_factory.h"
#include "composition/sites/controller_factory.h"
#include "composition/sites/inlined_files.h"
#include "composition/sites/kinematics_factory.h"
#include "proto/config/control.pb.h"
#include "proto/config/site.pb.h"
#include "proto/config/test.pb.h"
#include "studies/pretest/linear_rig_factory.h"

namespace trestle::pretest {

using Eigen::Index;
using Eigen::MatrixXd;

int latency_of(const config::Test& test) {
  if (test.mode() != config::REAL_TIME) return 0;
  return test.real_time().has_latency_steps()
             ? static_cast<int>(test.real_time().latency_steps())
             : 1;
}

ClosedLoopSite timed_site(const config::Test& test, const config::Site& message,
                          const std::string& path) {
  ClosedLoopSite site;
  site.name = message.name();
  site.scale = composition::make_pacing(test).scale;
  site.time_step = composition::command_step(test) * site.scale;
  site.ticks = composition::ticks_per_step(test, message, path);
  return site;
}

std::string compensator_kind(const config::Compensator& message) {
  const google::protobuf::FieldDescriptor* kind =
      message.GetReflection()->GetOneofFieldDescriptor(
          message, message.GetDescriptor()->FindOneofByName("kind"));
  if (kind == nullptr) return "none";
  std::string name = kind->name();
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

void add_frame(const LoadingFrame& frame, ClosedLoopSite& site) {
  const Index actuators = frame.actuators();
  const Index dofs = frame.interface_dofs();
  site.to_actuators = frame.tangent();
  site.to_interface = MatrixXd(dofs, actuators);
  ActuatorMotion stroke = ActuatorMotion::zero(actuators);
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

std::string add_control(const config::Site& message, const std::string& path,
                        ClosedLoopSite& site) {
  const auto actuators = static_cast<int>(site.actuators());
  const std::unique_ptr<Compensator> compensator = composition::make_compensator(
      composition::inline_files(message.compensator(), message.name(), site.tick(),
                                path + ".compensator"),
      actuators, site.tick(), path + ".compensator");
  for (int i = 0; i < actuators; ++i) {
    const std::optional<LinearCompensatorModel> form = compensator->linearise(i);
    if (!form) return "the compensator of " + message.name() + " has no linear form";
    site.compensator.push_back(*form);
  }
  const std::unique_ptr<ActuatorController> controller = composition::make_controller(
      composition::inline_files(message.controller(), path + ".controller"), actuators,
      site.tick(), path + ".controller");
  const std::optional<LinearControllerModel> control = controller->linearise(actuators);
  if (!control) return "the controller of " + message.name() + " has no linear form";
  site.controller = *control;
  return {};
}

void add_loop_site(const config::Test& test, int index, TestClosedLoop& result) {
  const config::Site& message = test.sites(index);
  const std::string path = "sites[" + std::to_string(index) + "]";
  ClosedLoopSite site = timed_site(test, message, path);
  add_frame(*composition::make_loading_frame(
                message.loading_frame(), message.interface_size(), path + ".loading_frame"),
            site);
  result.unknown = add_control(message, path, site);
  if (!result.unknown.empty()) return;
  site.rig = make_linear_rig(message.rig(), static_cast<int>(site.actuators()), site.tick(),
                             path + ".rig");
  const std::unique_ptr<SpecimenModel> specimen =
      composition::make_specimen(message.rig().specimen(), message.interface_size(),
                                 message.force_only_size(), path + ".rig.specimen");
  site.specimen = linearise(*specimen, site.controlled(), site.tick());
  const std::vector<double> mass = composition::mass_left_out(test, index);
  if (!mass.empty())
    site.mass = Eigen::Map<const MatrixXd>(mass.data(), site.forces(), site.forces())
                    .leftCols(site.controlled());
  site.inertia_measured = composition::inertia_is_measured(message);
  if (!site.specimen.exact)
    result.approximate = "the specimen of " + message.name() +
                         " has inner motion; its stiffness, damping and mass are taken as "
                         "the interface feels them when it moves slowly";
  result.compensators.push_back(compensator_kind(message.compensator()));
  result.secants.emplace_back(message.secant_stiffness().begin(),
                              message.secant_stiffness().end());
  result.loop.sites.push_back(std::move(site));
}

}  // namespace trestle::pretest
