#pragma once

#include <string>

namespace trestle {

/// A sentence as the wire takes it. One byte that is no UTF-8, from a rig's own error text,
/// would make the peer refuse the whole message; a Halt must arrive.
std::string legible(const std::string& text);

}  // namespace trestle
