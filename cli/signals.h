#pragma once

#include <atomic>
#include <functional>

namespace trestle {

/// Ctrl-C, SIGTERM and a terminal that is closed (but for `nohup`) ask for a safe stop; a
/// second one within it changes nothing. The handler only sets a flag and wakes whoever
/// waits. That nobody reads any more what is said ends nothing.
class StopSignals {
 public:
  /// @param wake  called from the signal handler: async-signal-safe, or empty
  explicit StopSignals(void (*wake)(void*), void* argument);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static bool asked() noexcept;

 private:
  bool on_hang_up_ = false;
};

}  // namespace trestle
