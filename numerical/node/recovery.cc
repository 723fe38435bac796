#include "numerical/node/recovery.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <span>

#include "core/record/ledger_columns.h"
#include "core/session/contract_checks.h"
#include "core/session/stop_on_record.h"
#include "core/types/pace_rules.h"
#include "core/types/record_names.h"

namespace trestle::integrator_node {
namespace {

// Recorded steps that are gone through between two looks at the bus.
constexpr int kStepsBetweenLooks = 256;

/// Session time of the read that closed this step, as a site that never missed a tick
/// reckons it: the noise of a simulated rig's transducers is a function of it.
TimePoint closed_at(const IntegratorSettings& settings, const SiteSpecification& site,
                    std::int64_t step) {
  const double scale = rules_of(settings.mode).scaled_ticks ? settings.pace.scale : 1.0;
  const double tick = settings.time_step * scale / site.ticks_per_step;
  const std::int64_t steps = step + 1 + settings.pace.latency_steps;
  return TimePoint{Duration{
      std::llround(static_cast<double>(steps * site.ticks_per_step) * tick * 1e9)}};
}

/// Why a test cannot go on from this record, or empty.
std::string refusal_of_record(RecordedSession* past, const IntegratorSettings& settings,
                              const SitePeers& peers) {
  if (past == nullptr) return "there is no record of this session to go on from";
  const std::string model = past->fact(meta_key::kModel);
  if (model != settings.model)
    return "the record is of another model (" + model + "; this is " + settings.model + ")";
  if (past->fact(meta_key::kSoftware) != settings.software)
    return "the record was made by trestle " + past->fact(meta_key::kSoftware) +
           ", this is trestle " + settings.software + "; resume with that version";
  for (const SitePeer& peer : peers) {
    if (peer.session.lost()) continue;
    const std::string why = session::check_contract_unchanged(
        past->fact(meta_key::kContractOf + peer.name()), peer.agreement.contract);
    if (!why.empty()) return "site " + peer.name() + ": " + why;
  }
  std::vector<double> opening;
  if (!past->row(stream_name::kOpening, kInitialStep, opening))
    return "the record ends before the first step; run the test again";
  return {};
}

/// Heartbeats are numbered on behind the last one. A record of an earlier version, or of
/// virtual time, has none.
std::optional<HealthExtent> health_extent(RecordedSession& past) {
  HealthExtent extent;
  extent.channels = past.channels(stream_name::kHealth);
  if (extent.channels.empty()) return std::nullopt;
  extent.last = std::max<std::int64_t>(past.last(stream_name::kHealth), extent.last);
  std::vector<double> row;
  if (past.row(stream_name::kHealth, extent.last, row) && !row.empty())
    extent.time = row.front();
  return extent;
}

}  // namespace

Recovery::Recovery(const IntegratorSettings& settings, const Parts& parts)
    : settings_(settings), parts_(parts), repetition_(settings.sites.size()) {}

std::int64_t Recovery::open_step() const noexcept {
  return past_ != nullptr ? parts_.record.extent().used + 1 : parts_.exchange.step();
}

std::string Recovery::resume_record() {
  past_ = parts_.store.open_session(settings_.session);
  if (const std::string why = refusal_of_record(past_.get(), settings_, parts_.peers);
      !why.empty())
    return why;
  stop_ = session::stop_on_record(past_->audits());
  site_hold_ = session::site_hold_on_record(past_->audits());
  // In real time rows are written later than what they say was used: `answer` has all that
  // a replay needs, the rest of a row is asked for again.
  const std::int64_t used = std::max(past_->last(stream_name::kAnswer), kInitialStep);
  RecordExtent extent;
  extent.whole = std::min(std::max(past_->last(stream_name::kResult), kInitialStep), used);
  // In other modes this would make executed steps open again.
  if (rules_of(settings_.mode).late_rows > 0 && used + 1 < settings_.steps)
    extent.whole = keep_incomplete_rows(extent.whole, used);
  extent.used = rules_of(settings_.mode).late_rows > 0 ? used : extent.whole;
  extent.accounted =
      std::min(std::max(past_->last(stream_name::kLedger), kInitialStep), extent.used);
  extent.health = health_extent(*past_);
  // Its times continue after the last recorded one.
  TimePoint& zero = parts_.times.zero;
  zero = parts_.times.now;
  if (past_->row(stream_name::kLedger, extent.accounted, row_))
    zero -= record::LedgerColumns::end_of(row_);
  try {
    parts_.record.reopen(parts_.peers, extent);
  } catch (const std::exception& error) {
    return std::string("the record cannot be resumed: ") + error.what();
  }
  parts_.record.begin_ledger(zero);
  for (SitePeer& peer : parts_.peers) peer.session.hold_from_record();
  replay_opening();
  return {};
}

/// A run that left wrote its last rows with the answers that it had. They are made again,
/// with those that come when their steps are asked for again.
/// Targets of earlier steps are no longer in flight.
/// @returns the last row before the first that lacks an answer
std::int64_t Recovery::keep_incomplete_rows(std::int64_t last, std::int64_t used) {
  incomplete_.clear();
  const std::int64_t pending =
      rules_of(settings_.mode).late_rows + settings_.pace.latency_steps;
  const auto lacks = [](double value) {
    return !std::isfinite(value);
  };
  for (std::int64_t step = std::max<std::int64_t>(used - pending + 1, 0); step <= last;
       ++step) {
    if (!past_->row(stream_name::kResult, step, row_)) continue;
    if (incomplete_.empty() && std::none_of(row_.begin(), row_.end(), lacks)) continue;
    incomplete_.emplace(step, row_);
  }
  return incomplete_.empty() ? last : incomplete_.begin()->first - 1;
}

/// Row of `result` as the record had it when it was opened, in row_.
bool Recovery::recorded_result(std::int64_t step) {
  const auto kept = incomplete_.find(step);
  if (kept == incomplete_.end()) return past_->row(stream_name::kResult, step, row_);
  row_ = kept->second;
  return true;
}

std::string Recovery::retell() {
  past_ = parts_.store.open_session(settings_.session);
  for (SitePeer& peer : parts_.peers) {
    peer.agreement.layout = peer.expected().layout;
    if (past_ == nullptr) continue;
    peer.agreement.actuators =
        parse_actuators(past_->fact(meta_key::kActuatorsOf + peer.name()));
    peer.agreement.contract = past_->fact(meta_key::kContractOf + peer.name());
    peer.resume_point.last_step = past_->last(stream_name::kAnswer);  // no site is behind
  }
  if (std::string why = refusal_of_record(past_.get(), settings_, parts_.peers);
      !why.empty())
    return why;
  RecordExtent extent;
  extent.used = extent.whole = std::max(past_->last(stream_name::kAnswer), kInitialStep);
  extent.health.reset();  // nobody reports
  if (settings_.completes_rows) {
    extent.whole = std::max(past_->last(stream_name::kResult), kInitialStep);
    extent.keeps_all = true;
    try {
      parts_.record.reopen(parts_.peers, extent);
    } catch (const std::exception& error) {
      return std::string("the record cannot be ended: ") + error.what();
    }
  } else {
    parts_.record.retell(parts_.peers, extent);
  }
  parts_.record.begin_ledger(parts_.times.zero);
  replay_opening();
  return {};
}

void Recovery::replay_opening() {
  parts_.exchange.begin();
  past_->row(stream_name::kOpening, kInitialStep, row_);
  ResponseBarrier& barrier = parts_.exchange.barrier();
  for (std::size_t site = 0; site < parts_.peers.size(); ++site) {
    StepResponse opening;
    parts_.record.unpack(row_, site, opening);
    opening.step = kInitialStep;
    barrier.accept(site, opening);
    parts_.record.opening(site, opening);
  }
  answers_.assign(barrier.answers().begin(), barrier.answers().end());
  parts_.substructure.correct(kInitialStep, answers_);
  replayed_ = kInitialStep;
}

Recovery::Verdict Recovery::replay_some() {
  const std::int64_t last = parts_.record.extent().used;
  for (int n = 0; n < kStepsBetweenLooks && replayed_ < last; ++n)
    if (const Verdict verdict = replay_step(++replayed_); verdict != Verdict::kDone)
      return verdict;
  if (replayed_ < last) return Verdict::kBusy;
  parts_.exchange.stand_at(last);
  return Verdict::kDone;
}

/// @returns kDone, kOtherTarget, or kLost: the record has not what was used of it
Recovery::Verdict Recovery::replay_step(std::int64_t step) {
  const std::span<const SiteTarget> requests = parts_.exchange.replay(step);
  if (past_->row(stream_name::kIntent, step, row_) &&
      !parts_.record.schema().holds_targets(row_, requests))
    return Verdict::kOtherTarget;
  if (!past_->row(stream_name::kAnswer, step, row_)) return Verdict::kLost;
  parts_.record.schema().unpack_used(row_, answers_);
  const std::int64_t answered = step - settings_.pace.latency_steps;
  if (answered >= 0) replay_answers(answered);
  repeat_for_those_behind(step);
  parts_.exchange.close_replayed(step, answers_);
  return Verdict::kDone;
}

/// Replays a step's responses: their used part, and their row as far as the record has it.
void Recovery::replay_answers(std::int64_t step) {
  const bool whole = recorded_result(step);
  ResponseBarrier& barrier = parts_.exchange.barrier();
  barrier.open(step);
  for (std::size_t site = 0; site < parts_.peers.size(); ++site) {
    SitePeer& peer = parts_.peers[site];
    StepResponse used;
    used.step = step;
    used.measured = answers_[site].measured;
    used.force = answers_[site].force;
    barrier.accept(site, used);
    StepResponse response;
    response.step = step;
    response.measured_at = closed_at(settings_, peer.expected(), step);
    if (whole && parts_.record.unpack(row_, site, response)) {
      parts_.record.answered_before(site, response);
      ++peer.steps;
    } else {
      parts_.record.missed(site, step);
    }
  }
}

bool Recovery::finish_retelling() {
  const std::int64_t last = parts_.record.extent().used;
  const std::int64_t latency = settings_.pace.latency_steps;
  for (std::int64_t step = std::max<std::int64_t>(last + 1 - latency, 0); step <= last;
       ++step)
    replay_answers(step);
  const bool complete = last + 1 >= settings_.steps;
  if (complete) parts_.record.finish();
  // A row that found no room is counted as lost: the record then fails.
  if (parts_.record.is_open()) parts_.record.flush();
  past_.reset();
  return complete;
}

void Recovery::restore_delay_ledger() noexcept {
  const RecordExtent& extent = parts_.record.extent();
  const TimePoint now = parts_.times.now;
  DelayLedger& ledger = parts_.record.ledger();
  for (std::int64_t step = std::max<std::int64_t>(extent.accounted + 1, 0);
       step <= extent.used; ++step) {
    ledger.begin(step, now);
    ledger.target_ready(step, now);
    for (std::size_t site = 0; site < parts_.peers.size(); ++site)
      ledger.sent(step, site, now);
    if (step > extent.used - settings_.pace.latency_steps) continue;
    ledger.joined(step, now);
    ledger.close(step, now);
  }
}

std::string Recovery::actuators_where_complete(const std::string& site) const {
  const std::unique_ptr<RecordedSession> past =
      parts_.store.open_session(settings_.session);
  if (past == nullptr) return {};
  const bool complete = settings_.steps > 0 &&
                        past->last(stream_name::kAnswer) >= settings_.steps - 1 &&
                        past->last(stream_name::kResult) >= settings_.steps - 1;
  return complete ? past->fact(meta_key::kActuatorsOf + site) : std::string();
}

/// One whose record lost steps that it has answered.
bool Recovery::is_behind(std::size_t site) const noexcept {
  const SitePeer& peer = parts_.peers[site];
  if (past_ == nullptr && !peer.session.reconnected()) return false;
  return peer.resume_point.last_step < answered_by(site);
}

std::int64_t Recovery::answered_by(std::size_t site) const noexcept {
  return past_ != nullptr ? past_->last(stream_name::kAnswer) - settings_.pace.latency_steps
                          : parts_.exchange.answered_by(site);
}

bool Recovery::has_lagging_sites() const noexcept {
  for (std::size_t site = 0; site < parts_.peers.size(); ++site)
    if (is_behind(site)) return true;
  return false;
}

std::string Recovery::who_is_behind() const {
  std::string who;
  for (std::size_t site = 0; site < parts_.peers.size(); ++site) {
    if (!is_behind(site)) continue;
    const SitePeer& peer = parts_.peers[site];
    who += (who.empty() ? "" : "; ") + ("site " + peer.name()) + " came back behind step " +
           std::to_string(peer.resume_point.last_step) + " and had answered step " +
           std::to_string(answered_by(site));
  }
  return who;
}

/// In tests in which no time has passed.
Recovery::Verdict Recovery::search() {
  const PaceRules& rules = rules_of(settings_.mode);
  // If steps may be omitted, the test continues without them.
  if (!rules.repeats_steps)
    return !rules.skips_steps && has_lagging_sites() ? Verdict::kLost : Verdict::kDone;
  if (past_ != nullptr) return Verdict::kDone;
  repetition_.clear();
  if (!has_lagging_sites()) return Verdict::kDone;
  std::unique_ptr<RecordedSession> record = parts_.store.open_session(settings_.session);
  std::vector<double> row;
  if (record == nullptr || !record->row(stream_name::kOpening, kInitialStep, row))
    return Verdict::kLost;
  StepExchange& exchange = parts_.exchange;
  std::vector<SiteResponse> opening(exchange.barrier().answers().begin(),
                                    exchange.barrier().answers().end());
  for (std::size_t site = 0; site < parts_.peers.size(); ++site) {
    StepResponse read;
    parts_.record.unpack(row, site, read);
    opening[site].measured = read.measured;
    opening[site].force = read.force;
  }
  search_ = std::make_unique<RecordReplay>(
      parts_.substructure, parts_.record.schema(), std::move(record),
      exchange.in_flight().requests(exchange.step()), opening);
  return Verdict::kBusy;
}

Recovery::Verdict Recovery::search_some() {
  StepExchange& exchange = parts_.exchange;
  const std::int64_t open = exchange.step();
  RecordReplay& past = *search_;
  for (int n = 0; n < kStepsBetweenLooks && past.step() + 1 < open; ++n) {
    if (!past.next()) {
      end_search();
      return Verdict::kLost;
    }
    for (std::size_t site = 0; site < parts_.peers.size(); ++site)
      if (parts_.peers[site].session.reconnected() &&
          past.step() > parts_.peers[site].resume_point.last_step)
        repeat(site, past.step(), past.requests()[site], past.answers()[site]);
  }
  if (past.step() + 1 < open) return Verdict::kBusy;
  end_search();
  for (std::size_t site = 0; site < parts_.peers.size(); ++site) {
    const SitePeer& peer = parts_.peers[site];
    if (!peer.session.reconnected() || peer.resume_point.last_step >= open ||
        exchange.answered_by(site) != open)
      continue;
    repeat(site, open, exchange.in_flight().requests(open)[site],
           exchange.barrier().answers()[site]);
  }
  return Verdict::kDone;
}

void Recovery::repeat_for_those_behind(std::int64_t step) {
  if (!rules_of(settings_.mode).repeats_steps) return;
  const std::span<const SiteTarget> requests = parts_.exchange.in_flight().requests(step);
  for (std::size_t site = 0; site < parts_.peers.size(); ++site)
    if (step > parts_.peers[site].resume_point.last_step)
      repeat(site, step, requests[site], answers_[site]);
}

void Recovery::repeat(std::size_t site, std::int64_t step, const SiteTarget& request,
                      const SiteResponse& answer) {
  StepCommand command;
  command.session = settings_.session;
  command.step = step;
  command.due = parts_.exchange.schedule().session_time(step);
  command.target = request.target;
  command.feedforward_target = request.feedforward_target;
  command.command_feedforward = request.command_feedforward;
  repetition_.add(site, command, answer);
}

}  // namespace trestle::integrator_node
