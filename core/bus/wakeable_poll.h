#pragma once

#include <poll.h>

#include <cstddef>
#include <vector>

#include "core/base/time.h"

namespace trestle::bus {

/// Sleeps until a socket or another descriptor is readable, or another thread wakes it.
class WakeablePoll {
 public:
  WakeablePoll() = default;
  ~WakeablePoll();
  WakeablePoll(const WakeablePoll&) = delete;
  WakeablePoll& operator=(const WakeablePoll&) = delete;

  /// Before the first sleep. @param sockets  their descriptors, which stay their owners'
  /// @throws std::runtime_error  the system gives no descriptor to be woken by
  void open(const std::vector<int>& sockets);
  /// A descriptor beside the sockets. It stays its owner's.
  void add(int descriptor);

  /// Ends the sleep() of now, or else the next one. From any thread or signal handler.
  void wake() const noexcept;
  /// @returns true if it is worth a look at the sockets; false if it was woken, another
  ///          descriptor is readable, or the time is over
  bool sleep(Duration timeout) noexcept;

 private:
  std::vector<pollfd> events_;  // of the sockets, of others, and to be woken by
  std::size_t others_ = 0;
  int wake_event_ = -1;
};

}  // namespace trestle::bus
