#include "studies/rehearsal/scenario_checker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "core/types/execution_mode.h"
#include "core/types/record_names.h"
#include "core/types/step_range.h"

namespace trestle::rehearsal {
namespace {

// Per site in the ledger: eleven stamps and the bound of the clocks.
constexpr std::size_t kLedgerColumns = 13;
constexpr std::size_t kStamps = 12;
// Whole nanoseconds that a double holds exactly.
constexpr double kExact = 9007199254740992.0;

bool same_bits(std::span<const double> one, std::span<const double> other) {
  return one.size() == other.size() &&
         std::memcmp(one.data(), other.data(), one.size_bytes()) == 0;
}

std::string number(std::int64_t value) {
  return std::to_string(value);
}

bool has(const ScenarioTrace& trace, FaultType sort) {
  return std::any_of(trace.faults.begin(), trace.faults.end(),
                     [sort](const ScheduledFault& fault) { return fault.sort == sort; });
}

/// Transducers gave wrong but plausible values: the test takes another course.
bool misled(const ScenarioTrace& trace) {
  return std::any_of(
      trace.faults.begin(), trace.faults.end(), [](const ScheduledFault& fault) {
        const auto garbage = static_cast<SensorFault>(fault.detail);
        return fault.sort == FaultType::kGarbage &&
               (garbage == SensorFault::kSpike || garbage == SensorFault::kStuck);
      });
}

/// A site did lost steps again by transducers that had gone wrong since, and the integrator
/// stopped the test for it.
bool found_out(const ScenarioTrace& trace, const SessionId& id) {
  const MemorySession* integrator = trace.disks[0]->find(id);
  if (!misled(trace) || !has(trace, FaultType::kPowerLoss) || integrator == nullptr)
    return false;
  return std::any_of(integrator->events.begin(), integrator->events.end(),
                     [](const MemorySession::Event& event) {
                       return event.text.find("does not repeat its answer") !=
                              std::string::npos;
                     });
}

/// Returns the numbers of the steps that the record marks as not executed.
std::set<std::int64_t> named_steps(const MemorySession& session,
                                   std::initializer_list<std::string_view> kinds) {
  std::set<std::int64_t> named;
  for (const MemorySession::Event& event : session.events)
    if (std::find(kinds.begin(), kinds.end(), event.kind) != kinds.end()) {
      const StepRange steps =
          parse_steps(event.text).value_or(StepRange{event.step, event.step});
      for (std::int64_t step = steps.first; step <= steps.last; ++step) named.insert(step);
    }
  return named;
}

}  // namespace

struct ScenarioChecker::CheckContext {
  const ScenarioTrace& trace;
  ScenarioVerdict verdict;
  void violates(const std::string& what) { verdict.violations.push_back(what); }
};

const MemorySession* ScenarioChecker::session(const ScenarioTrace& trace,
                                              std::size_t disk) const {
  return trace.disks[disk]->find(test_.session);
}

std::string ScenarioChecker::writer(std::size_t disk) const {
  return disk == 0 ? "the integrator" : "site " + test_.sites[disk - 1].name;
}

ScenarioVerdict ScenarioChecker::judge(const ScenarioTrace& trace) const {
  CheckContext now{trace, {}};
  judge_end(now);
  judge_motion(now);
  judge_integrator(now);
  for (std::size_t site = 0; site < trace.books.size(); ++site) judge_site(now, site);
  return std::move(now.verdict);
}

void ScenarioChecker::judge_end(CheckContext& now) const {
  const ScenarioTrace& trace = now.trace;
  if (!trace.ended)
    now.violates("no end: after " +
                 number(static_cast<std::int64_t>(seconds(trace.end.time_since_epoch()))) +
                 " s of virtual time somebody still waits");
  if (trace.result == evaluation::RunResult::kComplete)
    now.verdict.outcome =
        trace.restarts + trace.resumed > 0 ? Outcome::kResumed : Outcome::kCompleted;
  else if (trace.result == evaluation::RunResult::kNotFinished)
    now.verdict.outcome = Outcome::kHeld;
  else
    now.verdict.outcome = Outcome::kStopped;
}

void ScenarioChecker::judge_motion(CheckContext& now) const {
  for (std::size_t disk = 0; disk < now.trace.disks.size(); ++disk)
    for (const std::string& disorder : now.trace.disks[disk]->ordering_errors())
      now.violates("P3: " + writer(disk) + ": " + disorder);
  for (const RigMonitor& watch : now.trace.watches) {
    now.verdict.max_ticks_to_safe_action =
        std::max(now.verdict.max_ticks_to_safe_action, watch.max_ticks_to_safe_action());
    for (const std::string& complaint : watch.complaints()) now.violates(complaint);
  }
  for (const ExchangeLog& book : now.trace.books)
    for (const std::string& complaint : book.complaints())
      if (!found_out(now.trace, test_.session) ||
          complaint.find("another answer") == std::string::npos)
        now.violates(complaint);
}

void ScenarioChecker::judge_integrator(CheckContext& now) const {
  const MemorySession* kept = session(now.trace, 0);
  if (kept == nullptr) {
    if (now.trace.result == evaluation::RunResult::kComplete)
      now.violates("P4: the test is complete, and the integrator has no record of it");
    return;
  }
  const MemorySession::Stream* result = kept->stream(stream_name::kResult);
  const MemorySession::Stream* intent = kept->stream(stream_name::kIntent);
  if (result == nullptr || intent == nullptr) return;
  for (const MemorySession::Stream* stream : {intent, result})
    for (std::size_t i = 1; i < stream->rows(); ++i)
      if (stream->index[i] != stream->index[i - 1] + 1)
        now.violates("P3: the integrator's " + stream->name + " has a gap behind step " +
                     number(stream->index[i - 1]));
  if (result->rows() > intent->rows())
    now.violates("P4: the integrator has results of steps without intent");
  if (now.trace.result == evaluation::RunResult::kComplete &&
      result->rows() != static_cast<std::size_t>(test_.steps))
    now.violates("P4: the test is complete, but the integrator's record has " +
                 number(static_cast<std::int64_t>(result->rows())) + " of " +
                 number(test_.steps) + " steps");
  judge_ledger(now, *kept);
  judge_sameness(now, 0, *kept);
}

/// P7: the accounts add up in whole nanoseconds, and none is below zero.
void ScenarioChecker::judge_ledger(CheckContext& now, const MemorySession& session) const {
  const MemorySession::Stream* ledger = session.stream(stream_name::kLedger);
  if (ledger == nullptr) return;
  for (std::size_t i = 0; i < ledger->rows(); ++i) {
    const std::span<const double> row = ledger->row(i);
    for (std::size_t site = 0; site + kLedgerColumns <= row.size();
         site += kLedgerColumns) {
      double last = row[site];
      double sum = 0.0;
      bool sound = true;
      for (std::size_t stamp = 0; stamp < kStamps; ++stamp) {
        const double at = row[site + stamp];
        if (std::isnan(at)) continue;
        sound = sound && std::abs(at) < kExact && at == std::floor(at);
        sum += at - last;
        last = at;
      }
      if (!sound || sum != row[site + kStamps - 1] - row[site])
        now.violates("P7: the accounts of step " + number(ledger->index[i]) + " of site " +
                     test_.sites[site / kLedgerColumns].name + " do not add up");
    }
  }
}

void ScenarioChecker::judge_site(CheckContext& now, std::size_t site) const {
  const MemorySession* kept = session(now.trace, site + 1);
  const std::string& name = test_.sites[site].name;
  if (kept == nullptr) {
    if (now.trace.books[site].last() >= 0)
      now.violates("P4: site " + name + " answered, and has no record of it");
    return;
  }
  const MemorySession::Stream* intent = kept->stream(stream_name::kIntent);
  const MemorySession::Stream* result = kept->stream(stream_name::kResult);
  if (intent == nullptr || result == nullptr) return;
  std::set<std::int64_t> named;
  std::set<std::int64_t> intended;  // beside the stream
  std::set<std::int64_t> overtaken;
  if (test_.mode == ExecutionMode::kRealTime) {
    named = named_steps(*kept, {"missed", "late"});
    intended = named_steps(*kept, {"intent"});
    overtaken = named_steps(*kept, {"overtaken"});
  }
  for (const MemorySession::Stream* stream : {intent, result})
    for (std::size_t i = 1; i < stream->rows(); ++i)
      for (std::int64_t step = stream->index[i - 1] + 1; step < stream->index[i]; ++step)
        if (!named.contains(step) &&
            !(stream == intent && (intended.contains(step) || overtaken.contains(step))))
          now.violates("P3: site " + name + " has no " + stream->name + " of step " +
                       number(step) + ", and does not say why");
  for (const std::int64_t step : result->index)
    if (step >= 0 && !intended.contains(step) &&
        !std::binary_search(intent->index.begin(), intent->index.end(), step))
      now.violates("P4: site " + name + " has a result of step " + number(step) +
                   " without intent");
  judge_answers(now, site, *kept);
  judge_sameness(now, site + 1, *kept);
}

/// P4: a site's record contains every answer that it sent on the bus.
void ScenarioChecker::judge_answers(CheckContext& now, std::size_t site,
                                    const MemorySession& session) const {
  const MemorySession::Stream& result = *session.stream(stream_name::kResult);
  const ExchangeLog& book = now.trace.books[site];
  // A loss of power may remove rows that were not synced, if the mode permits it, until the
  // steps are repeated.
  const bool may_lack =
      has(now.trace, FaultType::kPowerLoss) &&
      test_.mode != ExecutionMode::kPseudoDynamic &&
      (now.trace.result != evaluation::RunResult::kComplete || now.trace.dark_at_end[site]);
  for (std::int64_t step = 0; step <= book.last(); ++step) {
    const ExchangeLog::Answer& answer = book.answers()[static_cast<std::size_t>(step)];
    if (answer.force.empty()) continue;
    const auto found = std::lower_bound(result.index.begin(), result.index.end(), step);
    if (found == result.index.end() || *found != step) {
      if (!may_lack && !has(now.trace, FaultType::kDiskFull))
        now.violates("P4: site " + test_.sites[site].name + " answered step " +
                     number(step) + ", and its record has no result of it");
      continue;
    }
    const auto row = result.row(static_cast<std::size_t>(found - result.index.begin()));
    std::vector<double> kept;
    std::vector<double> said;
    for (std::size_t i = 0; i < answer.measured.size(); ++i) {
      kept.insert(kept.end(), {row[3 * i + 1], row[3 * i + 2]});
      said.insert(said.end(), {answer.measured[i], answer.force[i]});
    }
    if (!same_bits(kept, said) && !found_out(now.trace, test_.session))
      now.violates("P4: what site " + test_.sites[site].name + " answered to step " +
                   number(step) + " is not what its record says");
  }
}

/// P5, P6: as far as it goes the record is that of the undisturbed run, bit for bit.
void ScenarioChecker::judge_sameness(CheckContext& now, std::size_t disk,
                                     const MemorySession& kept) const {
  const bool lockstep = test_.mode == ExecutionMode::kSimulated ||
                        test_.mode == ExecutionMode::kPseudoDynamic;
  if (!lockstep || now.trace.real_rigs || misled(now.trace)) return;
  const MemorySession* wanted = session(undisturbed_, disk);
  if (wanted == nullptr) return;
  const std::string who = writer(disk);
  for (const char* name :
       {stream_name::kIntent, stream_name::kResult, stream_name::kClosing,
        stream_name::kAnswer, stream_name::kOpening, stream_name::kTick}) {
    const MemorySession::Stream* is = kept.stream(name);
    const MemorySession::Stream* should = wanted->stream(name);
    if (is == nullptr || should == nullptr) continue;
    const std::size_t rows = std::min(is->rows(), should->rows());
    for (std::size_t i = 0; i < rows; ++i) {
      if (is->index[i] == should->index[i] && same_bits(is->row(i), should->row(i)))
        continue;
      now.violates("P6: row " + number(is->index[i]) + " of " + name + " of " + who +
                   " is not that of the undisturbed run");
      break;
    }
    const bool whole = now.trace.result == evaluation::RunResult::kComplete &&
                       (disk == 0 || test_.mode == ExecutionMode::kPseudoDynamic ||
                        !now.trace.dark_at_end[disk - 1]);
    if (is->rows() > should->rows() || (whole && is->rows() != should->rows()))
      now.violates("P6: " + std::string(name) + " of " + who + " has " +
                   number(static_cast<std::int64_t>(is->rows())) +
                   " rows, that of the undisturbed run " +
                   number(static_cast<std::int64_t>(should->rows())));
  }
}

std::string_view name(Outcome outcome) noexcept {
  static constexpr std::array<std::string_view, kOutcomes> kNames{"completed", "resumed",
                                                                  "stopped", "held"};
  return kNames[static_cast<std::size_t>(outcome)];
}

}  // namespace trestle::rehearsal
