#pragma once

#include <string>

namespace trestle {

/// Returns the text on one line without terminal control codes: control characters (C0,
/// DEL, and C1 in UTF-8) become spaces.
std::string plain_text(std::string text);

}  // namespace trestle
