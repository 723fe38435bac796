#include "studies/rehearsal/monitored_rig.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace trestle::rehearsal {
namespace {

// Ticks after which a rig that is not read has come to rest.
constexpr double kTicksToRest = 400.0;
constexpr double kSpikeOfForce = 100.0;
constexpr double kSpikeOfDisplacement = 1.5;

}  // namespace

MonitoredRig::MonitoredRig(std::string site, std::unique_ptr<SiteAdapter> inner, bool real,
                           const Clock& clock, const SimulatedDisk& disk)
    : inner_(std::move(inner)),
      real_(real),
      clock_(clock),
      disk_(disk),
      watch_(std::move(site)) {
  const RigDescription is = inner_->description();
  const auto actuators = static_cast<Eigen::Index>(is.actuators.size());
  before_ = Measurement::zero(actuators, is.reactions);
  watch_.restart(actuators);
}

void MonitoredRig::begin_life() noexcept {
  watch_.begin_life();
  new_life_ = true;
}

void MonitoredRig::spoil(SensorFault garbage, int reads) noexcept {
  garbage_ = garbage;
  spoilt_reads_ = reads;
}

RigDescription MonitoredRig::description() const {
  RigDescription is = inner_->description();
  if (real_) is.real_equipment = is.hardware_watchdog = true;
  return is;
}

void MonitoredRig::prepare(const RigRun& run) {
  tick_ = run.tick;
  if (real_ && prepared_) return;
  prepared_ = true;
  inner_->prepare(run);
  watch_.restart(static_cast<Eigen::Index>(inner_->description().actuators.size()));
}

AdapterStatus MonitoredRig::read(TimePoint now, Measurement& sensed) noexcept {
  if (real_ && new_life_) pass_time(now, sensed);
  new_life_ = false;
  last_read_ = clock_.now();
  const AdapterStatus status = inner_->read(now, sensed);
  if (spoilt_reads_ > 0) return spoilt(sensed);
  before_ = sensed;
  watch_.read(sensed.displacement);
  return status;
}

/// Equipment moved on while no node read it.
void MonitoredRig::pass_time(TimePoint now, Measurement& sensed) noexcept {
  if (!(tick_ > 0.0) || last_read_ == TimePoint{}) return;
  const double ticks = seconds(clock_.now() - last_read_) / tick_;
  const double most = std::min(ticks, kTicksToRest);
  for (int n = 1; n < most; ++n) inner_->read(now, sensed);
}

AdapterStatus MonitoredRig::spoilt(Measurement& sensed) noexcept {
  --spoilt_reads_;
  switch (garbage_) {
    case SensorFault::kNaN:
      sensed.force[0] = std::numeric_limits<double>::quiet_NaN();
      break;
    case SensorFault::kInfinity:
      sensed.displacement[0] = std::numeric_limits<double>::infinity();
      break;
    case SensorFault::kSpike:
      sensed.force *= kSpikeOfForce;
      sensed.displacement *= kSpikeOfDisplacement;
      return AdapterStatus::kOk;
    case SensorFault::kStuck:
      sensed = before_;
      return AdapterStatus::kOk;
    case SensorFault::kTrip:
      watch_.trip();
      return AdapterStatus::kTripped;
  }
  watch_.trip();
  return AdapterStatus::kOk;
}

AdapterStatus MonitoredRig::write(const ActuatorVector& drive) noexcept {
  drive_ = drive;
  if (disk_.full()) watch_.lose_record();
  watch_.wrote(clock_.now(), drive);
  return inner_->write(drive);
}

void MonitoredRig::save(SnapshotWriter& snapshot) const {
  if (real_) return;
  inner_->save(snapshot);
  watch_.save(snapshot);
}

void MonitoredRig::restore(SnapshotReader& snapshot) {
  if (real_) return;
  inner_->restore(snapshot);
  watch_.restore(snapshot);
}

}  // namespace trestle::rehearsal
