#pragma once

#include <cstdint>

#include "core/types/message.h"

namespace trestle::site_node {

/// Why a site refuses a step. site_text.h formats the sentence.
struct StepRefusal {
  enum class Why : std::uint8_t {
    kStepUnderWay,    ///< `number`: the step that is
    kNotRunning,      ///< by the session's state
    kOutOfOrder,      ///< `number`: the next step
    kAfterEnd,        ///< `number`: the last step of the test
    kWrongLengths,    ///< `number`: controlled interface DOFs that were agreed
    kFrameNotLinear,  ///< it comes with feed-forward
    kNoFeedforward,   ///< the mode knows none
    kNoRoom,          ///< the control loop has too many steps before it
  };
  Why why = Why::kNotRunning;
  std::int64_t step = kInitialStep;  ///< that came
  std::int64_t number = 0;
};

}  // namespace trestle::site_node
