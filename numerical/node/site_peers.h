#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "numerical/node/integrator_settings.h"
#include "numerical/node/site_peer.h"

namespace trestle::integrator_node {

/// All sites of a test, in its order, and the questions to all of them.
class SitePeers {
 public:
  /// @param settings, transport  outlive this
  SitePeers(const IntegratorSettings& settings, Transport& transport);
  SitePeers(const SitePeers&) = delete;  // each peer looks into the settings
  SitePeers& operator=(const SitePeers&) = delete;

  std::size_t size() const noexcept { return peers_.size(); }
  SitePeer& operator[](std::size_t site) noexcept { return peers_[site]; }
  const SitePeer& operator[](std::size_t site) const noexcept { return peers_[site]; }
  auto begin() noexcept { return peers_.begin(); }
  auto end() noexcept { return peers_.end(); }
  auto begin() const noexcept { return peers_.begin(); }
  auto end() const noexcept { return peers_.end(); }

  bool all_sites_in(session::SessionState state) const noexcept;
  bool real_equipment() const noexcept;
  /// No site but this one has a server that could be told to stop: one in the integrator's
  /// process has none.
  bool no_other_server(const std::string& site) const;
  bool has_absent_sites() const noexcept;

  /// To all that have ever spoken.
  void send(const SessionMessage& message, TimePoint now);

  /// The clock of this site is known as well as the test needs it.
  bool clock_known(std::size_t site, TimePoint now) const noexcept;
  bool clocks_known(TimePoint now) const noexcept;
  Duration longest_round_trip() const noexcept;
  /// Returns the longest estimated transit time of a message.
  Duration longest_way(TimePoint now) const noexcept;

 private:
  const IntegratorSettings& settings_;
  std::vector<SitePeer> peers_;
};

}  // namespace trestle::integrator_node
