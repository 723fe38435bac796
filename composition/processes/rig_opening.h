#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "composition/processes/stop_signals.h"

namespace trestle::composition {

/// One opening of equipment, in a program that drives rigs (OpeningSignals): no signal ends
/// or suspends it. In any other program it changes nothing.
///
/// A driver's open() may hang: SIGINT, SIGTERM or SIGQUIT, a second or more after the first
/// signal, ends the program at once. Each of the two is answered with a sentence. A call of
/// the driver that waits is not interrupted. Thread: the main one.
class RigOpening {
 public:
  /// Before the plug-in's open().
  RigOpening();
  ~RigOpening();
  RigOpening(const RigOpening&) = delete;
  RigOpening& operator=(const RigOpening&) = delete;

  /// The rig is open.
  void opened(bool real_equipment) noexcept { real_ = real_equipment; }

 private:
  static void hear(void* opening);

  bool real_ = false;
  std::atomic<std::int64_t> first_ns_{0};  ///< of the first signal; 0: none
  std::optional<StopSignals> signals_;
};

}  // namespace trestle::composition
