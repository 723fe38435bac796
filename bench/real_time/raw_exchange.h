#pragma once

#include <cstddef>
#include <vector>

namespace trestle::bench {

struct RawExchange {
  double rate = 1024.0;  ///< exchanges per second
  double seconds = 2.0;
  int peers = 2;
  int priority = 70;  ///< SCHED_FIFO of all threads
  std::size_t bytes_out = 200;
  std::size_t bytes_back = 300;
};

/// Raw ZeroMQ over tcp on loopback, a ROUTER and one DEALER thread per peer, paced like a
/// test in real time: every tick a message goes out to all peers, and each echoes at once.
/// @returns the round trip of every message [us]
std::vector<double> measure_raw_exchange(const RawExchange& settings);

}  // namespace trestle::bench
