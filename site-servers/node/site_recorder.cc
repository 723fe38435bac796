#include "site-servers/node/site_recorder.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>

#include "core/session/channel_names.h"
#include "core/types/pace_rules.h"

namespace trestle {
namespace {

// Columns of `closing` before those of the compensator's estimates.
constexpr std::size_t kMeasuredAt = 0;
constexpr std::size_t kTicks = 1;
constexpr std::size_t kEstimated = 2;
constexpr std::size_t kEstimates = 3;

// That every site keeps; real equipment has one more.
constexpr std::size_t kStreams = 4;
// Steps that may be on their way to one that is executed: more than any latency.
constexpr std::int64_t kSteps = 512;
// Gaps between intents that are remembered.
constexpr std::size_t kMostGaps = 256;

Channels closing_channels(const std::string& site,
                          const std::vector<ActuatorDescription>& actuators) {
  Channels channels{
      {site + ".measured_at_ns", "ns"}, {site + ".ticks", ""}, {site + ".estimated", ""}};
  for (const ActuatorDescription& actuator : actuators) {
    channels.push_back({site + "." + actuator.name + ".delay_s", "s"});
    channels.push_back({site + "." + actuator.name + ".amplitude", ""});
  }
  return channels;
}

std::int64_t ticks_at(RecordedSession& past, std::int64_t step) {
  std::vector<double> row;
  return past.row("closing", step, row) && row.size() > kTicks
             ? static_cast<std::int64_t>(row[kTicks])
             : 0;
}

/// The row of drive_channels() that was written last.
std::optional<DriveInForce> last_drive(RecordedSession& past) {
  const std::int64_t last = past.last("drive");
  std::vector<double> row;
  if (last == RecordedSession::kNone || !past.row("drive", last, row) || row.empty() ||
      row.size() % 4 != 0 || row.size() / 4 > kMaxActuators)
    return std::nullopt;
  const auto actuators = static_cast<Eigen::Index>(row.size() / 4);
  DriveInForce drive;
  Eigen::Index of = 0;
  for (ActuatorVector* values :
       {&drive.stroke, &drive.command, &drive.drive, &drive.measured}) {
    values->resize(actuators);
    for (Eigen::Index i = 0; i < actuators; ++i)
      (*values)[i] = row[static_cast<std::size_t>(4 * i + of)];
    ++of;
  }
  return drive;
}

bool skips_steps(const std::string& mode) {
  return std::any_of(std::begin(kPaceRules), std::end(kPaceRules),
                     [&mode](const PaceRules& rules) {
                       return rules.skips_steps && mode == name(rules.mode);
                     });
}

}  // namespace

std::optional<InterruptedSession> SiteRecorder::look_back(bool simulated) {
  const std::optional<SessionId> session = recorder_.find_interrupted();
  if (!session) return std::nullopt;
  session_ = *session;
  return look_back(simulated, *session);
}

std::optional<InterruptedSession> SiteRecorder::look_back(bool simulated,
                                                          const SessionId& session) {
  if (!recorder_.is_unfinished(session)) return std::nullopt;
  const std::unique_ptr<RecordedSession> record = recorder_.open_session(session);
  if (record == nullptr) return std::nullopt;
  InterruptedSession past;
  past.session = session;
  past.contract = record->fact("contract");
  past.state = record->state();
  const std::int64_t closed = record->last("closing");
  if (closed == RecordedSession::kNone || (simulated && !past.state)) return std::nullopt;
  past.last_result = std::max(record->last("result"), kInitialStep);
  past.last_step = past.last_result;
  if (simulated)
    past.last_step = past.state->step;
  else if (skips_steps(record->fact("mode")))
    past.last_step = std::max(closed, past.last_step);  // those that were missed, too
  past.ticks = ticks_at(*record, past.last_step);
  if (!simulated) {
    past.ticks = std::max(past.ticks, record->last("tick") + 1);
    // An older one would be a jump: the rig has moved since.
    (record->whole() ? past.drive : past.older_drive) = last_drive(*record);
    past.driven = !record->whole() || past.drive;
    past.ticks = std::max(past.ticks, record->last("drive") + 1);
  }
  const std::int64_t intent = record->last("intent");
  if (intent > past.last_step) past.in_doubt = past.last_step + 1;
  return past;
}

Recorder::Streams SiteRecorder::streams(const Configure& configure,
                                        const RecordedRig& rig) {
  close();
  session_ = configure.session;
  controlled_ = controlled_dofs(configure.layout);
  dofs_ = configure.layout.size();
  actuators_ = rig.actuators.size();
  const Channels intent = target_channels(rig.site, configure.layout);
  const Channels result = answer_channels(rig.site, configure.layout, rig.actuators);
  const Channels closing = closing_channels(rig.site, rig.actuators);
  intent_row_.assign(intent.size(), 0.0);
  result_row_.assign(result.size(), 0.0);
  closing_row_.assign(closing.size(), 0.0);
  wanted_.assign(kSteps * controlled_, std::numeric_limits<double>::quiet_NaN());
  passed_over_.clear();
  passed_over_.reserve(kMostGaps);
  kept_ = {{"intent", intent}, {"result", result}, {"closing", closing}};
  if (!rig.drives.empty()) kept_.emplace_back("drive", rig.drives);
  kept_.emplace_back("tick", rig.ticks);
  return kept_;
}

void SiteRecorder::begin(const std::vector<RowSink*>& sinks, std::int64_t last) {
  intent_ = sinks[0];
  result_ = sinks[1];
  closing_ = sinks[2];
  drives_ = sinks.size() > kStreams ? sinks[kStreams - 1] : nullptr;
  ticks_ = sinks.back();
  intended_ = last;
  open_ = true;
}

void SiteRecorder::open(const Configure& configure, const RecordedRig& rig,
                        const std::string& contract, const std::string& software) {
  const Recorder::Streams kept = streams(configure, rig);
  begin(recorder_.open(
            configure.session,
            {{"node", rig.site},
             {"test", configure.test},
             {"mode", configure.mode},
             {"software", software},
             {"contract", contract},
             {"time_step_s", format_exact(configure.time_step)},
             {"tick_s", format_exact(configure.time_step / configure.ticks_per_step)},
             {"ticks_per_step", std::to_string(configure.ticks_per_step)},
             {"seed", std::to_string(configure.seed)},
             {"steps_planned", std::to_string(configure.steps_planned)}},
            kept),
        kInitialStep);
}

void SiteRecorder::reopen(const Configure& configure, const RecordedRig& rig,
                          const InterruptedSession& past, bool simulated) {
  const Recorder::Streams kept = streams(configure, rig);
  constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  const std::int64_t tick = simulated ? past.ticks - 1 : kAll;
  // What was intended and has no result is done anew, and intended anew.
  std::vector<std::int64_t> last{past.last_step, past.last_step, past.last_step};
  if (!rig.drives.empty()) last.push_back(kAll);
  last.push_back(tick);
  begin(recorder_.reopen(configure.session, kept, last), past.last_step);
}

/// Targets of this step, one per controlled DOF.
double* SiteRecorder::wanted(std::int64_t step) noexcept {
  const auto place = static_cast<std::size_t>(std::max<std::int64_t>(step, 0) % kSteps);
  return wanted_.data() + place * controlled_;
}

bool SiteRecorder::intent(const StepCommand& command) {
  if (!open_) return false;
  const InterfaceVector& target = command.target.displacement;
  std::copy(target.begin(), target.end(), wanted(command.step));
  std::copy(target.begin(), target.end(), intent_row_.begin());
  if (command.step <= intended_) {
    write_out_of_order_target(command);
    return true;
  }
  if (command.step > intended_ + 1 && passed_over_.size() < kMostGaps)
    passed_over_.emplace_back(intended_ + 1, command.step - 1);
  intended_ = command.step;
  return intent_->push({command.step, intent_row_});
}

/// The stream goes forward only. In real time a step may have been lost on its way, and
/// come after all when the test goes on from a hold.
void SiteRecorder::write_out_of_order_target(const StepCommand& command) {
  const bool kept =
      std::none_of(passed_over_.begin(), passed_over_.end(), [&command](const auto& steps) {
        return steps.first <= command.step && command.step <= steps.second;
      });
  if (kept) return;
  std::string text =
      "step " + std::to_string(command.step) + " came after a later one; its target:";
  for (const double value : command.target.displacement) text += " " + format_exact(value);
  recorder_.event(command.step, "intent", text);
}

bool SiteRecorder::result(const StepResponse& response, std::int64_t ticks) noexcept {
  if (!open_) return false;
  double* out = result_row_.data();
  const double* target = wanted(response.step);
  for (Eigen::Index i = 0; i < response.measured.size(); ++i, out += 3) {
    out[0] = *target++;
    out[1] = response.measured[i];
    out[2] = response.force[i];
  }
  for (Eigen::Index i = response.measured.size(); i < response.force.size(); ++i)
    *out++ = response.force[i];
  const ActuatorReport& report = response.actuators;
  for (Eigen::Index i = 0; i < report.target.size(); ++i, out += 4) {
    out[0] = report.target[i];
    out[1] = report.command[i];
    out[2] = report.measured[i];
    out[3] = report.force[i];
  }
  return close_with(response, ticks) && result_->push({response.step, result_row_});
}

bool SiteRecorder::close_with(const StepResponse& response, std::int64_t ticks) noexcept {
  if (!open_) return false;
  const ActuatorReport& report = response.actuators;
  closing_row_[kMeasuredAt] =
      static_cast<double>(response.measured_at.time_since_epoch().count());
  closing_row_[kTicks] = static_cast<double>(ticks);
  closing_row_[kEstimated] = report.delay.size() > 0 ? 1.0 : 0.0;
  for (Eigen::Index i = 0; i < report.delay.size(); ++i) {
    const std::size_t at = kEstimates + 2 * static_cast<std::size_t>(i);
    closing_row_[at] = report.delay[i];
    closing_row_[at + 1] = report.amplitude[i];
  }
  return closing_->push({response.step, closing_row_});
}

bool SiteRecorder::keep_told(const DriveInForce& drive, std::int64_t ticks) {
  if (!open_ || drives_ == nullptr) return false;
  std::vector<double> row;
  for (Eigen::Index i = 0; i < drive.drive.size(); ++i)
    for (const ActuatorVector* values :
         {&drive.stroke, &drive.command, &drive.drive, &drive.measured})
      row.push_back((*values)[i]);
  return drives_->push({ticks, row});
}

void SiteRecorder::state(std::int64_t step, std::span<const double> values) noexcept {
  if (open_) recorder_.save_state(step, values);
}

bool SiteRecorder::stored(std::int64_t step, StepResponse& response) {
  if (past_ == nullptr) past_ = recorder_.open_session(session_);
  std::vector<double> result, closing;
  const auto read = [&] {
    return past_ != nullptr && past_->row("result", step, result) &&
           past_->row("closing", step, closing);
  };
  if (!read()) {
    // It may be newer than what was looked up.
    past_ = recorder_.open_session(session_);
    if (!read()) return false;
  }
  if (result.size() != result_row_.size() || closing.size() != closing_row_.size())
    return false;
  response = {};
  response.session = session_;
  response.step = step;
  response.measured_at =
      TimePoint{Duration{static_cast<std::int64_t>(closing[kMeasuredAt])}};
  const auto controlled = static_cast<Eigen::Index>(controlled_);
  response.measured.resize(controlled);
  response.force.resize(static_cast<Eigen::Index>(dofs_));
  const double* in = result.data();
  for (Eigen::Index i = 0; i < controlled; ++i, in += 3) {
    response.measured[i] = in[1];
    response.force[i] = in[2];
  }
  for (Eigen::Index i = controlled; i < response.force.size(); ++i)
    response.force[i] = *in++;
  ActuatorReport& report = response.actuators;
  const auto count = static_cast<Eigen::Index>(actuators_);
  for (ActuatorVector* values :
       {&report.target, &report.command, &report.measured, &report.force})
    values->resize(count);
  const bool estimated = closing[kEstimated] != 0.0;
  report.delay.resize(estimated ? count : 0);
  report.amplitude.resize(estimated ? count : 0);
  for (Eigen::Index i = 0; i < count; ++i, in += 4) {
    report.target[i] = in[0];
    report.command[i] = in[1];
    report.measured[i] = in[2];
    report.force[i] = in[3];
    if (!estimated) continue;
    const std::size_t at = kEstimates + 2 * static_cast<std::size_t>(i);
    report.delay[i] = closing[at];
    report.amplitude[i] = closing[at + 1];
  }
  return true;
}

void SiteRecorder::event(std::int64_t step, const std::string& kind,
                         const std::string& text) {
  if (open_) recorder_.event(step, kind, text);
}

void SiteRecorder::audit(const AuditEntry& entry) {
  if (open_) recorder_.audit(entry);
}

void SiteRecorder::audit_after_close(const AuditEntry& entry) {
  if (open_) return audit(entry);
  try {
    if (kept_.empty()) {
      if (session_ == SessionId{}) return;
      // Not closed: the session may still be gone on with.
      recorder_.reopen(session_, {}, {});
      return recorder_.audit(entry);
    }
    const std::vector<std::int64_t> all(kept_.size(),
                                        std::numeric_limits<std::int64_t>::max());
    recorder_.reopen(session_, kept_, all);
    recorder_.audit(entry);
    recorder_.close();
  } catch (const std::exception&) {
    // A record that is gone keeps nobody from clearing.
  }
}

void SiteRecorder::close() {
  past_.reset();
  if (!open_) return;
  open_ = false;
  recorder_.close();
}

}  // namespace trestle
