#pragma once

#include <optional>

#include "composition/processes/second_signal.h"
#include "composition/processes/stop_signals.h"

namespace trestle::composition {

/// The signals of a program that is going to drive rigs, from the first opening of
/// equipment (RigOpening) on: none of them ends or suspends it, for a rig that is open must
/// not be left without a word. They wait for the StopSignals of the one who drives the
/// rigs, who takes them first. Before that opening they mean what they meant. While nobody
/// drives the rigs, as when they are given back, a second signal ends the program
/// (SecondSignal).
///
/// A program that only looks at a rig has none. Thread: the main one.
class OpeningSignals {
 public:
  /// @param exit_code  of a program that gives an opening up
  explicit OpeningSignals(int exit_code);
  ~OpeningSignals();
  OpeningSignals(const OpeningSignals&) = delete;
  OpeningSignals& operator=(const OpeningSignals&) = delete;

  /// Returns that of this program, or null.
  static OpeningSignals* of_this_program() noexcept;

  int exit_code() const noexcept { return exit_code_; }
  /// Before a rig is opened.
  void begin();
  /// It is open, or could not be opened. If no rig that is open is real equipment, signals
  /// mean again what they meant; one that has come ends the program.
  void end(bool real_equipment);

 private:
  int exit_code_;
  OpeningSignals* before_;  ///< that of the program so far
  bool any_real_ = false;   ///< a rig that is open
  SecondSignal second_;
  std::optional<StopSignals> kept_;
};

}  // namespace trestle::composition
