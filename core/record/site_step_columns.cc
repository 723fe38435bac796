#include "core/record/site_step_columns.h"

#include "core/session/channel_names.h"

namespace trestle::record {

SiteStepColumns::SiteStepColumns(const std::string& site, const InterfaceLayout& layout,
                                 const std::vector<ActuatorDescription>& actuators,
                                 std::size_t first)
    : channels_(first) {
  for (const InterfaceDof& dof : layout) add_dof(site + "." + dof.name, dof);
  for (const ActuatorDescription& actuator : actuators)
    add_actuator(site + "." + actuator.name, actuator);
}

void SiteStepColumns::add_dof(const std::string& prefix, const InterfaceDof& dof) {
  if (dof.role == DofRole::kControlled) {
    targets_.add(channels_.add(session::motion_channel(prefix, "target", dof.kind)),
                 controlled_);
    responses_.add<&StepResponse::measured>(
        channels_.add(session::motion_channel(prefix, "measured", dof.kind)),
        controlled_++);
  }
  responses_.add<&StepResponse::force>(
      channels_.add(session::force_channel(prefix, dof.kind)), forces_++);
}

void SiteStepColumns::add_actuator(const std::string& prefix,
                                   const ActuatorDescription& actuator) {
  const auto motion = [&](const char* quantity) {
    return channels_.add(session::motion_channel(prefix, quantity, actuator.kind));
  };
  responses_.add<&StepResponse::actuators, &ActuatorReport::target>(motion("target"),
                                                                    actuators_);
  responses_.add<&StepResponse::actuators, &ActuatorReport::command>(motion("command"),
                                                                     actuators_);
  responses_.add<&StepResponse::actuators, &ActuatorReport::measured>(motion("measured"),
                                                                      actuators_);
  responses_.add<&StepResponse::actuators, &ActuatorReport::force>(
      channels_.add(session::force_channel(prefix, actuator.kind)), actuators_++);
}

bool SiteStepColumns::fits(const ActuatorReport& report) const noexcept {
  return report.target.size() == actuators_ && report.command.size() == actuators_ &&
         report.measured.size() == actuators_ && report.force.size() == actuators_;
}

void SiteStepColumns::unpack_target(std::span<const double> row,
                                    InterfaceVector& displacement) const noexcept {
  displacement.resize(controlled_);
  targets_.unpack(row, displacement);
}

void SiteStepColumns::unpack_response(std::span<const double> row,
                                      StepResponse& response) const noexcept {
  response.measured.resize(controlled_);
  response.force.resize(forces_);
  ActuatorReport& report = response.actuators;
  for (ActuatorVector* values :
       {&report.target, &report.command, &report.measured, &report.force})
    values->resize(actuators_);
  responses_.unpack(row, response);
}

}  // namespace trestle::record
