#include "core/network/pause_schedule.h"

#include "core/network/durations.h"

namespace trestle {

PauseSchedule::PauseSchedule(const LinkPauses& settings, const RandomPlace& place) noexcept
    : every_(settings.every),
      duration_(settings.duration),
      regular_(settings.regular),
      place_(place) {
  if (every_ <= Duration::zero()) return;
  if (settings.first)
    next_begin_ += *settings.first;
  else
    next_begin_ += regular_ ? scaled(every_, uniform(place_)) : exponential(every_, place_);
  ++place_.index;
  next();
}

const Pause& PauseSchedule::at_or_after(TimePoint time) noexcept {
  while (pause_.end <= time) next();
  return pause_;
}

Duration PauseSchedule::gap() noexcept {
  if (regular_) return every_;
  const Duration drawn = exponential(every_, place_);
  ++place_.index;
  return drawn;
}

void PauseSchedule::next() noexcept {
  pause_ = {next_begin_, next_begin_ + duration_};
  for (next_begin_ += gap(); next_begin_ <= pause_.end; next_begin_ += gap())
    pause_.end = next_begin_ + duration_;
}

}  // namespace trestle
