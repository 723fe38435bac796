#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.h"

namespace trestle::network {

/// Periodic outages of a link: one begins each period `every` and lasts `duration`.
struct OutagePattern {
  Duration every{};  ///< mean between two beginnings (exponential); zero: there are none
  Duration duration{};
  std::optional<Duration> first;  ///< beginning of the first; default: drawn
  bool regular = false;           ///< exact period; false: random
};

/// The delay of one way as it was measured at one time.
struct TracePoint {
  Duration time{};
  Duration delay{};
};

/// A network between integrator and site. Default: a perfect one.
struct LinkSettings {
  Duration delay{};         ///< integrator to site, at least
  Duration return_delay{};  ///< site to integrator, at least
  Duration jitter{};        ///< mean of what comes on top (exponential)
  double bandwidth = 0.0;   ///< of each direction [bit/s]; 0: any
  double loss = 0.0;        ///< share of messages that come one retransmission later
  OutagePattern stalls;     ///< nothing arrives, nothing is lost
  OutagePattern outages;    ///< connections break; what was on its way is lost
  /// In place of delay, return_delay and jitter: two points or more, times ascending, from
  /// the first to the last over and over. Empty: none.
  std::vector<TracePoint> trace;
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  ///< stream_id() of a name: links differ by it
};

}  // namespace trestle::network
