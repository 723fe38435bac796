#pragma once

#include <atomic>
#include <cstdint>

namespace trestle::composition {

/// The answer to signals while nobody can follow them yet: a sentence at the first, and at
/// SIGINT, SIGTERM or SIGQUIT a second or more later another one, and the end of the
/// program at once. A signal that was followed meanwhile does not count.
class SecondSignal {
 public:
  struct Words {
    const char* first;
    const char* again;
  };

  /// @param words  literals: a line each
  SecondSignal(const Words& words, int exit_code) : words_(words), exit_code_(exit_code) {}
  SecondSignal(const SecondSignal&) = delete;
  SecondSignal& operator=(const SecondSignal&) = delete;

  /// The wake of StopSignals. @param second_signal  an object of this class
  static void hear(void* second_signal);

 private:
  Words words_;
  int exit_code_;
  std::atomic<std::int64_t> first_ns_{0};  ///< of the first signal; 0: none
  std::atomic<int> followed_{0};           ///< signals that had been taken by then
};

}  // namespace trestle::composition
