#pragma once

#include <cstdint>
#include <limits>

namespace trestle {

/// Whether a node still lives, as those see it whom it calls: its record, its rig, its end
/// of the bus. A node that is killed in the middle of a tick runs on to the tick's end;
/// what it does from the fatal call on goes nowhere.
class Lifeline {
 public:
  /// The node makes a call to the outside. @returns false where it is dead: do nothing
  bool call() noexcept {
    if (left_ == 0) return false;
    if (left_ != kForEver) --left_;
    ++calls_;
    return true;
  }

  bool alive() const noexcept { return left_ != 0; }
  /// Made while it lived.
  std::int64_t calls() const noexcept { return calls_; }

  void end() noexcept { left_ = 0; }
  /// It lives for so many calls more. @pre calls >= 0
  void end_after(std::int64_t calls) noexcept { left_ = calls; }

 private:
  static constexpr std::int64_t kForEver = std::numeric_limits<std::int64_t>::max();
  std::int64_t left_ = kForEver;
  std::int64_t calls_ = 0;
};

}  // namespace trestle
