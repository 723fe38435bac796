#include "studies/spectrum/spectrum_results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "observe/plot/figure.h"

namespace trestle::spectrum {
namespace {

constexpr double kGravity = 9.80665;  // [m/s²]
constexpr std::size_t kRows = 12;     // of the table on the screen

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string line_name(const RecordSpectra& record, const ResponseSpectrum& spectrum) {
  return record.name + ", " + short_number(100.0 * spectrum.damping) + " %";
}

/// One quantity over the period.
template <typename Value>
plot::Chart chart_of(const std::vector<RecordSpectra>& records, const std::string& label,
                     const plot::EngineeringUnit& unit, const Value& value) {
  plot::Chart chart;
  chart.x = {.label = "period", .unit = {1.0, "s"}, .logarithmic = true};
  chart.y = {.label = label, .unit = unit, .starts_at_zero = true};
  std::size_t number = 0;
  for (const RecordSpectra& record : records)
    for (const ResponseSpectrum& spectrum : record.spectra) {
      plot::Series series;
      series.name = line_name(record, spectrum);
      series.x = spectrum.period;
      series.style = plot::series_style(number++);
      for (std::size_t i = 0; i < spectrum.period.size(); ++i)
        series.y.push_back(value(spectrum, i));
      chart.series.push_back(std::move(series));
    }
  return chart;
}

std::size_t place_of_peak(const ResponseSpectrum& spectrum) {
  std::size_t place = 0;
  for (std::size_t i = 1; i < spectrum.period.size(); ++i)
    if (spectrum.pseudo_acceleration(i) > spectrum.pseudo_acceleration(place)) place = i;
  return place;
}

void append_line(std::string& text, const char* format, auto... values) {
  char line[200];
  std::snprintf(line, sizeof line, format, values...);
  text += line;
}

}  // namespace

RecordSpectra spectra_of(const std::string& file, double unit, double scale,
                         const std::vector<double>& periods,
                         const std::vector<double>& dampings) {
  const excitation::GroundMotion motion =
      excitation::read_ground_motion(file, unit, scale, "record");
  RecordSpectra record;
  record.name = std::filesystem::path(file).stem().string();
  record.file = file;
  record.duration = motion.time.back() - motion.time.front();
  for (const double each : motion.acceleration)
    record.peak_acceleration = std::max(record.peak_acceleration, std::abs(each));
  for (const double damping : dampings)
    record.spectra.push_back(response_spectrum(motion, periods, damping));
  return record;
}

exports::NumberTable spectrum_table(const std::vector<RecordSpectra>& records) {
  exports::NumberTable table;
  table.name = "spectrum";
  if (records.empty() || records.front().spectra.empty()) return table;
  table.columns.push_back({"period_s", "s"});
  table.values.push_back(records.front().spectra.front().period);
  for (const RecordSpectra& record : records)
    for (const ResponseSpectrum& spectrum : record.spectra) {
      const std::string name = record.name + ".damping_" + short_number(spectrum.damping);
      std::vector<double> velocity;
      std::vector<double> acceleration;
      for (std::size_t i = 0; i < spectrum.period.size(); ++i) {
        velocity.push_back(spectrum.pseudo_velocity(i));
        acceleration.push_back(spectrum.pseudo_acceleration(i));
      }
      table.columns.push_back({name + ".sd_m", "m"});
      table.values.push_back(spectrum.displacement);
      table.columns.push_back({name + ".psv_m_s", "m/s"});
      table.values.push_back(std::move(velocity));
      table.columns.push_back({name + ".psa_m_s2", "m/s2"});
      table.values.push_back(std::move(acceleration));
    }
  return table;
}

std::string spectrum_svg(const std::vector<RecordSpectra>& records) {
  plot::Figure figure;
  figure.label = "response spectra";
  figure.title = "Response spectra";
  const auto row = [&figure](plot::Chart chart) {
    plot::FigureRow one;
    one.height = 220.0;
    one.charts.emplace_back(std::move(chart));
    figure.rows.push_back(std::move(one));
  };
  row(chart_of(records, "PSa", {1.0 / kGravity, "g"},
               [](const ResponseSpectrum& spectrum, std::size_t i) {
                 return spectrum.pseudo_acceleration(i);
               }));
  row(chart_of(records, "PSv", {1.0, "m/s"},
               [](const ResponseSpectrum& spectrum, std::size_t i) {
                 return spectrum.pseudo_velocity(i);
               }));
  row(chart_of(records, "Sd", {1e3, "mm"},
               [](const ResponseSpectrum& spectrum, std::size_t i) {
                 return spectrum.displacement[i];
               }));
  return plot::figure_svg(figure);
}

std::string spectrum_text(const std::vector<RecordSpectra>& records) {
  std::string text;
  for (const RecordSpectra& record : records) {
    append_line(text, "%s: peak ground acceleration %.4g m/s2 (%.3g g), %.4g s\n",
                record.file.c_str(), record.peak_acceleration,
                record.peak_acceleration / kGravity, record.duration);
    for (const ResponseSpectrum& spectrum : record.spectra) {
      const std::size_t peak = place_of_peak(spectrum);
      append_line(text, "damping %.3g %%: largest PSa %.4g m/s2 (%.3g g) at %.3g s\n",
                  100.0 * spectrum.damping, spectrum.pseudo_acceleration(peak),
                  spectrum.pseudo_acceleration(peak) / kGravity, spectrum.period[peak]);
      append_line(text, "%10s %12s %12s %12s\n", "period s", "Sd mm", "PSv m/s", "PSa g");
      const std::size_t count = spectrum.period.size();
      const std::size_t rows = std::min(count, kRows);
      for (std::size_t n = 0; n < rows; ++n) {
        const std::size_t i = rows < 2 ? 0 : n * (count - 1) / (rows - 1);
        append_line(text, "%10.4g %12.4g %12.4g %12.4g\n", spectrum.period[i],
                    1e3 * spectrum.displacement[i], spectrum.pseudo_velocity(i),
                    spectrum.pseudo_acceleration(i) / kGravity);
      }
    }
  }
  return text;
}

std::string spectrum_json(const std::vector<RecordSpectra>& records) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const RecordSpectra& record : records) {
    nlohmann::ordered_json one{{"record", record.name},
                               {"file", record.file},
                               {"peak_ground_acceleration_m_s2", record.peak_acceleration},
                               {"duration_s", record.duration},
                               {"spectra", nlohmann::ordered_json::array()}};
    for (const ResponseSpectrum& spectrum : record.spectra) {
      nlohmann::ordered_json lines{{"damping", spectrum.damping},
                                   {"period_s", spectrum.period},
                                   {"sd_m", spectrum.displacement}};
      for (std::size_t i = 0; i < spectrum.period.size(); ++i) {
        lines["psv_m_s"].push_back(spectrum.pseudo_velocity(i));
        lines["psa_m_s2"].push_back(spectrum.pseudo_acceleration(i));
      }
      one["spectra"].push_back(std::move(lines));
    }
    all.push_back(std::move(one));
  }
  return all.dump(2) + "\n";
}

}  // namespace trestle::spectrum
