#pragma once

#include <string>

namespace trestle {

/// A text as one word of a command line that somebody copies into a shell: as it is, or in
/// single quotes if it has a letter that a shell might take for its own.
std::string shell_word(const std::string& text);

}  // namespace trestle
