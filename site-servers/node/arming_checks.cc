#include "site-servers/node/arming_checks.h"

namespace trestle::site_node {

bool ArmingChecks::tick(std::int64_t number) noexcept {
  in_tick_ = true;
  const bool more = !given_up_ && checks_.tick(rig_, TimePoint{number * tick_});
  in_tick_ = false;
  if (more && !given_up_) return true;
  rig_.hold();
  if (!given_up_) loop_.stood(stood());
  return false;
}

}  // namespace trestle::site_node
