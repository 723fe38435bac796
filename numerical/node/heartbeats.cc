#include "numerical/node/heartbeats.h"

#include <algorithm>

#include "core/timing/deadline.h"

namespace trestle::integrator_node {
namespace {

// Exchanges before the run, to compare the clocks by.
constexpr Duration kCompareEvery = std::chrono::milliseconds(20);

}  // namespace

Heartbeats::Heartbeats(const RunParts& run, SiteAdmission& admission, const Clock& clock)
    : run_(run),
      admission_(admission),
      clock_(clock),
      compared_(run.settings.sites.size()),
      heard_(run.settings.sites.size()),
      tallies_(run.settings.sites.size(), session::EventTally("said")) {}

void Heartbeats::say(const std::string& by, const std::string& text) {
  said_ = {std::max(said_.number, clock_.now().time_since_epoch().count()) + 1, by, text};
  if (run_.record.is_open())
    run_.recording.log.event(run_.exchange.done() - 1, "said", by + ": " + text);
  for (std::size_t site = 0; site < run_.peers.size(); ++site) {
    SitePeer& peer = run_.peers[site];
    // However often people speak, a request that was lost is repeated in its time.
    if (!peer.session.lost() && !peer.session.in(session::SessionState::kOffline))
      peer.say(message(peer));
  }
}

void Heartbeats::hear(std::size_t site, const Announcement& said) {
  if (said.number == 0 || said == heard_[site]) return;
  heard_[site] = said;
  record_untold(site);
  if (tallies_[site].add(run_.times.now, said.by + ": " + said.text))
    say(said.by, said.text);
}

/// How many messages of a site were neither recorded nor passed on.
void Heartbeats::record_untold(std::size_t site) {
  session::EventTally& tally = tallies_[site];
  if (tally.due(run_.times.now) && run_.record.is_open())
    run_.recording.log.event(run_.exchange.done() - 1, tally.kind(),
                             run_.peers[site].name() + ": " + tally.sum(run_.times.now));
}

void Heartbeats::send(PhaseHandler& phase) {
  for (std::size_t site = 0; site < run_.peers.size(); ++site) {
    const SitePeer& peer = run_.peers[site];
    record_untold(site);
    if (peer.session.lost() || peer.session.in(session::SessionState::kOffline)) continue;
    if (peer.silence(run_.times.now) >= interval(site)) resend_pending_request(phase, site);
    compare_system_clocks(site);
  }
}

void Heartbeats::resend_pending_request(PhaseHandler& phase, std::size_t site) {
  SitePeer& peer = run_.peers[site];
  const bool begins =
      run_.phase == Phase::kConnecting || run_.phase == Phase::kInitialMeasurement;
  if (peer.session.in(session::SessionState::kConnected) && (peer.session.away() || begins))
    admission_.start_negotiation(peer);
  else if (!phase.resend(site))
    peer.send(message(peer), run_.times.now);
}

/// After so much silence of our own; where clocks are compared before the run, or before
/// it continues, soon.
Duration Heartbeats::interval(std::size_t site) const noexcept {
  const session::SessionState agreed = run_.phase == Phase::kHeld
                                           ? session::SessionState::kHolding
                                           : session::SessionState::kConfigured;
  const bool comparing = (run_.phase == Phase::kConnecting || run_.phase == Phase::kHeld) &&
                         run_.peers[site].session.in(agreed) &&
                         !run_.peers.clock_known(site, run_.times.now);
  return comparing ? std::min(kCompareEvery, run_.settings.heartbeat)
                   : run_.settings.heartbeat;
}

Heartbeat Heartbeats::message(const SitePeer& peer) const {
  Heartbeat beat;
  beat.session = run_.settings.session;
  beat.exchange = peer.clock.outgoing(clock_.now());
  if (peer.clock.known()) beat.clock_bound = peer.clock.bound(beat.exchange.transmit);
  if (run_.settings.pace.system_clock && run_.settings.system_clock)
    if (const auto here = run_.settings.system_clock()) {
      beat.system = here->system + (beat.exchange.transmit - here->own);
      beat.system_bound = here->bound;
    }
  beat.said = said_;
  return beat;
}

/// Readings of the system clocks become old, even if other messages are sent.
void Heartbeats::compare_system_clocks(std::size_t site) {
  if (!run_.settings.pace.system_clock || run_.phase != Phase::kRunning ||
      run_.times.now - compared_[site] < run_.settings.heartbeat)
    return;
  compared_[site] = run_.times.now;
  SitePeer& peer = run_.peers[site];
  peer.say(message(peer));
}

TimePoint Heartbeats::due() const noexcept {
  TimePoint due = TimePoint::max();
  for (std::size_t site = 0; site < run_.peers.size(); ++site) {
    const SitePeer& peer = run_.peers[site];
    if (!peer.session.lost() && !peer.session.in(session::SessionState::kOffline))
      due = std::min(due, timing::saturating_add(peer.sent_at(), interval(site)));
  }
  return due;
}

}  // namespace trestle::integrator_node
