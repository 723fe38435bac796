#pragma once

#include <cstddef>
#include <string>

namespace trestle::plot {

enum class MarkerShape { kCircle, kSquare, kTriangle, kDiamond, kCross };

/// How a line or its points look. Colours are those of Okabe and Ito, which colour-blind
/// readers tell apart; dashes and marker shapes differ too, so that no picture depends on
/// colour, and a black-and-white print shows the same.
struct SeriesStyle {
  std::string colour = "#0072B2";
  std::string dashes = {};  ///< of SVG: "6 3"; empty: a solid line
  double width = 1.3;       ///< [px]
  MarkerShape marker = MarkerShape::kCircle;
};

/// The n-th of several equal lines; styles repeat after seven.
SeriesStyle series_style(std::size_t number);

/// Roles that look the same in every picture.
SeriesStyle target_style();
SeriesStyle command_style();
SeriesStyle measured_style();
SeriesStyle error_style();
SeriesStyle reference_style();

/// Returns the style of a second run that is drawn over the first.
SeriesStyle second_run_style();

namespace plot_colour {
inline constexpr const char* kText = "#1b1f24";
inline constexpr const char* kMuted = "#57606a";
inline constexpr const char* kGrid = "#e3e6ea";
inline constexpr const char* kFrame = "#9aa4af";
inline constexpr const char* kLimit = "#B54A00";
inline constexpr const char* kBar = "#5f7f9e";
inline constexpr const char* kWarning = "#E69F00";
inline constexpr const char* kAlarm = "#D55E00";
}  // namespace plot_colour

}  // namespace trestle::plot
