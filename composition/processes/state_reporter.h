#pragma once

#include <cstdint>
#include <string>

#include "composition/processes/process_log.h"
#include "site-servers/node/site_node.h"

namespace trestle::composition {

/// Logs each change of a site's state once, what the person at the rig can do next, and
/// each message of a person to all.
class StateReporter {
 public:
  /// @param folder  of the site's records
  StateReporter(ProcessLog& log, std::string folder);

  /// Between two ticks.
  void show(const site_node::SiteNode& site);
  /// The same for a person's last message to all, several times a second at most.
  void show_said(const site_node::SiteNode& site, TimePoint now);

 private:
  ProcessLog& log_;
  std::string folder_;
  session::SessionState shown_ = session::SessionState::kOffline;
  SessionId session_{};
  std::string reason_;
  std::int64_t said_ = 0;  // number of the last message
  TimePoint next_look_{};  // at what was said
};

}  // namespace trestle::composition
