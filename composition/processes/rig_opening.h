#pragma once

#include <optional>

#include "composition/processes/second_signal.h"
#include "composition/processes/stop_signals.h"

namespace trestle::composition {

/// One opening of equipment, in a program that drives rigs (OpeningSignals): no signal ends
/// or suspends it. In any other program it changes nothing.
///
/// A driver's open() may hang: a second signal ends the program (SecondSignal). A call of
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
  bool real_ = false;
  std::optional<SecondSignal> second_;
  std::optional<StopSignals> signals_;
};

}  // namespace trestle::composition
