#pragma once

#include <string>

namespace trestle {

/// A sentence as the wire takes it. One byte that is no UTF-8, from a rig's own error text,
/// would make the peer refuse the whole message; a Halt must arrive.
std::string legible(const std::string& text);

/// The same with U+FFFD for each mark that changes the order in which what follows is shown
/// (U+202A to U+202E, U+2066 to U+2069): a name must not turn round the numbers behind it.
/// The number of bytes stays.
std::string without_direction_marks(std::string text);

}  // namespace trestle
