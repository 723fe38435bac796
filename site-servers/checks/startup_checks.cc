#include "site-servers/checks/startup_checks.h"

#include <algorithm>
#include <cmath>

#include "core/base/setting_error.h"

namespace trestle::checks {
namespace {

constexpr double kRestTime = 0.25;      // [s]
constexpr double kSettleTime = 0.5;     // [s]
constexpr double kShortestMove = 2.0;   // [s]
constexpr double kFewestReadings = 16;  // RestStatistics::half_range() counts on it
// Relative to a reading, so that rounding does not count as motion.
constexpr double kRounding = 1e-12;

std::int64_t ticks_in(double duration, double tick, double fewest) {
  constexpr double kMost = 1e9;
  return static_cast<std::int64_t>(std::clamp(std::ceil(duration / tick), fewest, kMost));
}

void check_list(const char* field, const std::vector<double>& values, std::size_t count) {
  const std::string path = std::string("start_checks.") + field;
  if (!values.empty() && values.size() != count)
    throw SettingError(path, std::to_string(values.size()) + " entries for " +
                                 std::to_string(count) +
                                 " actuators; give one for all or one each");
  for (const double value : values)
    if (!(value > 0.0) || !std::isfinite(value))
      throw SettingError(path, "is " + std::to_string(value) + "; must be above zero");
}

RigLimits complete(const RigLimits& limits, std::size_t count) {
  if (limits.empty()) return RigLimits(count);
  if (limits.size() != count)
    throw SettingError("limits.actuators", std::to_string(limits.size()) + " entries for " +
                                               std::to_string(count) +
                                               " actuators; give one each");
  return limits;
}

void check_motion(const std::vector<double>& motion, const RigLimits& limits) {
  for (std::size_t i = 0; i < motion.size(); ++i)
    if (!(motion[i] < limits[i].displacement))
      throw SettingError("start_checks.polarity_motion",
                         "moves actuator " + std::to_string(i + 1) + " by " +
                             std::to_string(motion[i]) + ", its limit of displacement is " +
                             std::to_string(limits[i].displacement) + "; give less");
}

double change(const RestStatistics& rest, const RestStatistics& moved,
              Eigen::Index i) noexcept {
  return moved.mean(i) - rest.mean(i);
}

/// A change that is no larger may be noise.
double noise(const RestStatistics& rest, const RestStatistics& moved,
             Eigen::Index i) noexcept {
  return rest.half_range(i) + moved.half_range(i) +
         kRounding * (std::abs(rest.mean(i)) + std::abs(moved.mean(i)));
}

}  // namespace

StartupChecks::StartupChecks(const StartCheckSettings& settings, const RigLimits& limits,
                             const std::vector<ActuatorDescription>& actuators, double tick)
    : settings_(settings),
      limits_(complete(limits, actuators.size())),
      actuators_(actuators),
      tick_(tick),
      gate_(limits_, tick),
      rest_ticks_(ticks_in(kRestTime, tick, kFewestReadings)),
      settle_ticks_(ticks_in(kSettleTime, tick, 1.0)),
      sensed_(Measurement::zero(static_cast<Eigen::Index>(actuators.size()))),
      base_(sensed_.displacement) {
  check_list("zero_displacement", settings.zero_displacement, actuators.size());
  check_list("zero_force", settings.zero_force, actuators.size());
  check_list("polarity_motion", settings.polarity_motion, actuators.size());
  check_motion(settings.polarity_motion, limits_);
}

bool StartupChecks::tick(SiteAdapter& adapter, TimePoint now) noexcept {
  if (over_) return false;
  if (adapter.read(now, sensed_) != AdapterStatus::kOk)
    return end(adapter, {.what = What::kAdapter});
  if (adapter.active_interlock()) return end(adapter, {.what = What::kInterlock});
  if (!begun_) {
    base_ = sensed_.displacement;
    // Equipment that reports its drive continues with that drive.
    if (const auto said = reported_drive(adapter.drive_in_force(), base_.size()))
      base_ = *said;
    else if (stood_ && still_stands(*stood_, base_, limits_, tick_))
      base_ = stood_->drive;
    gate_.reset(base_);
    rest_.begin();
    begun_ = true;
  }
  if (!gate_.watch(sensed_))
    return end(adapter, {.what = What::kGateFault, .fault = gate_.fault()});
  if (phase_ == Phase::kRest) {
    rest_.add(sensed_);
  } else if (phase_ == Phase::kMoved) {
    moved_.add(sensed_);
  }
  if (++phase_tick_ >= length(phase_)) close_phase();
  ActuatorVector drive = base_;
  if (moving_ >= 0) drive[moving_] += offset();
  drive = gate_.pass(drive, sensed_);
  if (gate_.fault())
    return end(adapter, {.what = What::kGateFault, .fault = gate_.fault()});
  if (adapter.write(drive) != AdapterStatus::kOk)
    return end(adapter, {.what = What::kAdapter});
  return !over_;
}

/// The rig stays at its position.
bool StartupChecks::end(SiteAdapter& adapter, const StartupFinding& finding) noexcept {
  adapter.hold();
  // The first finding is the cause.
  if (finding_.what == What::kNothing) finding_ = finding;
  finding_.moving = moving_;
  finding_.travel = travel_;
  over_ = true;
  return false;
}

std::int64_t StartupChecks::length(Phase phase) const noexcept {
  switch (phase) {
    case Phase::kOut:
    case Phase::kBack:
      return move_.ticks();
    case Phase::kSettleOut:
    case Phase::kSettleBack:
      return settle_ticks_;
    case Phase::kRest:
    case Phase::kMoved:
      break;
  }
  return rest_ticks_;
}

void StartupChecks::close_phase() noexcept {
  phase_tick_ = 0;
  switch (phase_) {
    case Phase::kRest:
      if (moving_ < 0) {
        look_at_rest();
        if (finding_.what != What::kNothing || !next_actuator()) over_ = true;
      }
      phase_ = Phase::kOut;
      return;
    case Phase::kOut:
      phase_ = Phase::kSettleOut;
      return;
    case Phase::kSettleOut:
      moved_.begin();
      phase_ = Phase::kMoved;
      return;
    case Phase::kMoved:
      look_at_motion();
      phase_ = Phase::kBack;
      return;
    case Phase::kBack:
      phase_ = Phase::kSettleBack;
      return;
    case Phase::kSettleBack:
      if (finding_.what != What::kNothing || !next_actuator()) over_ = true;
      rest_.begin();
      phase_ = Phase::kRest;
      return;
  }
}

void StartupChecks::look_at_rest() noexcept {
  for (std::size_t i = 0; i < actuators_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    const double displacement = rest_.displacement.mean(at);
    const double force = rest_.force.mean(at);
    if (!settings_.zero_displacement.empty() &&
        !(std::abs(displacement) <= settings_.zero_displacement[i]))
      finding_ = {.what = What::kZeroDisplacement,
                  .actuator = static_cast<int>(i),
                  .value = displacement,
                  .limit = settings_.zero_displacement[i]};
    else if (!settings_.zero_force.empty() && !(std::abs(force) <= settings_.zero_force[i]))
      finding_ = {.what = What::kZeroForce,
                  .actuator = static_cast<int>(i),
                  .value = force,
                  .limit = settings_.zero_force[i]};
    else
      continue;
    return;
  }
}

/// The first of displacement and force that did not follow.
void StartupChecks::look_at_motion() noexcept {
  const double sign = travel_ < 0.0 ? -1.0 : 1.0;
  const auto look = [&](const RestStatistics& rest, const RestStatistics& moved, What away,
                        What none) {
    const double follows = sign * change(rest, moved, moving_);
    const double band = noise(rest, moved, moving_);
    if (follows > band) return false;
    finding_ = {.what = follows < -band ? away : none,
                .actuator = moving_,
                .value = change(rest, moved, moving_),
                .limit = band,
                .moving = moving_,
                .travel = travel_};
    find_other(finding_, rest, moved);
    return true;
  };
  if (!look(rest_.displacement, moved_.displacement, What::kDisplacementAway,
            What::kDisplacementNone))
    look(rest_.force, moved_.force, What::kForceAway, What::kForceNone);
}

void StartupChecks::find_other(StartupFinding& finding, const RestStatistics& rest,
                               const RestStatistics& moved) const noexcept {
  double most = std::abs(finding.value);
  for (int i = 0; i < static_cast<int>(actuators_.size()); ++i) {
    const double felt = change(rest, moved, i);
    if (i == moving_ || std::abs(felt) <= noise(rest, moved, i) || std::abs(felt) <= most)
      continue;
    most = std::abs(felt);
    finding.other = i;
    finding.other_value = felt;
  }
}

/// Moves away from a near displacement limit.
bool StartupChecks::next_actuator() noexcept {
  const int next = moving_ + 1;
  const auto i = static_cast<std::size_t>(next);
  if (i >= settings_.polarity_motion.size()) return false;
  ++moving_;
  const double motion = settings_.polarity_motion[i];
  travel_ = base_[moving_] + motion < limits_[i].displacement ? motion : -motion;
  move_ = MinimumJerkProfile(motion, limits_[i], tick_, kShortestMove);
  return true;
}

double StartupChecks::offset() const noexcept {
  switch (phase_) {
    case Phase::kOut:
      return travel_ * move_.part(phase_tick_ + 1);
    case Phase::kSettleOut:
    case Phase::kMoved:
      return travel_;
    case Phase::kBack:
      return travel_ * (1.0 - move_.part(phase_tick_ + 1));
    case Phase::kRest:
    case Phase::kSettleBack:
      break;
  }
  return 0.0;
}

std::string StartupChecks::run(SiteAdapter& adapter) {
  for (std::int64_t n = 0;; ++n) {
    const auto now =
        static_cast<std::int64_t>(std::llround(1e9 * tick_ * static_cast<double>(n)));
    if (!tick(adapter, TimePoint(Duration(now)))) return refusal();
  }
}

}  // namespace trestle::checks
