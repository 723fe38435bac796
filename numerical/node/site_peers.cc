#include "numerical/node/site_peers.h"

#include <algorithm>

#include "core/types/pace_rules.h"

namespace trestle::integrator_node {
namespace {

// Exchanges without which a clock is not known.
constexpr int kFewestExchanges = 8;

}  // namespace

SitePeers::SitePeers(const IntegratorSettings& settings, Transport& transport)
    : settings_(settings) {
  for (const SiteSpecification& site : settings.sites)
    peers_.emplace_back(static_cast<int>(peers_.size()), site, transport,
                        settings.pace.system_clock);
}

bool SitePeers::all_sites_in(session::SessionState state) const noexcept {
  return std::all_of(begin(), end(),
                     [state](const SitePeer& peer) { return peer.session.in(state); });
}

bool SitePeers::real_equipment() const noexcept {
  return std::any_of(begin(), end(),
                     [](const SitePeer& peer) { return peer.real_equipment(); });
}

bool SitePeers::has_absent_sites() const noexcept {
  return std::any_of(begin(), end(), [](const SitePeer& peer) {
    return peer.session.away() || peer.session.lost();
  });
}

void SitePeers::send(const SessionMessage& message, TimePoint now) {
  for (SitePeer& peer : peers_)
    if (!peer.session.in(session::SessionState::kOffline)) peer.send(message, now);
}

bool SitePeers::no_other_server(const std::string& site) const {
  return std::none_of(begin(), end(), [&](const SitePeer& peer) {
    return peer.name() != site && !peer.expected().shares_clock;
  });
}

bool SitePeers::clock_known(std::size_t site, TimePoint now) const noexcept {
  const SitePeer& peer = peers_[site];
  if (peer.session.lost() || peer.expected().shares_clock ||
      !rules_of(settings_.mode).by_time)
    return true;
  const int fewest = settings_.pace.system_clock ? 1 : kFewestExchanges;
  if (peer.clock.exchanges() < fewest || !peer.clock.known()) return false;
  return settings_.clock_bound == Duration::zero() ||
         peer.clock.bound(now) <= settings_.clock_bound;
}

bool SitePeers::clocks_known(TimePoint now) const noexcept {
  for (std::size_t site = 0; site < peers_.size(); ++site)
    if (!clock_known(site, now)) return false;
  return true;
}

Duration SitePeers::longest_round_trip() const noexcept {
  Duration longest{};
  for (const SitePeer& peer : peers_) longest = std::max(longest, peer.round_trip());
  return longest;
}

Duration SitePeers::longest_way(TimePoint now) const noexcept {
  Duration way{};
  for (const SitePeer& peer : peers_)
    way = std::max(way, peer.clock.known() && !peer.expected().shares_clock
                            ? peer.clock.bound(now)
                            : peer.round_trip() / 2);
  return way;
}

}  // namespace trestle::integrator_node
