#pragma once

#include <vector>

#include "core/types/message.h"

namespace trestle::checks {

/// The checks before a site reports that it is armed. One entry per actuator, each above
/// zero; an empty list: not checked.
struct StartCheckSettings {
  std::vector<double> zero_displacement{};  ///< largest reading at rest [m | rad]
  std::vector<double> zero_force{};         ///< largest reading at rest [N | N·m]
  /// So far each actuator moves and back, to see that its transducers follow [m | rad].
  std::vector<double> polarity_motion{};
  /// What people confirm, and which readings are compared, where the test is conducted,
  /// before that; in any number.
  std::vector<RequiredItem> checklist{};

  bool any() const noexcept {
    return !zero_displacement.empty() || !zero_force.empty() || !polarity_motion.empty();
  }
};

}  // namespace trestle::checks
