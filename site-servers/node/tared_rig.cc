#include "site-servers/node/tared_rig.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "site-servers/node/rig_channels.h"

namespace trestle::site_node {
namespace {

/// A rig that gives another number of values keeps it: those behind judge that.
template <typename Vector>
void subtract_tare(Vector& values, const Vector& offsets) noexcept {
  const Eigen::Index count = std::min(values.size(), offsets.size());
  for (Eigen::Index i = 0; i < count; ++i) values[i] -= offsets[i];
}

}  // namespace

std::string TaredRig::set(const RigTare& tare, const RigLimits& limits) {
  const RigDescription rig = rig_.description();
  const std::vector<RigReading> channels = rig_channels(rig.actuators, rig);
  const std::size_t actuators = rig.actuators.size();
  const auto cells = static_cast<std::size_t>(rig.reactions);
  const Measurement none =
      Measurement::zero(static_cast<Eigen::Index>(actuators), rig.reactions);
  ActuatorVector force = none.force;
  InterfaceVector force_only = none.force_only;
  std::vector<double> further(rig.extra.size(), 0.0);
  bool tares_further = false;
  for (const TareOffset& each : tare.offsets) {
    const auto found =
        std::find_if(channels.begin(), channels.end(), [&each](const RigReading& channel) {
          return channel.channel == each.channel && channel.unit == each.unit;
        });
    const auto at = static_cast<std::size_t>(found - channels.begin());
    if (found == channels.end() || at < actuators || !std::isfinite(each.value))
      return "the tare of " + each.at + " (" + tare.file + ") is of channel `" +
             each.channel + "` in " + each.unit +
             ", which this rig has not, or which cannot be tared; correct the rig's "
             "description, or set the file aside and tare the rig again (trestle rig tare)";
    if (at < 2 * actuators) {
      if (at - actuators < limits.size() &&
          std::abs(each.value) > kMostTare * limits[at - actuators].force)
        return "the tare of " + each.at + " (" + tare.file + ") is " +
               reading_text({each.channel, each.unit, each.value}) +
               ", more than a quarter of its limit of force in the site's file (" +
               reading_text(
                   {each.channel, each.unit, kMostTare * limits[at - actuators].force}) +
               "), which would not protect what it is for; state the limit that the tare "
               "was taken with, or set the file aside and tare the rig again (trestle rig "
               "tare)";
      force[static_cast<Eigen::Index>(at - actuators)] = each.value;
    } else if (at < 2 * actuators + cells) {
      force_only[static_cast<Eigen::Index>(at - 2 * actuators)] = each.value;
    } else {
      further[at - 2 * actuators - cells] = each.value;
      tares_further = true;
    }
  }
  tare_ = tare;
  raw_ = none;
  force_ = force;
  force_only_ = force_only;
  further_read_.assign(further.size(), std::numeric_limits<double>::quiet_NaN());
  further_ = std::move(further);
  tares_further_ = tares_further;
  return {};
}

AdapterStatus TaredRig::read(TimePoint now, Measurement& sensed) noexcept {
  if (tare_.offsets.empty()) return rig_.read(now, sensed);
  const AdapterStatus status = rig_.read(now, raw_);
  if (status != AdapterStatus::kOk) return status;
  sensed = raw_;
  subtract_tare(sensed.force, force_);
  subtract_tare(sensed.force_only, force_only_);
  if (!tares_further_) return status;
  const std::span<const double> read = rig_.auxiliary_channels();
  for (std::size_t i = 0; i < std::min(read.size(), further_.size()); ++i)
    further_read_[i] = read[i] - further_[i];
  return status;
}

}  // namespace trestle::site_node
