#pragma once

#include <cstdint>

#include "core/base/time.h"

namespace trestle::site_node {

/// When control ticks are due: zero + m·δt of the site's clock. Zero follows the comparison
/// of the clocks by at most a hundredth of a tick per tick. Lives on the control thread.
class TickGrid {
 public:
  /// @param tick  control tick δt [s], > 0
  explicit TickGrid(double tick) noexcept : tick_(tick) {}

  /// Tick 0 is due at this time.
  void start(TimePoint zero) noexcept;
  /// Zero is here from now on; the next tick stays.
  void set_zero(TimePoint zero) noexcept { zero_ = wanted_zero_ = zero; }
  /// Zero moves towards this time.
  void follow(TimePoint zero) noexcept { wanted_zero_ = zero; }
  TimePoint zero() const noexcept { return zero_; }

  /// When the next tick is due, and its number m.
  TimePoint next() const noexcept { return next_; }
  std::int64_t number() const noexcept { return number_; }
  /// A tick was done: counts it and lets zero follow. The next one is not placed yet.
  void count() noexcept;
  /// Places the next tick one after the last one, or after `now` if that is later: the grid
  /// gives way.
  void give_way(TimePoint now) noexcept;
  /// Places the next tick where this number is due.
  void jump_to(std::int64_t number) noexcept;
  void set_number(std::int64_t number) noexcept { number_ = number; }
  void set_next(TimePoint at) noexcept { next_ = at; }
  /// The next tick is not due before this time.
  void not_before(TimePoint at) noexcept {
    if (next_ < at) next_ = at;
  }

  /// The last tick that is due by then, and the first one that is due from then on.
  std::int64_t last_by(TimePoint now) const noexcept;
  std::int64_t first_from(TimePoint now) const noexcept;

  TimePoint time_of(std::int64_t number) const noexcept { return zero_ + ticks(number); }
  /// How long this number of ticks takes.
  Duration ticks(std::int64_t count) const noexcept;
  double tick() const noexcept { return tick_; }  ///< [s]

 private:
  double tick_;
  TimePoint zero_{};
  TimePoint wanted_zero_{};  // where the clocks' comparison would have it
  TimePoint next_{};
  std::int64_t number_ = 0;
};

}  // namespace trestle::site_node
