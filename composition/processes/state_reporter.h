#pragma once

#include <string>

#include "composition/processes/process_log.h"
#include "site-servers/node/site_node.h"

namespace trestle::composition {

/// Logs each change of a site's state once, and what the person at the rig can do next.
class StateReporter {
 public:
  /// @param folder  of the site's records
  StateReporter(ProcessLog& log, std::string folder);

  /// Between two ticks.
  void show(const site_node::SiteNode& site);

 private:
  ProcessLog& log_;
  std::string folder_;
  session::SessionState shown_ = session::SessionState::kOffline;
  SessionId session_{};
};

}  // namespace trestle::composition
