#include "adapters/driver/known_holds.h"

#include "adapters/driver/futex.h"

namespace trestle::driver {

void KnownHolds::accept(const DriverPage& page) noexcept {
  asked_ = page.holds_asked.load();
  forgets_ = true;
}

void KnownHolds::ask(DriverPage& page) noexcept {
  std::uint32_t known = asked_.load();
  page.holds_asked.fetch_add(1);
  // Two threads may ask at once: the later count stays.
  while (!asked_.compare_exchange_weak(known, page.holds_asked.load())) {
  }
  wake(page.holds_asked);
}

void KnownHolds::add_to(Request& request, const DriverPage& page,
                        std::uint32_t asked) noexcept {
  request.holds = asked;
  if (forgets_.exchange(false) || held_after_ != request.holds) knows_held_ = false;
  held_after_ = request.holds;
  request.held = held_;
  request.knows_held = knows_held_ ? 1 : 0;
  learns_ = !knows_held_ && page.holds_done.load() == request.holds;
}

void KnownHolds::learn(const Answer& answer) noexcept {
  if (!learns_) return;
  held_ = answer.held;
  knows_held_ = true;
}

}  // namespace trestle::driver
