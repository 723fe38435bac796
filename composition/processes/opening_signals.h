#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "composition/processes/stop_signals.h"

namespace trestle::composition {

/// The signals of a program while it opens the rigs that it is going to drive: none of them
/// ends or suspends it then, for a rig that is open must not be left without a word. They
/// wait for the StopSignals of the one who drives the rigs, who takes them first.
///
/// A driver's open() or close() may hang. A second signal, a second later or more,
/// ends the program at once, with a sentence. Thread: the main one.
class OpeningSignals {
 public:
  /// Before the first rig is opened.
  /// @param exit_code  if the program is asked again
  explicit OpeningSignals(int exit_code);
  OpeningSignals(const OpeningSignals&) = delete;
  OpeningSignals& operator=(const OpeningSignals&) = delete;

  /// All rigs are open. If none of them is real equipment, signals mean again what they
  /// meant before; the last that came meanwhile, too.
  void opened(bool real_equipment);

 private:
  static void ask(void* opening);

  int exit_code_;
  std::atomic<std::int64_t> first_ns_{0};  ///< when it was asked first; 0: never
  std::optional<StopSignals> signals_;
};

}  // namespace trestle::composition
