#include "observe/plot/svg_writer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/legible_text.h"
#include "observe/plot/number_format.h"

namespace trestle::plot {
namespace {

constexpr double kHatchSpacing = 5.0;

void append_marker(std::string& data, PlotPoint centre, MarkerShape shape, double size) {
  const auto corner = [&data, &centre](const char* command, double x, double y) {
    data += command;
    append_coordinate(data, centre.x + x);
    data += ' ';
    append_coordinate(data, centre.y + y);
  };
  switch (shape) {
    case MarkerShape::kCircle:
      break;
    case MarkerShape::kSquare:
      corner("M", -size, -size), corner("L", size, -size), corner("L", size, size);
      corner("L", -size, size), data += "Z";
      break;
    case MarkerShape::kTriangle:
      corner("M", 0.0, -1.2 * size), corner("L", 1.2 * size, size);
      corner("L", -1.2 * size, size), data += "Z";
      break;
    case MarkerShape::kDiamond:
      corner("M", 0.0, -1.3 * size), corner("L", 1.3 * size, 0.0);
      corner("L", 0.0, 1.3 * size), corner("L", -1.3 * size, 0.0), data += "Z";
      break;
    case MarkerShape::kCross:
      corner("M", -size, -size), corner("L", size, size);
      corner("M", -size, size), corner("L", size, -size);
      break;
  }
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    switch (letter) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        // Control characters are not allowed in SVG.
        if (static_cast<unsigned char>(letter) >= 0x20 || letter == '\n' || letter == '\t')
          safe += letter;
    }
  }
  return without_direction_marks(std::move(safe));
}

double text_width(std::string_view text, double size) {
  // Bytes that continue a letter of UTF-8 are no letters.
  const auto letters = std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  });
  return 0.63 * size * static_cast<double>(letters);
}

SvgWriter::SvgWriter(double width, double height, const std::string& label) {
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ";
  append_coordinate(out_, width);
  out_ += ' ';
  append_coordinate(out_, height);
  out_ += '"';
  attribute("width", width);
  attribute("height", height);
  out_ += " font-family=\"system-ui,'DejaVu Sans',sans-serif\" aria-label=\"" +
          escape_markup(label) + "\">\n";
  rectangle({0.0, 0.0, width, height}, "#fff");
}

void SvgWriter::attribute(std::string_view name, double value) {
  out_ += ' ';
  out_ += name;
  out_ += "=\"";
  append_coordinate(out_, value);
  out_ += '"';
}

void SvgWriter::stroke(const SeriesStyle& style) {
  out_ += " stroke=\"" + style.colour + "\"";
  attribute("stroke-width", style.width);
  if (!style.dashes.empty()) out_ += " stroke-dasharray=\"" + style.dashes + "\"";
}

void SvgWriter::line(PlotPoint from, PlotPoint to, const SeriesStyle& style) {
  std::string data = "M";
  append_coordinate(data, from.x);
  data += ' ';
  append_coordinate(data, from.y);
  data += 'L';
  append_coordinate(data, to.x);
  data += ' ';
  append_coordinate(data, to.y);
  path(data, style);
}

void SvgWriter::path(std::string_view data, const SeriesStyle& style) {
  if (data.empty()) return;
  out_ += "<path fill=\"none\" stroke-linejoin=\"round\"";
  stroke(style);
  out_ += " d=\"";
  out_ += data;
  out_ += "\"/>\n";
}

void SvgWriter::rectangle(const PlotArea& area, std::string_view fill,
                          std::string_view outline) {
  out_ += "<rect";
  attribute("x", area.x);
  attribute("y", area.y);
  attribute("width", std::max(area.width, 0.0));
  attribute("height", std::max(area.height, 0.0));
  out_ += " fill=\"";
  out_ += fill;
  out_ += '"';
  if (!outline.empty()) {
    out_ += " stroke=\"";
    out_ += outline;
    out_ += '"';
  }
  out_ += "/>\n";
}

void SvgWriter::hatching(const PlotArea& area, std::string_view colour) {
  std::string data;
  for (double start = area.x - area.height + kHatchSpacing; start < area.right();
       start += kHatchSpacing) {
    const double left = std::max(start, area.x);
    const double right = std::min(start + area.height, area.right());
    if (right <= left) continue;
    data += 'M';
    append_coordinate(data, left);
    data += ' ';
    append_coordinate(data, area.bottom() - (left - start));
    data += 'L';
    append_coordinate(data, right);
    data += ' ';
    append_coordinate(data, area.bottom() - (right - start));
  }
  path(data, {.colour = std::string(colour), .dashes = {}, .width = 1.2});
}

void SvgWriter::marker(PlotPoint centre, const SeriesStyle& style, double size) {
  const SeriesStyle outline{.colour = style.colour, .dashes = {}, .width = 1.0};
  if (style.marker != MarkerShape::kCircle) {
    std::string data;
    append_marker(data, centre, style.marker, size);
    path(data, outline);
    return;
  }
  out_ += "<circle fill=\"none\"";
  stroke(outline);
  attribute("cx", centre.x);
  attribute("cy", centre.y);
  attribute("r", size);
  out_ += "/>\n";
}

void SvgWriter::text(PlotPoint place, std::string_view words, const TextStyle& style) {
  static constexpr std::array<const char*, 3> kAnchors{"start", "middle", "end"};
  out_ += "<text";
  attribute("x", place.x);
  attribute("y", place.y);
  attribute("font-size", style.size);
  if (style.anchor != TextStyle::Anchor::kStart)
    out_ += std::string(" text-anchor=\"") +
            kAnchors[static_cast<std::size_t>(style.anchor)] + "\"";
  if (style.bold) out_ += " font-weight=\"bold\"";
  out_ += std::string(" fill=\"") +
          (style.muted ? plot_colour::kMuted : plot_colour::kText) + "\">" +
          escape_markup(words) + "</text>\n";
}

void SvgWriter::enter_clip(const PlotArea& area) {
  // A picture in the picture cuts at its edge, and needs no identifier for it.
  out_ += "<svg";
  attribute("x", area.x);
  attribute("y", area.y);
  attribute("width", area.width);
  attribute("height", area.height);
  out_ += " viewBox=\"";
  append_coordinate(out_, area.x);
  out_ += ' ';
  append_coordinate(out_, area.y);
  out_ += ' ';
  append_coordinate(out_, area.width);
  out_ += ' ';
  append_coordinate(out_, area.height);
  out_ += "\">\n";
}

void SvgWriter::leave_clip() {
  out_ += "</svg>\n";
}

std::string SvgWriter::finish() {
  return std::move(out_) + "</svg>\n";
}

}  // namespace trestle::plot
