#pragma once

#include <chrono>
#include <string>

#include "core/base/time.h"
#include "core/bus/zmq_transport.h"
#include "core/types/message.h"
#include "site-servers/node/site_node.h"

namespace trestle {

/// Tells another integrator that calls a site which is in a session, with whose test the
/// site is busy. Between ticks.
///
/// Only where the integrator of that test was heard after the call: one that died leaves
/// the site to the next in a while, and that one waits for it. Nobody is told while the
/// session comes to its end. However many call, few answers go out.
class BusyReply {
 public:
  void follow(const SiteNode& site, ZmqTransport& transport);

 private:
  using Steady = std::chrono::steady_clock;

  SessionId session_{};
  std::string since_;  ///< that session was first seen
  bool called_ = false;
  TimePoint heard_before_{};  ///< the call
  Steady::time_point told_{};
};

}  // namespace trestle
