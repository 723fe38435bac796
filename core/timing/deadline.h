#pragma once

#include "core/base/time.h"

namespace trestle::timing {

/// `now + wait`, or the end of time where that is later than a TimePoint can say.
constexpr TimePoint saturating_add(TimePoint now, Duration wait) noexcept {
  return wait > TimePoint::max() - now ? TimePoint::max() : now + wait;
}

}  // namespace trestle::timing
