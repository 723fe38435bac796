#pragma once

#include <optional>

#include "composition/processes/second_signal.h"
#include "composition/processes/stop_signals.h"

namespace trestle::composition {

/// One giving back of rigs, in a program that drives rigs (OpeningSignals) and continues
/// after it: a driver's stop() or close() may hang, and a second signal ends the program
/// then (SecondSignal). One signal waits for who continues. A call of the driver that waits
/// is not interrupted. In any other program it changes nothing. Thread: the main one.
class RigReturn {
 public:
  RigReturn();
  RigReturn(const RigReturn&) = delete;
  RigReturn& operator=(const RigReturn&) = delete;

 private:
  std::optional<SecondSignal> second_;
  std::optional<StopSignals> signals_;
};

}  // namespace trestle::composition
