#pragma once

#include <string>

#include "observe/live/test_view.h"

namespace trestle::live {

/// Adds what the records tell to a node's answer to `status`: the keys `actuators`,
/// `time_s` and `eta_s`. All other keys stay as they are.
/// @param answer  one JSON object
/// @returns one line without its end; the answer itself if it is no object
std::string add_to_status_json(const std::string& answer, const TestView& view);

}  // namespace trestle::live
