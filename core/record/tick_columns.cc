#include "core/record/tick_columns.h"

#include <algorithm>

#include "core/session/channel_names.h"

namespace trestle::record {

TickColumns::TickColumns(const std::string& site,
                         const std::vector<ActuatorDescription>& actuators,
                         const Channels& extra) {
  for (const ActuatorDescription& actuator : actuators) {
    const std::string prefix = session::channel_prefix(site, actuator.name);
    const auto motion = [&](const char* quantity) {
      return channels_.add(session::motion_channel(prefix, quantity, actuator.kind));
    };
    targets_.add(motion("target"), actuators_);
    commands_.add(motion("command"), actuators_);
    measurements_.add<&Measurement::displacement>(motion("measured"), actuators_);
    measurements_.add<&Measurement::force>(
        channels_.add(session::force_channel(prefix, actuator.kind)), actuators_++);
  }
  extra_ = channels_.end();
  for (const Channel& channel : extra)
    channels_.add({session::channel_prefix(site, channel.name), channel.unit});
}

void TickColumns::pack_command(const ActuatorVector& target, const ActuatorVector& command,
                               std::span<double> row) const noexcept {
  targets_.pack(target, row);
  commands_.pack(command, row);
}

void TickColumns::pack_measurement(const Measurement& measurement,
                                   std::span<const double> extra,
                                   std::span<double> row) const noexcept {
  measurements_.pack(measurement, row);
  const std::span<double> besides = row.subspan(extra_);
  std::copy_n(extra.begin(), std::min(extra.size(), besides.size()), besides.begin());
}

void TickColumns::unpack(std::span<const double> row, ActuatorVector& target,
                         ActuatorVector& command, Measurement& measurement) const noexcept {
  for (ActuatorVector* values :
       {&target, &command, &measurement.displacement, &measurement.force})
    values->resize(actuators_);
  targets_.unpack(row, target);
  commands_.unpack(row, command);
  measurements_.unpack(row, measurement);
}

}  // namespace trestle::record
