#include "core/bus/wire_conversion.h"

#include <limits>

#include "core/base/legible_text.h"
#include "core/types/actuator_vector.h"

namespace trestle::bus {
namespace {

// A state of a session, or how its rig is.
constexpr std::size_t kLongestWord = 32;
// More values of one kind than any rig has.
constexpr int kMostTransducers = 128;
// Of a site's checklist; an item fits an audit entry.
constexpr int kMostItems = 64;
constexpr std::size_t kLongestItem = 200;

wire::Kind kind(DofKind kind) {
  return kind == DofKind::kRotation ? wire::ROTATION : wire::TRANSLATION;
}

bool take(wire::Kind from, DofKind& to) {
  to = from == wire::ROTATION ? DofKind::kRotation : DofKind::kTranslation;
  return from == wire::ROTATION || from == wire::TRANSLATION;
}

/// Infinite limits travel as zero: none.
double limit_to_wire(double limit) {
  return limit < std::numeric_limits<double>::infinity() ? limit : 0.0;
}

double limit_from_wire(double limit) {
  return limit == 0.0 ? std::numeric_limits<double>::infinity() : limit;
}

}  // namespace

void put(const Version& from, wire::Version* to) {
  to->set_major(from.major);
  to->set_minor(from.minor);
}

Version version(const wire::Version& from) {
  return {from.major(), from.minor()};
}

bool take(std::uint32_t from, int& to) {
  to = static_cast<int>(from & 0x7fffffffU);
  return from <= 0x7fffffffU;
}

std::uint64_t to_wire(std::chrono::nanoseconds time) {
  return static_cast<std::uint64_t>(time.count());
}

Duration from_wire(std::uint64_t time) {
  return Duration{static_cast<std::int64_t>(time)};
}

void put(const InterfaceLayout& from, WireList<wire::InterfaceDof>* to) {
  for (const InterfaceDof& dof : from) {
    wire::InterfaceDof* added = to->Add();
    added->set_name(dof.name);
    added->set_kind(kind(dof.kind));
    added->set_force_only(dof.role == DofRole::kForceOnly);
    added->set_displacement_limit(dof.displacement_limit);
    added->set_rate_limit(limit_to_wire(dof.rate_limit));
    added->set_acceleration_limit(limit_to_wire(dof.acceleration_limit));
  }
}

bool take(const WireList<wire::InterfaceDof>& from, InterfaceLayout& to) {
  if (from.size() > kMaxInterfaceDofs) return false;
  for (const wire::InterfaceDof& dof : from) {
    InterfaceDof& added = to.emplace_back();
    added.name = dof.name();
    added.role = dof.force_only() ? DofRole::kForceOnly : DofRole::kControlled;
    added.displacement_limit = dof.displacement_limit();
    added.rate_limit = limit_from_wire(dof.rate_limit());
    added.acceleration_limit = limit_from_wire(dof.acceleration_limit());
    if (!take(dof.kind(), added.kind)) return false;
  }
  return true;
}

void put(const RigLimits& from, WireList<wire::ActuatorLimits>* to) {
  for (const ActuatorLimits& limits : from) {
    wire::ActuatorLimits* added = to->Add();
    added->set_displacement(limits.displacement);
    added->set_rate(limits.rate);
    added->set_force(limits.force);
    added->set_tracking_error(limits.tracking_error);
    added->set_tracking_dwell_s(limits.tracking_dwell);
    added->set_energy_error(limit_to_wire(limits.energy_error));
    added->set_acceleration(limit_to_wire(limits.acceleration));
  }
}

bool take(const WireList<wire::ActuatorLimits>& from, RigLimits& to) {
  if (from.size() > kMaxActuators) return false;
  for (const wire::ActuatorLimits& limits : from)
    to.push_back({.displacement = limits.displacement(),
                  .rate = limits.rate(),
                  .force = limits.force(),
                  .tracking_error = limits.tracking_error(),
                  .tracking_dwell = limits.tracking_dwell_s(),
                  .energy_error = limit_from_wire(limits.energy_error()),
                  .acceleration = limit_from_wire(limits.acceleration())});
  return true;
}

void put(const std::vector<ActuatorDescription>& from,
         WireList<wire::ActuatorDescription>* to) {
  for (const ActuatorDescription& actuator : from) {
    wire::ActuatorDescription* added = to->Add();
    added->set_name(actuator.name);
    added->set_kind(kind(actuator.kind));
  }
}

bool take(const WireList<wire::ActuatorDescription>& from,
          std::vector<ActuatorDescription>& to) {
  if (from.size() > kMaxActuators) return false;
  for (const wire::ActuatorDescription& actuator : from) {
    ActuatorDescription& added = to.emplace_back();
    added.name = actuator.name();
    if (!take(actuator.kind(), added.kind)) return false;
  }
  return true;
}

void put(const Channels& from, WireList<wire::AuxiliaryChannel>* to) {
  for (const Channel& channel : from) {
    wire::AuxiliaryChannel* added = to->Add();
    added->set_name(legible(channel.name));
    added->set_unit(legible(channel.unit));
  }
}

bool take(const WireList<wire::AuxiliaryChannel>& from, Channels& to) {
  if (from.size() > kMostTransducers) return false;
  for (const wire::AuxiliaryChannel& channel : from)
    to.push_back({channel.name(), channel.unit()});
  return true;
}

void put(const std::vector<RequiredItem>& from, WireList<wire::ChecklistItem>* to) {
  for (const RequiredItem& item : from) {
    wire::ChecklistItem* added = to->Add();
    added->set_ask(legible(item.ask));
    added->set_read(legible(item.read));
    added->set_within(item.within);
  }
}

bool take(const WireList<wire::ChecklistItem>& from, std::vector<RequiredItem>& to) {
  if (from.size() > kMostItems) return false;
  for (const wire::ChecklistItem& item : from) {
    if (item.ask().empty() || item.ask().size() > kLongestItem ||
        item.read().size() > kLongestItem ||
        (!item.read().empty() && !(item.within() > 0.0)))
      return false;
    to.push_back({item.ask(), item.read(), item.within()});
  }
  return true;
}

bool take(const google::protobuf::RepeatedField<double>& from, std::vector<double>& to) {
  if (from.size() > kMostTransducers) return false;
  to.assign(from.begin(), from.end());
  return true;
}

void put(const PacingSettings& from, wire::Pace* to) {
  to->set_virtual_clock(from.virtual_clock);
  to->set_system_clock(from.system_clock);
  to->set_latency_steps(static_cast<std::uint32_t>(from.latency_steps));
  to->set_scale(from.scale);
  to->set_order(static_cast<std::uint32_t>(from.order));
  to->set_slow_after(from.slow_down_after);
  to->set_hold_at(from.hold_after);
  to->set_ramp_and_hold(from.ramp_and_hold);
  to->set_rate(from.rate);
  to->set_rotation_rate(from.rotation_rate);
  to->set_settle_s(from.settle);
  to->set_average_s(from.average);
}

bool take(const wire::Pace& from, PacingSettings& to) {
  to.virtual_clock = from.virtual_clock();
  to.system_clock = from.system_clock();
  to.scale = from.scale();
  to.slow_down_after = from.slow_after();
  to.hold_after = from.hold_at();
  to.ramp_and_hold = from.ramp_and_hold();
  to.rate = from.rate();
  to.rotation_rate = from.rotation_rate();
  to.settle = from.settle_s();
  to.average = from.average_s();
  return take(from.latency_steps(), to.latency_steps) && take(from.order(), to.order);
}

void put(const TimingStatistics& from, wire::PaceAccount* to) {
  to->set_missed(from.missed);
  to->set_slowed(from.slowed);
  to->set_held(from.held);
  to->set_overruns(from.overruns);
  to->set_wake_p50_ns(to_wire(from.wakeup_latency_p50));
  to->set_wake_p99_ns(to_wire(from.wakeup_latency_p99));
  to->set_wake_max_ns(to_wire(from.wakeup_latency_max));
}

TimingStatistics pace_account(const wire::PaceAccount& from) {
  return {from.missed(),
          from.slowed(),
          from.held(),
          from.overruns(),
          from_wire(from.wake_p50_ns()),
          from_wire(from.wake_p99_ns()),
          from_wire(from.wake_max_ns())};
}

void put(const Health& from, wire::Health* to) {
  to->set_state(legible(from.state));
  to->set_rig(legible(from.rig));
  to->set_step(from.step);
  to->set_cycles(from.cycles);
  to->set_overdue_ns(to_wire(from.overdue));
  for (const LimitsUsed& used : from.used) {
    wire::LimitsUsed* const part = to->add_used();
    part->set_displacement(used.displacement);
    part->set_rate(used.rate);
    part->set_acceleration(used.acceleration);
    part->set_force(used.force);
    part->set_tracking_error(used.tracking_error);
    part->set_energy_error(used.energy_error);
  }
  to->mutable_mean()->Add(from.mean.begin(), from.mean.end());
  to->mutable_deviation()->Add(from.deviation.begin(), from.deviation.end());
  to->mutable_auxiliary()->Add(from.auxiliary.begin(), from.auxiliary.end());
}

bool take(const wire::Health& from, Health& to) {
  if (from.state().size() > kLongestWord || from.rig().size() > kLongestWord ||
      from.used_size() > static_cast<int>(kMaxActuators) ||
      from.mean_size() > kMostTransducers || from.deviation_size() > kMostTransducers ||
      from.auxiliary_size() > kMostTransducers)
    return false;
  to.state = from.state();
  to.rig = from.rig();
  to.step = from.step();
  to.cycles = from.cycles();
  to.overdue = from_wire(from.overdue_ns());
  for (const wire::LimitsUsed& part : from.used())
    to.used.push_back({part.displacement(), part.rate(), part.acceleration(), part.force(),
                       part.tracking_error(), part.energy_error()});
  to.mean.assign(from.mean().begin(), from.mean().end());
  to.deviation.assign(from.deviation().begin(), from.deviation().end());
  to.auxiliary.assign(from.auxiliary().begin(), from.auxiliary().end());
  return true;
}

void put(const SyncTimestamps& from, wire::SyncTimestamps* to) {
  to->set_sent_ns(to_wire(from.transmit.time_since_epoch()));
  to->set_heard_sent_ns(to_wire(from.origin.time_since_epoch()));
  to->set_heard_received_ns(to_wire(from.receive.time_since_epoch()));
}

SyncTimestamps exchange_stamps(const wire::SyncTimestamps& from) {
  return {TimePoint{from_wire(from.sent_ns())}, TimePoint{from_wire(from.heard_sent_ns())},
          TimePoint{from_wire(from.heard_received_ns())}};
}

}  // namespace trestle::bus
