#include "studies/identification/residual_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace trestle::identification {
namespace {

constexpr double kWidth = 800.0, kPanel = 170.0, kLow = 60.0, kLeft = 70.0, kTop = 30.0;

template <typename... Values>
std::string format(const char* pattern, Values... values) {
  char text[300];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

const char* unit_suffix(Measures measures) {
  constexpr std::array<const char*, 4> kSuffixes{"m", "m_s", "m_s2", "strain"};
  return kSuffixes[static_cast<std::size_t>(measures)];
}

double time_at(const PassageSettings& run, Eigen::Index sample) {
  return run.first_sample + run.sampling_period * static_cast<double>(sample);
}

/// A curve in a box; values between −largest and largest.
struct Box {
  double top, height, largest;

  double y(double value) const { return top + 0.5 * height * (1.0 - value / largest); }
};

std::string curve(const Eigen::VectorXd& values, const Box& box, const char* style) {
  std::string points;
  const double step = (kWidth - kLeft - 20.0) / static_cast<double>(values.size() - 1);
  for (Eigen::Index k = 0; k < values.size(); ++k)
    points += format("%.1f,%.1f ", kLeft + step * static_cast<double>(k), box.y(values(k)));
  return "<polyline fill=\"none\" " + std::string(style) + " points=\"" + points + "\"/>\n";
}

std::string frame(const Box& box, const std::string& label) {
  return format(
             "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" "
             "stroke=\"#888\"/>\n",
             kLeft, box.top, kWidth - kLeft - 20.0, box.height) +
         format("<line x1=\"%g\" x2=\"%g\" y1=\"%g\" y2=\"%g\" stroke=\"#ccc\"/>\n", kLeft,
                kWidth - 20.0, box.y(0.0), box.y(0.0)) +
         format("<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%.3g</text>\n", kLeft - 4.0,
                box.top + 10.0, box.largest) +
         format("<text x=\"%g\" y=\"%g\">%s</text>\n", kLeft + 6.0, box.top + 14.0,
                label.c_str());
}

double largest_of(const Eigen::VectorXd& values) {
  return std::max(values.cwiseAbs().maxCoeff(), 1e-300);
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

}  // namespace

std::string residual_csv(const IdentificationStudy& study,
                         const IdentificationResult& result, std::size_t pass) {
  const RecordedPass& record = study.problem.passes[pass];
  const std::vector<Sensor>& sensors = record.passage->sensors();
  std::string text = "time_s";
  for (const Sensor& sensor : sensors) {
    const char* unit = unit_suffix(sensor.measures);
    text += "," + sensor.name + "_measured_" + unit + "," + sensor.name + "_fitted_" + unit;
  }
  text += "\n";
  const auto count = static_cast<Eigen::Index>(sensors.size());
  for (Eigen::Index k = 0; k < record.measured.size() / count; ++k) {
    text += format("%.9g", time_at(record.passage->settings(), k));
    for (Eigen::Index s = 0; s < count; ++s)
      text += format(",%.12g,%.12g", record.measured(k * count + s),
                     result.fitted[pass](k * count + s));
    text += "\n";
  }
  return text;
}

std::string residual_svg(const IdentificationStudy& study,
                         const IdentificationResult& result, std::size_t pass) {
  const RecordedPass& record = study.problem.passes[pass];
  const std::vector<Sensor>& sensors = record.passage->sensors();
  const auto count = static_cast<Eigen::Index>(sensors.size());
  const double height = kTop + static_cast<double>(count) * (kPanel + kLow + 30.0);
  std::string text = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      kWidth, height);
  text +=
      format("<text x=\"%g\" y=\"18\">%.200s, pass %zu, %.4g m/s, %.4g s</text>\n", kLeft,
             escaped(study.name).c_str(), pass + 1, record.passage->settings().speed,
             time_at(record.passage->settings(), record.measured.size() / count - 1));
  for (Eigen::Index s = 0; s < count; ++s) {
    const auto channel = Eigen::seqN(s, record.measured.size() / count, count);
    const Eigen::VectorXd measured = record.measured(channel);
    const Eigen::VectorXd fitted = result.fitted[pass](channel);
    const double top = kTop + static_cast<double>(s) * (kPanel + kLow + 30.0);
    const Box above{top, kPanel, largest_of(measured)};
    const Box below{top + kPanel + 6.0, kLow, largest_of(measured - fitted)};
    const Sensor& sensor = sensors[static_cast<std::size_t>(s)];
    text += frame(above, escaped(sensor.name) + ": measured (grey) and fitted (blue) [" +
                             unit_suffix(sensor.measures) + "]");
    text += curve(measured, above, "stroke=\"#999\" stroke-width=\"3\"");
    text += curve(fitted, above, "stroke=\"#1f4e9c\" stroke-width=\"1\"");
    text += frame(below, "residual");
    text += curve(measured - fitted, below, "stroke=\"#b03020\" stroke-width=\"1\"");
  }
  return text + "</svg>\n";
}

std::string road_csv(const FoundRoad& road) {
  std::string text = "x_m,height_m,deviation_m";
  text += road.truth ? ",true_height_m\n" : "\n";
  for (Eigen::Index i = 0; i < road.x.size(); ++i) {
    text += format("%.6g,%.9g,%.6g", road.x(i), road.height(i), road.deviation(i));
    if (road.truth) text += format(",%.9g", (*road.truth)(i));
    text += "\n";
  }
  return text;
}

}  // namespace trestle::identification
