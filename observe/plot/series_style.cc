#include "observe/plot/series_style.h"

#include <array>

namespace trestle::plot {
namespace {

struct LineLook {
  const char* colour;
  const char* dashes;
  MarkerShape marker;
};

constexpr std::array<LineLook, 7> kLineLooks{
    {{"#0072B2", "", MarkerShape::kCircle},
     {"#D55E00", "7 3", MarkerShape::kSquare},
     {"#009E73", "2 2", MarkerShape::kTriangle},
     {"#CC79A7", "8 3 2 3", MarkerShape::kDiamond},
     {"#000000", "1 3", MarkerShape::kCross},
     {"#E69F00", "12 4", MarkerShape::kSquare},
     {"#56B4E9", "4 2 1 2", MarkerShape::kCircle}}};

}  // namespace

SeriesStyle series_style(std::size_t number) {
  const LineLook& look = kLineLooks[number % kLineLooks.size()];
  return {
      .colour = look.colour, .dashes = look.dashes, .width = 1.3, .marker = look.marker};
}

SeriesStyle target_style() {
  return {.colour = "#1b1f24", .dashes = "4 3", .width = 1.0};
}

SeriesStyle command_style() {
  return {.colour = "#E69F00", .dashes = "1.5 1.5", .width = 1.2};
}

SeriesStyle measured_style() {
  return {.colour = "#0072B2", .dashes = {}, .width = 1.5};
}

SeriesStyle error_style() {
  return {.colour = "#A3417A", .dashes = {}, .width = 1.0};
}

SeriesStyle reference_style() {
  return {.colour = "#009E73", .dashes = "8 3 2 3", .width = 1.2};
}

SeriesStyle second_run_style() {
  return {
      .colour = "#D55E00", .dashes = "7 3", .width = 1.2, .marker = MarkerShape::kSquare};
}

}  // namespace trestle::plot
