#pragma once

#include <termios.h>

#include <chrono>

namespace trestle::cli {

/// Tells whether a person holds a key down, at a terminal that repeats it. While this
/// object exists the terminal shows no typed letters and passes each one on at once.
class HeldKey {
 public:
  using Clock = std::chrono::steady_clock;
  /// Longer than terminals wait before they repeat a key the first time.
  static constexpr std::chrono::milliseconds kReleased{700};

  HeldKey();
  ~HeldKey();
  HeldKey(const HeldKey&) = delete;
  HeldKey& operator=(const HeldKey&) = delete;

  /// Standard input is a terminal.
  static bool possible() noexcept;
  /// Waits for keys. @returns whether one came within kReleased
  bool is_held(std::chrono::milliseconds wait);
  /// Waits for a key. @returns whether one came
  bool is_pressed(std::chrono::milliseconds wait);
  /// Keys that came up to now say nothing about now.
  void forget() noexcept;

 private:
  termios before_{};
  bool changed_ = false;
  Clock::time_point last_;
};

}  // namespace trestle::cli
