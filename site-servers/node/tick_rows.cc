#include "site-servers/node/tick_rows.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace trestle {
namespace {

constexpr std::size_t kChannelsPerActuator = 4;

std::size_t column(Eigen::Index actuator, std::size_t channel) noexcept {
  return static_cast<std::size_t>(actuator) * kChannelsPerActuator + channel;
}

}  // namespace

Channels tick_channels(const std::string& site,
                       const std::vector<ActuatorDescription>& actuators,
                       const Channels& extra) {
  const std::string prefix = site.empty() ? "" : site + ".";
  Channels channels;
  for (const ActuatorDescription& actuator : actuators) {
    const bool rotation = actuator.kind == DofKind::kRotation;
    const std::string motion = rotation ? "rad" : "m";
    for (const char* signal : {"target", "command", "measured"})
      channels.push_back({prefix + actuator.name + "." + signal + "_" + motion, motion});
    channels.push_back({prefix + actuator.name + (rotation ? ".force_Nm" : ".force_N"),
                        rotation ? "N.m" : "N"});
  }
  for (const Channel& channel : extra)
    channels.push_back({prefix + channel.name, channel.unit});
  return channels;
}

Channels drive_channels(const std::string& site,
                        const std::vector<ActuatorDescription>& actuators) {
  const std::string prefix = site.empty() ? "" : site + ".";
  Channels channels;
  for (const ActuatorDescription& actuator : actuators) {
    const std::string motion = actuator.kind == DofKind::kRotation ? "rad" : "m";
    for (const char* signal : {"target", "command", "drive", "measured"})
      channels.push_back({prefix + actuator.name + "." + signal + "_" + motion, motion});
  }
  return channels;
}

TickRows::TickRows(int actuators, int every, RowSink* sink, std::size_t extra)
    : sink_(sink), every_(every), extra_(extra), row_(column(actuators, 0) + extra, 0.0) {
  assert(every >= 1);
}

void TickRows::open(std::int64_t index, const ActuatorVector& target,
                    const ActuatorVector& command) noexcept {
  open_ = sink_ != nullptr && (index + 1) % every_ == 0;
  if (!open_) return;
  index_ = index;
  for (Eigen::Index i = 0; i < target.size(); ++i) {
    row_[column(i, 0)] = target[i];
    row_[column(i, 1)] = command[i];
  }
}

bool TickRows::close(const Measurement& sensed, std::span<const double> extra) noexcept {
  if (!open_) return true;
  open_ = false;
  for (Eigen::Index i = 0; i < sensed.displacement.size(); ++i) {
    row_[column(i, 2)] = sensed.displacement[i];
    row_[column(i, 3)] = sensed.force[i];
  }
  std::copy_n(extra.begin(), std::min(extra.size(), extra_),
              row_.end() - static_cast<std::ptrdiff_t>(extra_));
  return sink_->push({.index = index_, .values = row_});
}

void TickRows::save(SnapshotWriter& snapshot) const {
  snapshot.add(static_cast<double>(index_));
  snapshot.add(open_ ? 1.0 : 0.0);
  for (const double value : row_) snapshot.add(value);
}

void TickRows::restore(SnapshotReader& snapshot) {
  index_ = static_cast<std::int64_t>(snapshot.next());
  open_ = snapshot.next() != 0.0 && sink_ != nullptr;
  for (double& value : row_) value = snapshot.next();
}

}  // namespace trestle
