#include "site-servers/node/overrun_watch.h"

namespace trestle {

bool OverrunWatch::add(Duration late) noexcept {
  wake_.add(late);
  if (overrun_ <= Duration::zero() || late <= overrun_) {
    in_a_row_ = 0;
    return false;
  }
  ++overruns_;
  return ++in_a_row_ > most_;
}

void OverrunWatch::fill(PaceAccount& account) const noexcept {
  account.overruns = overruns_;
  account.wake_p50 = wake_.quantile(0.5);
  account.wake_p99 = wake_.quantile(0.99);
  account.wake_max = wake_.max();
}

}  // namespace trestle
