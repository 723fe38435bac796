#include "site-servers/node/overrun_watch.h"

namespace trestle::site_node {

bool OverrunWatch::add(Duration late) noexcept {
  lateness_.add(late);
  if (overrun_ <= Duration::zero() || late <= overrun_) {
    in_a_row_ = 0;
    return false;
  }
  ++overruns_;
  return ++in_a_row_ > most_;
}

}  // namespace trestle::site_node
