#include "site-servers/node/tick_grid.h"

#include <algorithm>
#include <cmath>

namespace trestle::site_node {
namespace {

// The grid follows the clocks by this part of a tick per tick.
constexpr int kSlew = 100;

}  // namespace

void TickGrid::start(TimePoint zero) noexcept {
  set_zero(zero);
  number_ = 0;
  next_ = zero;
}

void TickGrid::count() noexcept {
  ++number_;
  const Duration most = ticks(1) / kSlew;
  zero_ += std::clamp(wanted_zero_ - zero_, -most, most);
}

void TickGrid::give_way(TimePoint now) noexcept {
  next_ += ticks(1);
  if (next_ <= now) next_ = now + ticks(1);
}

void TickGrid::jump_to(std::int64_t number) noexcept {
  number_ = number;
  next_ = time_of(number);
}

std::int64_t TickGrid::last_by(TimePoint now) const noexcept {
  return static_cast<std::int64_t>(std::floor(seconds(now - zero_) / tick_ + 1e-9));
}

std::int64_t TickGrid::first_from(TimePoint now) const noexcept {
  return static_cast<std::int64_t>(std::ceil(seconds(now - zero_) / tick_));
}

Duration TickGrid::ticks(std::int64_t count) const noexcept {
  return Duration{std::llround(static_cast<double>(count) * tick_ * 1e9)};
}

}  // namespace trestle::site_node
