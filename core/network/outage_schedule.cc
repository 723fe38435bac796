#include "core/network/outage_schedule.h"

#include "core/network/random_durations.h"

namespace trestle::network {

OutageSchedule::OutageSchedule(const OutagePattern& settings,
                               const RandomKey& place) noexcept
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

const Outage& OutageSchedule::next_at(TimePoint time) noexcept {
  while (pause_.end <= time) next();
  return pause_;
}

Duration OutageSchedule::gap() noexcept {
  if (regular_) return every_;
  const Duration drawn = exponential(every_, place_);
  ++place_.index;
  return drawn;
}

void OutageSchedule::next() noexcept {
  pause_ = {next_begin_, next_begin_ + duration_};
  for (next_begin_ += gap(); next_begin_ <= pause_.end; next_begin_ += gap())
    pause_.end = next_begin_ + duration_;
}

}  // namespace trestle::network
