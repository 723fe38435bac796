// The part of PacedLoop that hands its state to the record.
#include "site-servers/node/paced_loop.h"

namespace trestle {

/// Where the bus is behind, the state of this step is not kept.
void PacedLoop::keep_state() noexcept {
  out_.state = -1;
  if (!settings_.keeps_state) return;
  for (std::size_t place = 0; place < kStates; ++place) {
    KeptState& kept = states_[place];
    if (kept.full.load(std::memory_order_acquire)) continue;
    kept.snapshot.clear();
    loop_.save(kept.snapshot);
    if (settings_.rig != nullptr) settings_.rig->save(kept.snapshot);
    out_.state = static_cast<int>(place);
    return;
  }
}

bool PacedLoop::take_state(int place, std::vector<double>& into) {
  if (place < 0 || place >= static_cast<int>(kStates)) return false;
  KeptState& kept = states_[static_cast<std::size_t>(place)];
  into = kept.snapshot.values();
  kept.full.store(false, std::memory_order_release);
  return true;
}

}  // namespace trestle
