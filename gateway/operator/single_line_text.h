#pragma once

#include <string>

namespace trestle::operators {

/// The same text on one line and without anything that a terminal would obey: control
/// characters (C0, DEL, and C1 as UTF-8 writes them) become spaces, and
/// without_direction_marks().
std::string single_line_text(std::string text);

}  // namespace trestle::operators
