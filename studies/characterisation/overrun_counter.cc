#include "studies/characterisation/overrun_counter.h"

namespace trestle::characterisation {

void OverrunCounter::add(Duration late) noexcept {
  last_ = late;
  if (late.count() > longest_.load(std::memory_order_relaxed))
    longest_.store(late.count(), std::memory_order_relaxed);
  if (late <= limit_) {
    in_a_row_ = 0;
    return;
  }
  count_.fetch_add(1, std::memory_order_relaxed);
  ++in_a_row_;
}

}  // namespace trestle::characterisation
