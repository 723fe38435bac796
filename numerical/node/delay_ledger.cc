#include "numerical/node/delay_ledger.h"

#include <algorithm>

namespace trestle::integrator_node {
namespace {

// Accounts that a missed site has as well: up to its message, and from the join on.
constexpr std::size_t kFirstOfSite = 3;
constexpr std::size_t kFirstBehindSite = 9;

/// As far from the ends of time as nanoseconds can be added, and each after the one before.
bool in_order(const StepResponse& response) noexcept {
  constexpr TimePoint kFar{Duration{std::int64_t{1} << 61}};
  const SiteTimestamps& stamps = response.stamps;
  return -kFar.time_since_epoch() < stamps.received.time_since_epoch() &&
         stamps.received <= stamps.started && stamps.started <= stamps.driven &&
         stamps.driven <= stamps.closed && stamps.closed <= response.exchange.transmit &&
         response.exchange.transmit < kFar;
}

}  // namespace

const char* name(DelayComponent account) noexcept {
  constexpr std::array<const char*, kDelayAccounts> kNames = {
      "compute",   "journal", "encode",   "uplink", "wait",   "control",
      "actuation", "reply",   "downlink", "join",   "correct"};
  return kNames[static_cast<std::size_t>(account)];
}

DelayLedger::Durations DelayLedger::accounts(const Timestamps& s) noexcept {
  Durations durations{};
  const auto set = [&durations](DelayComponent account, Duration duration) {
    durations[static_cast<std::size_t>(account)] = duration;
  };
  set(DelayComponent::kCompute, s.ready - s.begun);
  set(DelayComponent::kJournal, s.recorded - s.ready);
  set(DelayComponent::kEncode, s.sent - s.recorded);
  if (s.in) {
    set(DelayComponent::kUplink, s.received - s.sent);
    set(DelayComponent::kWait, s.started - s.received);
    set(DelayComponent::kControl, s.driven - s.started);
    set(DelayComponent::kActuation, s.closed - s.driven);
    set(DelayComponent::kReply, s.replied - s.closed);
    set(DelayComponent::kDownlink, s.answered - s.replied);
    set(DelayComponent::kJoin, s.joined - s.answered);
  } else {
    set(DelayComponent::kJoin, s.joined - s.sent);
  }
  set(DelayComponent::kCorrect, s.used - s.joined);
  return durations;
}

DelayLedger::DelayLedger(const std::vector<std::string>& sites, std::size_t in_flight)
    : steps_(std::max<std::size_t>(in_flight, 1)) {
  std::size_t columns = 0;
  for (const std::string& name : sites) {
    sites_.push_back({record::LedgerColumns(name, columns), {}, {}, {}});
    columns = sites_.back().columns.end();
  }
  row_.assign(columns, 0.0);
  for (Step& step : steps_) step.sites.resize(sites.size());
}

Channels DelayLedger::channels() const {
  Channels channels;
  for (const Site& site : sites_)
    channels.insert(channels.end(), site.columns.channels().begin(),
                    site.columns.channels().end());
  return channels;
}

void DelayLedger::set_sink(RowSink* sink, TimePoint zero) noexcept {
  sink_ = sink;
  zero_ = zero;
}

DelayLedger::Step& DelayLedger::of(std::int64_t step) noexcept {
  return steps_[static_cast<std::size_t>(step) % steps_.size()];
}

void DelayLedger::begin(std::int64_t step, TimePoint now) noexcept {
  Step& opened = of(step);
  opened.step = step;
  for (Timestamps& stamps : opened.sites) {
    stamps = {};
    stamps.begun = now;
  }
}

void DelayLedger::target_ready(std::int64_t step, TimePoint now) noexcept {
  for (Timestamps& stamps : of(step).sites) stamps.ready = stamps.recorded = now;
}

void DelayLedger::target_recorded(std::int64_t step, TimePoint now) noexcept {
  for (Timestamps& stamps : of(step).sites) stamps.recorded = now;
}

void DelayLedger::sent(std::int64_t step, std::size_t site, TimePoint now) noexcept {
  Timestamps& stamps = of(step).sites[site];
  // Said again after a hold: it has been on its way since the first time.
  if (of(step).step == step && stamps.sent == TimePoint{}) stamps.sent = now;
}

void DelayLedger::answered(std::size_t site, const StepResponse& response, Duration offset,
                           Duration bound, TimePoint now) noexcept {
  Step& step = of(response.step);
  if (step.step != response.step || response.missed) return;
  Timestamps& stamps = step.sites[site];
  if (!in_order(response)) return;
  stamps.received = response.stamps.received - offset;
  stamps.started = response.stamps.started - offset;
  stamps.driven = response.stamps.driven - offset;
  stamps.closed = response.stamps.closed - offset;
  stamps.replied = response.exchange.transmit - offset;
  stamps.answered = now;
  stamps.clock_bound = bound;
  stamps.in = true;
}

void DelayLedger::joined(std::int64_t step, TimePoint now) noexcept {
  Step& open = of(step);
  bool all = true;
  TimePoint last{};
  for (const Timestamps& stamps : open.sites) {
    all = all && stamps.in;
    last = std::max(last, stamps.answered);
  }
  for (Timestamps& stamps : open.sites) stamps.joined = all ? last : now;
}

bool DelayLedger::close(std::int64_t step, TimePoint now) noexcept {
  Step& closed = of(step);
  if (closed.step != step) return true;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    Timestamps& stamps = closed.sites[i];
    stamps.used = now;
    Site& site = sites_[i];
    const Durations durations = accounts(stamps);
    for (std::size_t n = 0; n < kDelayAccounts; ++n)
      if (stamps.in || n < kFirstOfSite || n >= kFirstBehindSite)
        site.histograms[n].add(durations[n]);
    if (stamps.in) {
      site.exchange.add(stamps.answered - stamps.sent - (stamps.closed - stamps.received) +
                        (stamps.driven - stamps.started));
      site.bound = std::max(site.bound, stamps.clock_bound);
    }
    site.columns.pack(stamps, zero_, row_);
  }
  if (!closed.sites.empty()) whole_.add(now - closed.sites.front().begun);
  closed.step = kInitialStep;
  return sink_ == nullptr || sink_->push({step, row_});
}

const timing::DurationHistogram& DelayLedger::histogram(
    std::size_t site, DelayComponent account) const noexcept {
  return sites_[site].histograms[static_cast<std::size_t>(account)];
}

}  // namespace trestle::integrator_node
