#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "observe/live/trace.h"

namespace trestle::live {

/// Draws a trace with letters: smallest and largest value of each column.
/// @param columns  one per dot: two per letter in braille, one in ASCII
/// @param rows     of text, >= 1
/// @param braille  false: ASCII
/// @returns `rows` texts of equal width, the highest values first
std::vector<std::string> strip_chart(const std::vector<Trace::Extent>& columns,
                                     std::size_t rows, bool braille);

}  // namespace trestle::live
