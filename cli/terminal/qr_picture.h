#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trestle::cli {

/// A text as a QR code that a camera reads off a terminal, of whatever colours: two modules
/// of the code are one letter high, dark on white, with a white margin of two modules.
/// @returns its lines, with the escape sequences of their colours; none where the text is
/// too long for a code
std::vector<std::string> qr_picture(std::string_view text);

}  // namespace trestle::cli
