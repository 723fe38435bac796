#include "observe/live/strip_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trestle::live {
namespace {

// Dots of a braille letter, by column and by row from above.
constexpr std::array<std::array<unsigned, 4>, 2> kDots{
    {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
constexpr std::size_t kDotRows = 4;
constexpr std::size_t kDotColumns = 2;

std::string braille_letter(unsigned dots) {
  if (dots == 0) return " ";
  const unsigned code = 0x2800U + dots;
  return {static_cast<char>(0xe0U | (code >> 12U)),
          static_cast<char>(0x80U | ((code >> 6U) & 0x3fU)),
          static_cast<char>(0x80U | (code & 0x3fU))};
}

struct Span {
  std::size_t top = 0;
  std::size_t bottom = 0;
  bool any = false;
};

std::vector<Span> to_dots(const std::vector<Trace::Extent>& columns, std::size_t height) {
  double low = 0.0;
  double high = 0.0;
  bool any = false;
  for (const Trace::Extent& column : columns) {
    if (!column.any) continue;
    low = any ? std::min(low, column.low) : column.low;
    high = any ? std::max(high, column.high) : column.high;
    any = true;
  }
  const double span = high > low ? high - low : 1.0;
  const auto last = static_cast<double>(height - 1);
  const auto place = [&](double value) {
    return static_cast<std::size_t>(std::lround((high - value) / span * last));
  };
  std::vector<Span> spans;
  for (const Trace::Extent& column : columns)
    spans.push_back(column.any ? Span{place(column.high), place(column.low), true}
                               : Span{});
  return spans;
}

}  // namespace

std::vector<std::string> strip_chart(const std::vector<Trace::Extent>& columns,
                                     std::size_t rows, bool braille) {
  std::vector<std::string> text(rows);
  const std::size_t height = braille ? rows * kDotRows : rows;
  const std::vector<Span> spans = to_dots(columns, height);
  const auto is_set = [&](std::size_t column, std::size_t row) {
    return column < spans.size() && spans[column].any && row >= spans[column].top &&
           row <= spans[column].bottom;
  };
  for (std::size_t row = 0; row < rows; ++row) {
    if (!braille) {
      for (std::size_t column = 0; column < spans.size(); ++column)
        text[row] += is_set(column, row) ? '*' : ' ';
      continue;
    }
    for (std::size_t column = 0; column < spans.size(); column += kDotColumns) {
      unsigned dots = 0;
      for (std::size_t x = 0; x < kDotColumns; ++x)
        for (std::size_t y = 0; y < kDotRows; ++y)
          if (is_set(column + x, row * kDotRows + y)) dots |= kDots[x][y];
      text[row] += braille_letter(dots);
    }
  }
  return text;
}

}  // namespace trestle::live
