#include "core/record/drive_columns.h"

#include "core/session/channel_names.h"

namespace trestle::record {

DriveColumns::DriveColumns(const std::string& site,
                           const std::vector<ActuatorDescription>& actuators) {
  for (const ActuatorDescription& actuator : actuators) {
    const auto motion = [&](const char* quantity) {
      return channels_.add(session::motion_channel(
          session::channel_prefix(site, actuator.name), quantity, actuator.kind));
    };
    drives_.add<&DriveInForce::stroke>(motion("target"), actuators_);
    drives_.add<&DriveInForce::command>(motion("command"), actuators_);
    drives_.add<&DriveInForce::drive>(motion("drive"), actuators_);
    drives_.add<&DriveInForce::measured>(motion("measured"), actuators_++);
  }
}

void DriveColumns::unpack(std::span<const double> row, DriveInForce& drive) const noexcept {
  for (ActuatorVector* values :
       {&drive.stroke, &drive.command, &drive.drive, &drive.measured})
    values->resize(actuators_);
  drives_.unpack(row, drive);
}

}  // namespace trestle::record
