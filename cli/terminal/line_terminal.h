#pragma once

#include <cstddef>

namespace trestle::cli {

/// A line of stderr can be drawn over itself: it is a terminal, and not a dumb one.
bool stderr_renews_lines();

/// Columns that a line of stderr may take: one less than the terminal has, where one that
/// fills the last column may wrap; of a log, more than any line has.
std::size_t stderr_line_width();

}  // namespace trestle::cli
