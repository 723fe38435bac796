#include "site-servers/node/site_recorder.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/session/channel_names.h"
#include "core/session/stop_on_record.h"
#include "core/types/pace_rules.h"
#include "core/types/record_names.h"

namespace trestle::site_node {
namespace {

// That every site keeps; real equipment has one more.
constexpr std::size_t kStreams = 4;
// Steps that may be on their way to one that is executed: more than any latency.
constexpr std::size_t kSteps = 512;
// Gaps between intents that are remembered.
constexpr std::size_t kMostGaps = 256;

/// Drives that were written up to the end of this step.
std::int64_t ticks_at(RecordedSession& past, std::int64_t step) {
  const record::ClosingColumns columns("", {});  // those before the estimates
  std::vector<double> row;
  if (!past.row(stream_name::kClosing, step, row) || row.size() < columns.channels().size())
    return 0;
  record::ClosingRow closing;
  columns.unpack(row, closing);
  return closing.ticks;
}

std::optional<DriveInForce> last_drive(RecordedSession& past) {
  constexpr std::size_t kColumns = record::DriveColumns::kPerActuator;
  const std::int64_t last = past.last(stream_name::kDrive);
  std::vector<double> row;
  if (last == RecordedSession::kNone || !past.row(stream_name::kDrive, last, row) ||
      row.empty() || row.size() % kColumns != 0 || row.size() / kColumns > kMaxActuators)
    return std::nullopt;
  const std::vector<ActuatorDescription> actuators(row.size() / kColumns);
  DriveInForce drive;
  record::DriveColumns("", actuators).unpack(row, drive);
  return drive;
}

/// Steps after this one that the record names as missed. Earlier versions have an event for
/// each step.
std::vector<StepRange> missed_after(const RecordedSession& past, std::int64_t step) {
  std::vector<StepRange> missed;
  for (const std::string& text : past.events("missed"))
    if (const auto steps = parse_steps(text); steps && steps->last > step)
      missed.push_back(*steps);
  return missed;
}

bool skips_steps(const std::string& mode) {
  return std::any_of(std::begin(kPaceRules), std::end(kPaceRules),
                     [&mode](const PaceRules& rules) {
                       return rules.skips_steps && mode == name(rules.mode);
                     });
}

}  // namespace

std::optional<InterruptedSession> SiteRecorder::find_interrupted_session(
    bool simulated, std::optional<SessionId> asked, NoSession* none) {
  if (!asked) {
    asked = recording_.store.find_interrupted();
    if (!asked) return std::nullopt;
    session_ = *asked;
  }
  const SessionId session = *asked;
  // The disk may not have its end yet.
  const bool aside = std::find(aside_.begin(), aside_.end(), session) != aside_.end();
  const bool unfinished = !aside && recording_.store.is_unfinished(session);
  if (none != nullptr) none->missing = recording_.store.missing(session);
  if (!unfinished && none == nullptr) return std::nullopt;
  const std::unique_ptr<RecordedSession> record = recording_.store.open_session(session);
  if (record == nullptr) return std::nullopt;
  if (!unfinished) {
    none->ended = std::max(record->last(stream_name::kResult), kInitialStep);
    return std::nullopt;
  }
  InterruptedSession past;
  past.session = session;
  past.contract = record->fact(meta_key::kContract);
  past.state = record->state();
  const std::int64_t closed = record->last(stream_name::kClosing);
  if (closed == RecordedSession::kNone || (simulated && !past.state)) return std::nullopt;
  past.last_result = std::max(record->last(stream_name::kResult), kInitialStep);
  past.last_step = past.last_result;
  if (simulated)
    past.last_step = past.state->step;
  else if (skips_steps(record->fact(meta_key::kMode)))
    past.last_step = std::max(closed, past.last_step);  // missed for good, too
  past.missed = missed_after(*record, std::min(past.last_result, past.last_step));
  past.ticks = ticks_at(*record, past.last_step);
  if (!simulated) {
    past.ticks = std::max(past.ticks, record->last(stream_name::kTick) + 1);
    // An older one would be a jump: the rig has moved since.
    (record->whole() ? past.drive : past.older_drive) = last_drive(*record);
    past.driven = !record->whole() || past.drive;
    past.ticks = std::max(past.ticks, record->last(stream_name::kDrive) + 1);
  }
  past.stopped = session::stop_on_record(record->audits());
  past.held = session::hold_on_record(record->audits());
  const std::int64_t intent = record->last(stream_name::kIntent);
  if (intent > past.last_step) past.in_doubt = past.last_step + 1;
  return past;
}

void SiteRecorder::prepare(const SessionId& session, const SiteSchema& schema) {
  close();
  late_open_ = false;
  session_ = session;
  schema_ = schema;
  intent_row_.assign(schema.target.channels().size(), 0.0);
  result_row_.assign(schema.step.channels().size(), 0.0);
  closing_row_.assign(schema.closing.channels().size(), 0.0);
  const auto controlled = static_cast<Eigen::Index>(intent_row_.size());
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  wanted_.assign(kSteps, InterfaceVector::Constant(controlled, kNone));
  passed_over_.clear();
  passed_over_.reserve(kMostGaps);
}

RecordStreams SiteRecorder::streams() const {
  RecordStreams streams{{stream_name::kIntent, schema_->target.channels()},
                        {stream_name::kResult, schema_->step.channels()},
                        {stream_name::kClosing, schema_->closing.channels()}};
  if (schema_->drive) streams.emplace_back(stream_name::kDrive, schema_->drive->channels());
  streams.emplace_back(stream_name::kTick, schema_->tick.channels());
  return streams;
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

void SiteRecorder::open(const Configure& configure, const SiteSchema& schema,
                        const std::string& contract, const std::string& software) {
  prepare(configure.session, schema);
  const double tick = configure.time_step / configure.ticks_per_step;
  begin(recording_.store.open(
            configure.session,
            {{meta_key::kNode, schema.site},
             {meta_key::kTest, configure.test},
             {meta_key::kMode, configure.mode},
             {meta_key::kSoftware, software},
             {meta_key::kContract, contract},
             {meta_key::kTimeStep, session::format_exact(configure.time_step)},
             {meta_key::kTick, session::format_exact(tick)},
             {meta_key::kTicksPerStep, std::to_string(configure.ticks_per_step)},
             {meta_key::kSeed, std::to_string(configure.seed)},
             {meta_key::kStepsPlanned, std::to_string(configure.steps_planned)}},
            streams()),
        kInitialStep);
}

void SiteRecorder::reopen(const Configure& configure, const SiteSchema& schema,
                          const InterruptedSession& past, bool simulated) {
  prepare(configure.session, schema);
  constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  const std::int64_t tick = simulated ? past.ticks - 1 : kAll;
  // An intended step without a result is executed and recorded again.
  std::vector<std::int64_t> last{past.last_step, past.last_step, past.last_step};
  if (schema.drive) last.push_back(kAll);
  last.push_back(tick);
  begin(recording_.store.resume(configure.session, streams(), last), past.last_step);
}

/// Targets of this step, one per controlled DOF.
InterfaceVector& SiteRecorder::wanted(std::int64_t step) noexcept {
  return wanted_[static_cast<std::size_t>(std::max<std::int64_t>(step, 0)) % kSteps];
}

bool SiteRecorder::intent(const StepCommand& command) {
  if (!open_) return false;
  const InterfaceVector& target = command.target.displacement;
  wanted(command.step) = target;
  schema_->target.pack(target, intent_row_);
  if (command.step <= intended_) {
    write_out_of_order_target(command);
    return true;
  }
  if (command.step > intended_ + 1 && passed_over_.size() < kMostGaps)
    passed_over_.emplace_back(intended_ + 1, command.step - 1);
  intended_ = command.step;
  return intent_->push({command.step, intent_row_});
}

/// The stream accepts increasing steps only. In real time a step that was lost on its way
/// may still arrive after the test resumes from a hold.
void SiteRecorder::write_out_of_order_target(const StepCommand& command) {
  const bool kept =
      std::none_of(passed_over_.begin(), passed_over_.end(), [&command](const auto& steps) {
        return steps.first <= command.step && command.step <= steps.second;
      });
  if (kept) return;
  std::string text =
      "step " + std::to_string(command.step) + " came after a later one; its target:";
  for (const double value : command.target.displacement)
    text += " " + session::format_exact(value);
  recording_.log.event(command.step, "intent", text);
}

bool SiteRecorder::result(const StepResponse& response, std::int64_t ticks) noexcept {
  if (!open_) return false;
  schema_->step.pack_target(wanted(response.step), result_row_);
  schema_->step.pack_response(response, result_row_);
  return closing_row(response, ticks) && result_->push({response.step, result_row_});
}

bool SiteRecorder::closing_row(const StepResponse& response, std::int64_t ticks) noexcept {
  if (!open_) return false;
  const ActuatorReport& report = response.actuators;
  schema_->closing.pack({response.measured_at, ticks, report.delay.size() > 0, report.delay,
                         report.amplitude},
                        closing_row_);
  return closing_->push({response.step, closing_row_});
}

bool SiteRecorder::keep_told(const DriveInForce& drive, std::int64_t ticks) {
  if (!open_ || drives_ == nullptr) return false;
  std::vector<double> row(schema_->drive->channels().size());
  schema_->drive->pack(drive, row);
  return drives_->push({ticks, row});
}

void SiteRecorder::state(std::int64_t step, std::span<const double> values) noexcept {
  if (open_) recording_.states.save_state(step, values);
}

bool SiteRecorder::stored(std::int64_t step, StepResponse& response, bool* readable) {
  if (past_ == nullptr) past_ = recording_.store.open_session(session_);
  std::vector<double> result, closing;
  const auto read = [&] {
    return past_ != nullptr && past_->row(stream_name::kResult, step, result) &&
           past_->row(stream_name::kClosing, step, closing);
  };
  if (!read()) {
    // It may be newer than what was looked up.
    past_ = recording_.store.open_session(session_);
    if (readable != nullptr) *readable = past_ != nullptr;
    if (!read()) return false;
  }
  if (result.size() != result_row_.size() || closing.size() != closing_row_.size())
    return false;
  response = {};
  response.session = session_;
  response.step = step;
  schema_->step.unpack_response(result, response);
  record::ClosingRow last;
  schema_->closing.unpack(closing, last);
  response.measured_at = last.measured_at;
  response.actuators.delay = last.delay;
  response.actuators.amplitude = last.amplitude;
  return true;
}

bool SiteRecorder::event(std::int64_t step, const std::string& kind,
                         const std::string& text, std::size_t leaves) {
  if (!open_) return true;
  if (leaves > 0 && recording_.log.room_for_events() <= leaves) return false;
  recording_.log.event(step, kind, text);
  return true;
}

void SiteRecorder::audit(const AuditEntry& entry) {
  if (open_) recording_.log.audit(entry);
}

std::string SiteRecorder::audit_after_close(const AuditEntry& entry,
                                            const SessionId& session) {
  if (open_) {
    audit(entry);
    return {};
  }
  if (session != SessionId{} && session != session_) {
    if (late_open_) return "that of another test is open";
    session_ = session;
    schema_.reset();  // of another one
  }
  late_audit_.push_back(entry);
  return write_late_audit();
}

std::string SiteRecorder::write_late_audit() {
  if (late_audit_.empty() || !closing().empty()) return {};
  const std::vector<AuditEntry> entries = std::exchange(late_audit_, {});
  const auto write = [&] {
    for (const AuditEntry& entry : entries) recording_.log.audit(entry);
  };
  if (open_ || late_open_) {
    write();
    return {};
  }
  try {
    if (!schema_) {
      if (session_ == SessionId{}) return "there is none";
      // Not closed: the session may still be resumed.
      recording_.store.resume(session_, {}, {});
      late_open_ = true;
      write();
      return {};
    }
    const RecordStreams kept = streams();
    const std::vector<std::int64_t> all(kept.size(),
                                        std::numeric_limits<std::int64_t>::max());
    recording_.store.resume(session_, kept, all);
    write();
    recording_.store.close();
    return {};
  } catch (const std::exception& error) {
    // A missing record does not prevent the clearing of a fault.
    return error.what();
  }
}

void SiteRecorder::set_aside(const SessionId& session, const AuditEntry& why) {
  if (open_) throw std::runtime_error("the record of a test is open");
  past_.reset();
  late_open_ = false;
  if (recording_.store.missing(session).empty()) {
    recording_.store.resume(session, {}, {});
    recording_.log.audit(why);
    recording_.store.close();
  }
  aside_.push_back(session);
  // Nobody's later audit opens it once more.
  if (session == session_) session_ = {};
}

void SiteRecorder::close() {
  past_.reset();
  if (!open_) return;
  open_ = false;
  recording_.store.close();
}

}  // namespace trestle::site_node
