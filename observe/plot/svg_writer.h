#pragma once

#include <string>
#include <string_view>

#include "observe/plot/series_style.h"

namespace trestle::plot {

/// A place in a picture [px].
struct PlotPoint {
  double x = 0.0;
  double y = 0.0;
};

/// A rectangle of a picture [px].
struct PlotArea {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;

  double right() const noexcept { return x + width; }
  double bottom() const noexcept { return y + height; }
};

/// The position and style of a text.
struct TextStyle {
  enum class Anchor { kStart, kMiddle, kEnd };
  Anchor anchor = Anchor::kStart;
  bool bold = false;
  bool muted = false;
  double size = 11.0;  ///< [px]
};

/// Writes the elements of one SVG picture. Equal calls give equal bytes: coordinates have
/// at most 2 decimals, and no locale, clock or identifier is in them.
class SvgWriter {
 public:
  /// @param label  text for screen readers in place of the picture
  SvgWriter(double width, double height, const std::string& label);

  void line(PlotPoint from, PlotPoint to, const SeriesStyle& style);
  void rectangle(const PlotArea& area, std::string_view fill, std::string_view stroke = {});
  /// Slanted lines across a rectangle.
  void hatching(const PlotArea& area, std::string_view stroke);
  /// @param data  of an SVG path
  void path(std::string_view data, const SeriesStyle& style);
  void marker(PlotPoint centre, const SeriesStyle& style, double size = 2.2);
  void text(PlotPoint place, std::string_view words, const TextStyle& style = {});

  /// Clips everything drawn until leave() to this rectangle.
  void enter_clip(const PlotArea& area);
  void leave_clip();

  /// The whole picture, as a separate file or as a part of an HTML document.
  std::string finish();

 private:
  void stroke(const SeriesStyle& style);
  void attribute(std::string_view name, double value);

  std::string out_;
};

/// The same text where `<`, `>`, `&` and quotes have no meaning of their own.
std::string escape_markup(std::string_view text);

/// About how wide a text is [px].
double text_width(std::string_view text, double size = 11.0);

}  // namespace trestle::plot
