#pragma once

#include <chrono>

namespace trestle::cli {

/// Time between two lines of progress: short if a terminal renews one line in place.
inline std::chrono::milliseconds progress_interval(bool on_terminal) {
  return std::chrono::milliseconds(on_terminal ? 200 : 3000);
}

}  // namespace trestle::cli
