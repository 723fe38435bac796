#pragma once

#include <optional>
#include <string>

#include "core/base/time.h"

namespace trestle::composition {

/// When to say that the end of a record waits for its disk: after five seconds, and every
/// five seconds again.
class SlowDiskNotice {
 public:
  /// @param file  whose end the disk has not taken; empty: none
  /// @returns the sentence that is due; empty: none
  std::string due(const std::string& file, TimePoint now);

 private:
  std::optional<TimePoint> told_;  ///< when a sentence was due last
};

}  // namespace trestle::composition
