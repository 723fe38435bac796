#include "numerical/node/run_recorder.h"

#include <limits>
#include <string>
#include <utility>

#include "core/session/channel_names.h"
#include "core/timing/duration_histogram.h"
#include "core/types/pace_rules.h"
#include "core/types/record_names.h"
#include "numerical/node/limit_origins.h"

namespace trestle::integrator_node {
namespace {

// An amplitude with a larger standard error is not shown.
constexpr double kWellKnown = 0.05;

evaluation::DelayComponentReport summary(DelayComponent account,
                                         const timing::DurationHistogram& histogram) {
  return {name(account), seconds(histogram.quantile(0.5)),
          seconds(histogram.quantile(0.99)), seconds(histogram.quantile(0.999)),
          seconds(histogram.max())};
}

}  // namespace

RunRecorder::RunRecorder(const IntegratorSettings& settings,
                         const NumericalSubstructure& substructure, RecordStore& store)
    : settings_(settings),
      substructure_(substructure),
      store_(store),
      late_(settings.sites.size(), 0) {}

RecordStreams RunRecorder::make_accounts(const SitePeers& peers) {
  std::vector<AccountedSite> sites;
  std::vector<std::string> names;
  for (const SitePeer& peer : peers) {
    sites.push_back({peer.name(), peer.agreement.layout, peer.agreement.actuators,
                     peer.expected().noise, peer.expected().relative});
    names.push_back(peer.name());
  }
  const PaceRules& rules = rules_of(settings_.mode);
  const int latency = settings_.pace.latency_steps;
  accounts_ = std::make_unique<Accounts>(Accounts{
      // A row without its answer must not show those of the row before it.
      ResultRows(
          sites, substructure_,
          latency + static_cast<int>(rules.late_rows) + (settings_.completes_rows ? 1 : 0)),
      TrackingAccount(sites, settings_.time_step),
      evaluation::PeakTracker(substructure_.channels()),
      evaluation::QualityTracker(substructure_.channels()),
      CriteriaCollector(
          sites, substructure_.channels(),
          {.responses = settings_.responses,
           .steps = settings_.steps,
           .latency = latency,
           .window = settings_.synchronisation,
           .pairing = rules.timeless ? CriteriaCollector::Pairing::kOwnAnswer
                                     : CriteriaCollector::Pairing::kReadAtIssue}),
      DelayLedger(names, static_cast<std::size_t>(latency) + 1)});
  const RunSchema& schema = accounts_->rows.schema();
  used_row_.assign(schema.answer_channels().size(), 0.0);
  RecordStreams streams{{stream_name::kIntent, schema.intent_channels()},
                        {stream_name::kResult, schema.result_channels()},
                        {stream_name::kOpening, schema.opening_channels()},
                        {stream_name::kAnswer, schema.answer_channels()}};
  // Lock-step under the virtual clock takes no time that could be accounted for.
  const bool timed = rules.timed_loop || !settings_.pace.virtual_clock;
  if (timed) streams.emplace_back(stream_name::kLedger, accounts_->ledger.channels());
  // How often a site reports is a matter of real time. A record of a run without it has the
  // same bits whenever it is made.
  health_.reset();
  if (!settings_.pace.virtual_clock && extent_.health) {
    health_ = std::make_unique<HealthRows>(peers, *extent_.health);
    streams.emplace_back(stream_name::kHealth, health_->channels());
  }
  return streams;
}

void RunRecorder::set_sink(const std::vector<RowSink*>& sinks) {
  intent_sink_.follow(*sinks[0], extent_.used);
  result_sink_.follow(*sinks[1], extent_.whole);
  accounts_->rows.set_sink(intent_sink_, result_sink_);
  opening_sink_ = sinks[2];
  answer_sink_ = sinks[3];
  const std::size_t health = health_ ? 1U : 0U;
  ledger_sink_ = sinks.size() > 4 + health ? sinks[4] : nullptr;
  if (health_) health_->set_sink(*sinks.back());
  open_ = true;
}

void RunRecorder::open(const SitePeers& peers) {
  const RecordStreams streams = make_accounts(peers);
  std::string sites;
  for (const SitePeer& peer : peers) sites += (sites.empty() ? "" : ",") + peer.name();
  RecordMetadata facts{{meta_key::kNode, kIntegratorNode},
                       {meta_key::kTest, settings_.test},
                       {meta_key::kMode, name(settings_.mode)},
                       {meta_key::kSoftware, settings_.software},
                       {meta_key::kModel, settings_.model},
                       {meta_key::kTimeStep, session::format_exact(settings_.time_step)},
                       {meta_key::kSites, sites},
                       {meta_key::kStepsPlanned, std::to_string(settings_.steps)}};
  if (!settings_.participants.empty())
    facts.emplace_back(meta_key::kParticipants, participants_fact(settings_.participants));
  const auto add_names = [&](const char* key, bool SiteSpecification::*those) {
    std::string names;
    for (const SiteSpecification& site : settings_.sites)
      if (site.*those) names += (names.empty() ? "" : ",") + site.name;
    if (!names.empty()) facts.emplace_back(key, names);
  };
  add_names(meta_key::kTwins, &SiteSpecification::twin);
  add_names(meta_key::kRelativeSites, &SiteSpecification::relative);
  for (const SitePeer& peer : peers) {
    facts.emplace_back(meta_key::kActuatorsOf + peer.name(),
                       format_actuators(peer.agreement.actuators));
    facts.emplace_back(meta_key::kContractOf + peer.name(), peer.agreement.contract);
    if (std::string origins = limit_origins(peer); !origins.empty())
      facts.emplace_back(meta_key::kLimitOriginsOf + peer.name(), std::move(origins));
  }
  facts.insert(facts.end(), settings_.delay_limits.begin(), settings_.delay_limits.end());
  set_sink(store_.open(settings_.session, facts, streams));
}

void RunRecorder::reopen(const SitePeers& peers, const RecordExtent& extent) {
  extent_ = extent;
  const RecordStreams streams = make_accounts(peers);
  std::vector<std::int64_t> last(streams.size(), extent_.used);
  last[1] = extent_.whole;
  last[2] = kInitialStep;
  if (health_) last.back() = extent_.health->last;
  if (extent_.keeps_all)
    last.assign(streams.size(), std::numeric_limits<std::int64_t>::max());
  set_sink(store_.resume(settings_.session, streams, last));
}

void RunRecorder::retell(const SitePeers& peers, const RecordExtent& extent) {
  extent_ = extent;
  set_sink(std::vector<RowSink*>(make_accounts(peers).size(), &no_sink_));
  open_ = false;
  ledger_sink_ = nullptr;  // no time passes
}

void RunRecorder::begin_ledger(TimePoint zero) noexcept {
  accounts_->ledger.set_sink(ledger_sink_, zero);
}

HealthRows::Verdict RunRecorder::heard(std::size_t site, const Health& health,
                                       TimePoint now) noexcept {
  if (!open_ || !health_) return HealthRows::Verdict::kRecorded;
  return health_->heard(site, health, now);
}

bool RunRecorder::intend(std::int64_t step, std::span<const SiteTarget> requests) noexcept {
  return accounts_->rows.intend(step, requests);
}

bool RunRecorder::record_opening() noexcept {
  return accounts_->rows.record_opening(*opening_sink_);
}

bool RunRecorder::keep_used(std::int64_t step,
                            std::span<const SiteResponse> answers) noexcept {
  schema().pack_used(answers, used_row_);
  return answer_sink_->push({step, used_row_});
}

bool RunRecorder::close(std::int64_t step, std::span<const SiteTarget> requests) noexcept {
  const bool kept = accounts_->rows.close(step, substructure_);
  const std::span<const double> motion = accounts_->rows.motion();
  accounts_->peaks.add(step, motion);
  accounts_->quality.add(step, motion);
  accounts_->criteria.close(requests, motion);
  return kept;
}

void RunRecorder::opening(std::size_t site, const StepResponse& response) noexcept {
  accounts_->criteria.answer(site, response);
  accounts_->rows.open(site, response);
}

void RunRecorder::answered(std::size_t site, const StepResponse& response,
                           const timing::PeerClock& clock, TimePoint received) noexcept {
  accounts_->criteria.answer(site, response);
  accounts_->ledger.answered(site, response, clock.offset(received), clock.bound(received),
                             received);
  if (accounts_->rows.answer(site, response)) accounts_->tracking.add(site, response);
}

void RunRecorder::answered_before(std::size_t site, const StepResponse& response) noexcept {
  accounts_->criteria.answer(site, response);
  if (accounts_->rows.answer(site, response)) accounts_->tracking.add(site, response);
}

void RunRecorder::late(std::size_t site, const StepResponse& response) noexcept {
  if (has(site, response.step)) return;
  if (response.step > extent_.used) ++late_[site];
  if (accounts_->rows.answer(site, response)) accounts_->tracking.add(site, response);
}

void RunRecorder::missed(std::size_t site, std::int64_t step) noexcept {
  accounts_->criteria.missed(site, step);
}

bool RunRecorder::has(std::size_t site, std::int64_t step) const noexcept {
  return accounts_->rows.answered(site, step);
}

bool RunRecorder::unpack(std::span<const double> row, std::size_t site,
                         StepResponse& response) const {
  schema().site(site).unpack_response(row, response);
  return response.measured.allFinite() && response.force.allFinite();
}

bool RunRecorder::shows_instability(std::size_t site, const Fault& fault) const {
  return accounts_ != nullptr && accounts_->criteria.shows_instability(site, fault);
}

void RunRecorder::fill(evaluation::RunReport& report, const SitePeers& peers) const {
  if (accounts_ == nullptr) return;
  report.peaks = accounts_->peaks.peaks();
  report.quality = accounts_->quality.quality();
  accounts_->tracking.report(report);
  report.criteria = accounts_->criteria.criteria(settings_.time_step);
  report.criteria.until_step = std::max<std::int64_t>(accounts_->criteria.compared(), 0);
  const DelayLedger& ledger = accounts_->ledger;
  const timing::DurationHistogram& steps = ledger.whole_steps();
  report.step_p50_s = seconds(steps.quantile(0.5));
  report.step_p99_s = seconds(steps.quantile(0.99));
  report.step_max_s = seconds(steps.max());
  for (std::size_t i = 0; i < peers.size(); ++i) {
    evaluation::SiteReport& site = report.sites[i];
    site.clock_bound = seconds(ledger.clock_bound(i));
    site.exchange_p50 = seconds(ledger.exchange(i).quantile(0.5));
    site.exchange_p99 = seconds(ledger.exchange(i).quantile(0.99));
    site.late = late_[i];
    site.pace = peers[i].pace;
    site.control_tick =
        settings_.time_step * settings_.pace.scale / peers[i].expected().ticks_per_step;
    if (ledger_sink_ == nullptr) continue;
    for (std::size_t n = 0; n < kDelayAccounts; ++n) {
      const auto account = static_cast<DelayComponent>(n);
      site.ledger.push_back(summary(account, ledger.histogram(i, account)));
    }
  }
}

std::vector<evaluation::SiteReport> RunRecorder::tracking_now(
    const SitePeers& peers) const {
  std::vector<evaluation::SiteReport> sites;
  if (accounts_ == nullptr) return sites;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    evaluation::SiteReport site;
    site.name = peers[i].name();
    const std::vector<ActuatorDescription>& actuators = peers[i].agreement.actuators;
    for (std::size_t n = 0; n < actuators.size(); ++n) {
      const evaluation::Tracking now = accounts_->tracking.sliding(i, n);
      evaluation::ActuatorTracking& tracking = site.tracking.emplace_back();
      tracking.actuator = actuators[n].name;
      tracking.delay = now.delay;
      tracking.amplitude = now.amplitude;
      tracking.judged = now.uncertainty < kWellKnown;
    }
    sites.push_back(std::move(site));
  }
  return sites;
}

}  // namespace trestle::integrator_node
