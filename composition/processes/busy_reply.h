#pragma once

#include <chrono>
#include <string>

#include "core/base/time.h"
#include "core/bus/zmq_transport.h"
#include "core/types/message.h"
#include "site-servers/node/site_node.h"

namespace trestle::composition {

/// Informs another integrator that connects during a session which test the site serves.
/// Called between ticks.
///
/// It answers only if the integrator of that test has sent a message since the call: a dead
/// integrator releases the site after a while, and the caller waits for that. It sends no
/// answer while the session ends, and limits the number of answers.
class BusyReply {
 public:
  void follow(const site_node::SiteNode& site, bus::ZmqTransport& transport);

 private:
  using Steady = std::chrono::steady_clock;

  SessionId session_{};
  std::string since_;  ///< that session was first seen
  bool called_ = false;
  TimePoint heard_before_{};  ///< the call
  Steady::time_point told_{};
};

}  // namespace trestle::composition
