#pragma once

#include <string>

#include "core/types/fault.h"
#include "core/types/interface_layout.h"
#include "core/types/message.h"

namespace trestle::session {

/// Formats one sentence: "rate 401 mm/s at actuator 1 is above its limit 400 mm/s". For the
/// cold path only.
std::string format_fault(const Fault& fault, const InterfaceLayout& layout,
                         const std::vector<ActuatorDescription>& actuators);

/// The words of a rig in place of the sentence of a fault that the rig knows more about
/// (kAdapter; kInterlock, while the rig still says which one), or behind it (kOverrun,
/// kStalled); of any other fault, and without words, the sentence.
std::string with_words_of_rig(const Fault& fault, const std::string& sentence,
                              const std::string& words);

/// Formats the refusal of a target before any motion:
std::string refused_target_sentence(const Fault& fault, const InterfaceLayout& layout,
                                    const std::vector<ActuatorDescription>& actuators);

}  // namespace trestle::session
