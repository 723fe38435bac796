#pragma once

#include <algorithm>

#include "core/base/time.h"

namespace trestle::integrator_node {

/// The longest wait for a site that continues to speak: its start-up checks, or a ramp to
/// the safe position at a low rate.
constexpr Duration longest_wait(Duration usual) noexcept {
  return std::max(usual, Duration{std::chrono::minutes(10)});
}

}  // namespace trestle::integrator_node
