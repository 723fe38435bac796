#include "observe/report/synchronisation_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <numbers>
#include <numeric>

namespace trestle {
namespace {

constexpr double kSide = 320.0;  // of a square
constexpr double kLeft = 60.0;   // room for the axis beside it
constexpr double kTop = 44.0;
constexpr double kBelow = 118.0;    // and for words below
constexpr std::size_t kShades = 8;  // from pale to dark
constexpr std::size_t kMostPoints = 6000;

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  char line[400];
  va_list values;
  va_start(values, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 loses the va_start above
  std::vsnprintf(line, sizeof line, format, values);
  va_end(values);
  return line;
}

std::string escaped(const std::string& words) {
  std::string safe;
  for (const char letter : words) {
    if (letter == '<')
      safe += "&lt;";
    else if (letter == '&')
      safe += "&amp;";
    else
      safe += letter;
  }
  return safe;
}

double largest(const SynchronisedPort& port) {
  double most = 0.0;
  for (const auto* values : {&port.wanted, &port.measured})
    for (const double value : *values)
      if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return most > 0.0 ? most : 1e-3;
}

/// 1, 2 or 5 times a power of ten, not below `least`.
double round_number(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0, 10.0})
    if (step * power >= least * (1.0 - 1e-12)) return step * power;
  return 10.0 * power;
}

/// One square.
class Panel {
 public:
  Panel(const SynchronisedPort& port, double left)
      : port_(port), left_(left), range_(round_number(largest(port))) {}

  std::string svg() const { return frame() + curve() + words(); }

 private:
  double x(double wanted) const { return left_ + 0.5 * kSide * (1.0 + wanted / range_); }
  double y(double measured) const { return kTop + 0.5 * kSide * (1.0 - measured / range_); }

  std::string frame() const {
    std::string out = text(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"frame\"/>\n",
        left_, kTop, kSide, kSide);
    out += text("<path d=\"M%.1f %.1fL%.1f %.1f\" class=\"one\"/>\n", x(-range_),
                y(-range_), x(range_), y(range_));
    for (const double tick : {-1.0, 0.0, 1.0}) {
      out += text("<text x=\"%.1f\" y=\"%.1f\" class=\"middle\">%.4g</text>\n",
                  x(tick * range_), kTop + kSide + 16.0, 1e3 * tick * range_);
      out += text("<text x=\"%.1f\" y=\"%.1f\" class=\"end\">%.4g</text>\n", left_ - 6.0,
                  y(tick * range_) + 4.0, 1e3 * tick * range_);
    }
    out += text("<text x=\"%.1f\" y=\"%.1f\" class=\"head\">%s</text>\n", left_, kTop - 8.0,
                escaped(port_.name).c_str());
    out += text("<text x=\"%.1f\" y=\"%.1f\" class=\"middle\">wanted [mm]</text>\n",
                left_ + 0.5 * kSide, kTop + kSide + 32.0);
    out += text(
        "<text transform=\"translate(%.1f %.1f) rotate(-90)\" class=\"middle\">measured "
        "[mm]</text>\n",
        left_ - 40.0, kTop + 0.5 * kSide);
    return out;
  }

  std::string curve() const {
    const std::size_t count = port_.wanted.size();
    const std::size_t every = std::max<std::size_t>(1, count / kMostPoints);
    std::string out;
    for (std::size_t shade = 0; shade < kShades; ++shade) {
      const std::size_t from = shade * count / kShades;
      const std::size_t to = std::min(count, (shade + 1) * count / kShades + every);
      const int pale = static_cast<int>(215 - 215 * shade / (kShades - 1));
      std::string path;
      for (std::size_t k = from; k < to; k += every)
        path += text("%s%.2f %.2f", k == from ? "M" : "L", x(port_.wanted[k]),
                     y(port_.measured[k]));
      out += text("<path stroke=\"rgb(%d,%d,%d)\" class=\"curve\" d=\"", pale,
                  60 + pale / 2, 150 + pale / 3) +
             path + "\"/>\n";
    }
    return out;
  }

  std::string words() const {
    const Synchronisation& found = port_.found;
    const double last =
        port_.begins + static_cast<double>(port_.wanted.size() - 1) * port_.period;
    std::vector<std::string> lines{
        text("%.4g s to %.4g s, rms error %.3g %%, amplitude %.4f", port_.begins, last,
             1e2 * found.rms_relative, found.amplitude),
        text("axes %.4f, angle %.2f°, delay %.3g ms", found.axes,
             found.angle * 180.0 / std::numbers::pi, 1e3 * found.delay)};
    for (const HarmonicRatio& harmonic : found.harmonics)
      lines.push_back(text("%.4g Hz: gain %.4f, phase %.2f°, half width %.4f",
                           harmonic.frequency, harmonic.gain,
                           harmonic.phase * 180.0 / std::numbers::pi,
                           harmonic.ellipse_half_width));
    std::string out;
    double at = kTop + kSide + 54.0;
    for (const std::string& line : lines) {
      out += text("<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", left_, at, line.c_str());
      at += 16.0;
    }
    return out;
  }

  const SynchronisedPort& port_;
  double left_;
  double range_;
};

}  // namespace

std::string synchronisation_svg(const std::vector<SynchronisedPort>& ports,
                                const std::string& title) {
  const double width = kLeft + static_cast<double>(ports.size()) * (kSide + kLeft);
  std::size_t lines = 0;
  for (const SynchronisedPort& port : ports)
    lines = std::max(lines, port.found.harmonics.size());
  const double height = kTop + kSide + kBelow + 16.0 * static_cast<double>(lines);
  std::string out = text(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
      "height=\"%.0f\">\n",
      width, height, width, height);
  out +=
      "<style>text{font:12px sans-serif;fill:#222}.middle{text-anchor:middle}"
      ".end{text-anchor:end}.head{font-weight:bold}.frame{fill:#fff;stroke:#888}"
      ".one{stroke:#999;stroke-dasharray:4 4;fill:none}"
      ".curve{fill:none;stroke-width:1}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  out += text("<text x=\"%.1f\" y=\"18\" class=\"head\">%s</text>\n", kLeft,
              escaped(title).c_str());
  for (std::size_t i = 0; i < ports.size(); ++i)
    out += Panel(ports[i], kLeft + static_cast<double>(i) * (kSide + kLeft)).svg();
  return out + "</svg>\n";
}

}  // namespace trestle
