#include "observe/report/whole_history.h"

#include <algorithm>

#include "observe/plot/engineering_unit.h"
#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"

namespace trestle::report {
namespace {

struct DrawnQuantity {
  const char* beginning;  ///< of the column's name, after that of the actuator
  const char* name;
  plot::SeriesStyle style;
};

plot::Chart whole_chart(const RunData& run, const std::string& site,
                        const MotionSignals& actuator) {
  const records::StreamEnvelope& whole = run.outline.result;
  plot::Chart chart{.title = site + " " + actuator.name + ": the whole test",
                    .x = {.label = "time",
                          .unit = {1.0, "s"},
                          .lowest = 0.0,
                          .highest = std::max(run.end_time(), run.time_step)},
                    .y = {}};
  double largest = 0.0;
  for (const DrawnQuantity& one :
       {DrawnQuantity{".measured_", "measured", plot::measured_style()},
        DrawnQuantity{".target_", "target", plot::target_style()}}) {
    const std::size_t place = whole.place_of(site + "." + actuator.name + one.beginning);
    if (place == whole.channels().size()) continue;
    plot::Series line = envelope_series(whole, place, records::TickTimes(run.time_step));
    line.name = one.name;
    line.style = one.style;
    largest = std::max(largest, plot::largest_magnitude(line.y));
    chart.series.push_back(std::move(line));
  }
  chart.y = {.label = actuator.unit == "rad" ? "rotation" : "displacement",
             .unit = plot::engineering_unit(actuator.unit, largest)};
  return chart;
}

std::string seconds_text(double time) {
  return plot::format_fixed(time, 2) + " s";
}

}  // namespace

plot::Series envelope_series(const records::StreamEnvelope& envelope, std::size_t place,
                             const records::TickTimes& times) {
  plot::Series line;
  const records::StreamEnvelope::Column& column = envelope.column(place);
  for (std::size_t part = 0; part < envelope.first().size(); ++part) {
    const std::int64_t end =
        std::min(envelope.first()[part] + envelope.part_rows() - 1, envelope.last());
    const double time = 0.5 * (times.at(envelope.first()[part]) + times.at(end));
    line.x.insert(line.x.end(), 2, time);
    line.y.push_back(column.low[part]);
    line.y.push_back(column.high[part]);
  }
  return line;
}

std::string window_words(const RunData& run) {
  if (!run.is_window() || run.time().empty()) return {};
  return ", " + plot::format_fixed(run.time().front(), 2) + " to " +
         seconds_text(run.time().back());
}

void write_whole_histories(document::HtmlDocument& document, const RunData& run,
                           const RecordedSiteData& site) {
  if (!run.is_window() || run.time().empty()) return;
  document.heading("The whole test");
  const double part = static_cast<double>(run.outline.result.part_rows()) * run.time_step;
  for (const MotionSignals& actuator : site.actuators)
    if (actuator.target != nullptr && actuator.measured != nullptr)
      document.picture(
          plot::figure_svg({.label = "Target and measurement of actuator " + actuator.name +
                                     " at " + site.name + " over the whole test",
                            .rows = {{.height = 210.0,
                                      .charts = {whole_chart(run, site.name, actuator)}}}}),
          "Smallest and largest value of every " + plot::format_significant(part, 3) +
              " s.");
  document.paragraph(
      "The record of " + plot::format_count(run.steps()) +
      " steps is too long to be drawn row by row. The following pictures of this site, "
      "with "
      "their work, delays and amplitudes, are of the steps " +
      plot::format_count(run.result.index().front()) + " to " +
      plot::format_count(run.result.index().back()) + window_words(run) +
      ", around the largest value of " + run.outline.window_of +
      "; `trestle export --svg FILE --columns NAMES --from TIME --to TIME` draws another "
      "part.");
}

}  // namespace trestle::report
