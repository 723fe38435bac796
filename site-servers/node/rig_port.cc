#include "site-servers/node/rig_port.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/types/interlock.h"

namespace trestle::site_node {
namespace {

// One order may have been lost before the first read that nothing fresh came to.
constexpr int kFirstInDoubt = 2;  // reads in a row

Fault adapter_fault(AdapterStatus status) noexcept {
  return {FaultKind::kAdapter, -1, static_cast<double>(status), 0.0};
}

/// A rig that gives another number of values is not read beyond their end.
bool is_whole(const Measurement& reading, Eigen::Index actuators,
              Eigen::Index load_cells) noexcept {
  return reading.displacement.size() == actuators && reading.force.size() == actuators &&
         reading.force_only.size() == load_cells && reading.displacement.allFinite() &&
         reading.force.allFinite() && reading.force_only.allFinite();
}

/// One late read changes no word that people are told.
void note_answer(AdapterStatus status, RigPort::State& state) noexcept {
  const bool late = status == AdapterStatus::kLate;
  state.unanswered = late ? std::min(state.unanswered + 1, kFirstInDoubt) : 0;
  if (!late || state.unanswered == kFirstInDoubt)
    state.answers = status == AdapterStatus::kOk;
}

}  // namespace

RigPort::RigPort(SiteAdapter& adapter, Settings settings)
    : adapter_(adapter),
      real_(adapter.description().real_equipment),
      load_cells_(adapter.description().reactions),
      row_(settings.actuators, settings.record_every, settings.ticks,
           adapter.description().extra.size(), settings.coefficients),
      drives_(settings.drives),
      drive_columns_("", std::vector<ActuatorDescription>(
                             static_cast<std::size_t>(settings.actuators))),
      health_(std::move(settings.health)),
      reading_(Measurement::zero(settings.actuators, adapter.description().reactions)) {
  const ActuatorVector zero = ActuatorVector::Zero(settings.actuators);
  state_.sensed = reading_;
  state_.given = {zero, zero, zero, zero};
  state_.confirmed = zero;
  if (drives_ != nullptr) drive_row_.assign(drive_columns_.channels().size(), 0.0);
}

Fault RigPort::read(TimePoint now) noexcept {
  state_.trusted = false;
  const AdapterStatus status = adapter_.read(now, reading_);
  note_answer(status, state_);
  state_.interlock = interlock_fault(adapter_.active_interlock());
  if (status == AdapterStatus::kTripped || forbids_motion(state_.interlock)) doubt();
  if (status != AdapterStatus::kOk) return adapter_fault(status);
  if (reading_.force_only.size() != load_cells_)
    return adapter_fault(AdapterStatus::kTripped);
  return {};
}

Fault RigPort::look(TimePoint now) noexcept {
  const AdapterStatus status = adapter_.read(now, reading_);
  const bool read = status == AdapterStatus::kOk;
  note_answer(status, state_);
  state_.interlock = read ? interlock_fault(adapter_.active_interlock()) : Fault{};
  // Before the first drive of a run a trip casts no doubt on it.
  if ((status == AdapterStatus::kTripped && state_.written > 0) ||
      forbids_motion(state_.interlock))
    doubt();
  // Of what was sensed before, nobody knows whether the rig is still there.
  if (real_ || state_.interlock) state_.trusted = false;
  if (health_ == nullptr) return state_.interlock;
  if (read && is_whole(reading_, state_.given.drive.size(), load_cells_))
    health_->read(reading_, adapter_.auxiliary_channels());
  else
    health_->forget();
  return state_.interlock;
}

void RigPort::accept(TimePoint now) noexcept {
  state_.sensed = reading_;
  state_.sensed_at = now;
  state_.trusted = true;
  state_.fresh = true;
}

Fault RigPort::write(const ActuatorVector& drive, const ActuatorVector& stroke,
                     const ActuatorVector& command) noexcept {
  state_.fresh = false;
  state_.held = false;
  state_.given = {stroke, command, drive, state_.sensed.displacement};
  state_.any_given = true;
  if (real_) {
    if (adapter_.stale_reads() < kFirstInDoubt)
      state_.confirmed = drive;
    else if (drive != state_.confirmed)
      state_.given.measured.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  if (health_ != nullptr) health_->driven(drive);
  const bool kept = keep();
  ++state_.written;
  const AdapterStatus status = adapter_.write(drive);
  if (status == AdapterStatus::kTripped) doubt();
  if (status != AdapterStatus::kOk) return adapter_fault(status);
  return kept ? Fault{} : Fault{FaultKind::kJournal, -1, 0.0, 0.0};
}

/// Before it is written: after a restart the record knows at least this drive.
bool RigPort::keep() noexcept {
  if (drives_ == nullptr) return true;
  drive_columns_.pack(state_.given, drive_row_);
  return drives_->push({state_.written, drive_row_});
}

/// Equipment that stops by itself may take another drive, and so may one whose emergency
/// stop or amplifier an interlock watches. The doubt is recorded for the
/// next process of the site, but not by a thread that hung: the record may be closed then.
void RigPort::doubt() noexcept {
  if (!real_ || !state_.any_given || checks::is_doubtful(state_.given)) return;
  state_.given.measured.setConstant(std::numeric_limits<double>::quiet_NaN());
  if (adapter_.taken_over()) return;
  keep();
  ++state_.written;
  ++state_.undriven;
}

void RigPort::told(const ActuatorVector& drive) noexcept {
  if (drive.size() != state_.given.drive.size()) return;
  state_.given = {drive, drive, drive, state_.sensed.displacement};
  state_.confirmed = drive;
  state_.any_given = true;
  keep();
  ++state_.written;
  ++state_.undriven;
}

std::optional<ActuatorVector> RigPort::reported() const noexcept {
  return checks::reported_drive(adapter_.drive_in_force(), state_.given.drive.size());
}

std::optional<DriveInForce> RigPort::given() const noexcept {
  return state_.any_given ? std::optional(state_.given) : std::nullopt;
}

void RigPort::report_drive(ActuatorReport& report) const noexcept {
  report.measured = state_.sensed.displacement;
  report.command.resize(0);
  if (state_.any_given) report.command = state_.given.drive;
}

void RigPort::stood(const DriveInForce& before) noexcept {
  const Eigen::Index actuators = state_.given.drive.size();
  for (const ActuatorVector* values : {&before.stroke, &before.command, &before.drive})
    if (values->size() != actuators || !values->allFinite()) return;
  if (before.measured.size() != actuators) return;
  state_.given = before;
  state_.confirmed = before.drive;
  state_.any_given = true;
}

void RigPort::begin_again(std::int64_t written) noexcept {
  // Since the fault or the restart nothing has driven it: before a person lets the test go
  // on, no fault moves it.
  state_.undriven = real_ ? written : 0;
  state_.written = written;
  state_.fresh = false;
  state_.trusted = false;
  row_.drop();
}

}  // namespace trestle::site_node
