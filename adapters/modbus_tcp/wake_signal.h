#pragma once

#include <cstdint>

namespace trestle::modbus_tcp {

/// Wakes a thread that waits for its next period.
class WakeSignal {
 public:
  /// @throws std::runtime_error  if the system has no descriptor left
  WakeSignal();
  ~WakeSignal();
  WakeSignal(const WakeSignal&) = delete;
  WakeSignal& operator=(const WakeSignal&) = delete;

  /// From any thread or signal handler; neither blocks nor allocates.
  void raise() noexcept;
  /// Waits until the signal is raised, at most until `due_ns` of the monotonic clock.
  /// Forgets the signals so far.
  void wait_until(std::int64_t due_ns) noexcept;

 private:
  int event_;
};

}  // namespace trestle::modbus_tcp
