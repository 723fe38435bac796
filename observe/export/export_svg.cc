#include "observe/export/export_svg.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/nearest_name.h"
#include "core/types/record_names.h"
#include "observe/export/bounded_curve.h"
#include "observe/plot/engineering_unit.h"
#include "observe/plot/figure.h"
#include "observe/records/run_record.h"

namespace trestle::exports {
namespace {

constexpr std::size_t kLines = 7;  // styles that differ
constexpr double kHeight = 260.0;

/// A column by its name, of one run or of each.
struct WantedColumn {
  std::string name;
  std::optional<std::size_t> run;  ///< from 0
};

/// One column of a run in memory.
struct PlottedColumn {
  std::string run;
  Channel channel;
  std::vector<double> x;
  std::vector<double> y;
  std::size_t group_points = 1;  ///< of which only the outermost are held; 1: all are
};

WantedColumn wanted_column(const std::string& text, std::size_t runs) {
  const std::size_t colon = text.find(':');
  std::size_t number = 0;
  const char* const end = text.data() + std::min(colon, text.size());
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (colon == std::string::npos || error != std::errc() || stop != end) return {text, {}};
  if (number < 1 || number > runs)
    throw std::runtime_error("`" + text + "` is of run " + std::to_string(number) +
                             "; there are " + std::to_string(runs));
  return {text.substr(colon + 1), number - 1};
}

/// Where a column stands among the channels of a run.
std::size_t place_of(const Channels& channels, const std::string& name,
                     const std::string& folder) {
  std::vector<std::string> known;
  for (const Channel& channel : channels) {
    if (channel.name == name) return known.size();
    known.push_back(channel.name);
  }
  throw std::runtime_error(folder + " has no column `" + name + "`" + suggest(name, known) +
                           "; trestle export --csv writes the names of all in its first "
                           "line");
}

const Channels& channels_of(const records::RunRecord& run, const std::string& folder) {
  if (!run.integrator().has_stream(stream_name::kResult))
    throw std::runtime_error(folder + " has no steps to draw");
  return run.integrator().channels(stream_name::kResult);
}

/// The run that is subtracted, followed step by step.
class SubtractedRun {
 public:
  SubtractedRun(const std::string& folder, const std::string& other, double period,
                const std::vector<PlottedColumn>& columns)
      : run_(other), rows_(rows_of(run_, other)) {
    const Channels& named = channels_of(run_, other);
    if (run_.integrator().required_number(meta_key::kTimeStep) != period)
      throw std::runtime_error(folder + " and " + other +
                               " have different time steps: they have no steps in common "
                               "to subtract");
    for (const PlottedColumn& column : columns)
      places_.push_back(place_of(named, column.channel.name, other));
    row_ = rows_.next();
  }

  /// Advances to a step. @pre it is above the one before
  void go_to(std::int64_t step) {
    while (row_ && row_->index < step) row_ = rows_.next();
    has_step_ = row_ && row_->index == step;
  }
  /// Of the column at that step; not a number: the run does not have the step.
  double value(std::size_t column) const {
    return has_step_ ? row_->values[places_[column]]
                     : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  static journal::RowCursor rows_of(const records::RunRecord& run,
                                    const std::string& folder) {
    channels_of(run, folder);  // or says what is missing
    return run.integrator().rows(stream_name::kResult);
  }

  records::RunRecord run_;
  std::vector<std::size_t> places_;
  journal::RowCursor rows_;
  std::optional<RecordRow> row_;
  bool has_step_ = false;
};

/// The wanted columns of one run.
std::vector<PlottedColumn> columns_of(const std::string& folder, std::size_t number,
                                      const std::vector<WantedColumn>& wanted,
                                      const PictureOptions& options) {
  const records::RunRecord run(folder);
  const Channels& channels = channels_of(run, folder);
  const double period = run.integrator().required_number(meta_key::kTimeStep);
  std::vector<PlottedColumn> columns;
  std::vector<std::size_t> places;
  for (const WantedColumn& one : wanted) {
    if (one.run && *one.run != number) continue;
    places.push_back(place_of(channels, one.name, folder));
    columns.push_back(
        {.run = folder, .channel = channels[places.back()], .x = {}, .y = {}});
  }
  std::optional<std::size_t> against;
  if (!options.against.empty()) against = place_of(channels, options.against, folder);
  std::optional<SubtractedRun> less;
  if (!options.less.empty()) less.emplace(folder, options.less, period, columns);
  std::vector<BoundedCurve> curves(columns.size(), BoundedCurve(options.most_points));
  journal::RowCursor rows = run.integrator().rows(stream_name::kResult);
  while (const auto row = rows.next()) {
    if (row->index < 0) continue;
    const double time = static_cast<double>(row->index) * period;
    if (time < options.from.value_or(0.0)) continue;
    if (options.to && time > *options.to) break;
    if (less) less->go_to(row->index);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      double value = row->values[places[i]];
      if (less) value -= less->value(i);
      // A zero has no place on a logarithmic scale, and breaks the line.
      if (options.logarithmic)
        value = value == 0.0 ? std::numeric_limits<double>::quiet_NaN() : std::abs(value);
      curves[i].add(against ? row->values[*against] : time, value);
    }
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i].group_points = curves[i].group_points();
    curves[i].take(columns[i].x, columns[i].y);
  }
  return columns;
}

std::string quantity(const std::string& unit) {
  static const std::map<std::string, std::string> kNames = {
      {"m", "displacement"}, {"rad", "rotation"},       {"N", "force"}, {"N.m", "moment"},
      {"m/s", "velocity"},   {"m/s^2", "acceleration"}, {"s", "time"},  {"J", "energy"}};
  const auto found = kNames.find(unit);
  return found == kNames.end() ? "value" : found->second;
}

/// The last part of a folder's path; the whole of it where two runs share it.
std::vector<std::string> short_names(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  std::map<std::string, int> count;
  for (const std::string& folder : folders) {
    const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    names.push_back(path.has_filename() ? path.filename() : path.parent_path().filename());
    ++count[names.back()];
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty() || count[names[i]] > 1) names[i] = folders[i];
  return names;
}

/// Words that all lines of a chart share stand in its title, the others in the legend.
void name_lines(plot::Chart& chart, const std::vector<PlottedColumn>& columns,
                const PictureOptions& options) {
  const auto same = [&](auto part) {
    return std::all_of(columns.begin(), columns.end(), [&](const PlottedColumn& column) {
      return part(column) == part(columns.front());
    });
  };
  const bool one_name = same([](const PlottedColumn& one) { return one.channel.name; });
  const bool one_run = same([](const PlottedColumn& one) { return one.run; });
  if (one_name) chart.title = columns.front().channel.name;
  if (!options.less.empty()) chart.note = "less " + short_names({options.less}).front();
  std::size_t group = 1;
  for (const PlottedColumn& column : columns) group = std::max(group, column.group_points);
  if (group > 1)
    chart.note += (chart.note.empty() ? "" : "; ") +
                  std::string("outermost points of every ") + std::to_string(group) +
                  " steps";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::string& name = chart.series[i].name;
    if (!one_run) name = columns[i].run;
    if (!one_name) name += (name.empty() ? "" : ": ") + columns[i].channel.name;
  }
}

plot::Chart chart_of(const std::vector<PlottedColumn>& columns, const plot::AxisSettings& x,
                     const PictureOptions& options) {
  double largest = 0.0;
  for (const PlottedColumn& column : columns)
    largest = std::max(largest, plot::largest_magnitude(column.y));
  const std::string& unit = columns.front().channel.unit;
  plot::Chart chart{.x = x,
                    .y = {.label = quantity(unit),
                          .unit = plot::engineering_unit(unit, largest),
                          .logarithmic = options.logarithmic}};
  for (std::size_t i = 0; i < columns.size(); ++i)
    chart.series.push_back({.x = columns[i].x,
                            .y = columns[i].y,
                            .mark = options.against.empty() ? plot::SeriesMark::kHistory
                                                            : plot::SeriesMark::kLoop,
                            .style = plot::series_style(i)});
  name_lines(chart, columns, options);
  return chart;
}

/// By their units, in the order in which these come first.
std::vector<std::vector<PlottedColumn>> by_unit(std::vector<PlottedColumn> columns) {
  std::vector<std::vector<PlottedColumn>> groups;
  for (PlottedColumn& column : columns) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& those) {
      return those.front().channel.unit == column.channel.unit;
    });
    if (group == groups.end())
      groups.push_back({std::move(column)});
    else
      group->push_back(std::move(column));
  }
  for (const auto& group : groups)
    if (group.size() > kLines)
      throw std::runtime_error(std::to_string(group.size()) + " lines of unit " +
                               group.front().channel.unit +
                               " in one chart; at most 7 are told apart: name fewer");
  return groups;
}

plot::AxisSettings x_axis(const std::vector<PlottedColumn>& columns,
                          const std::string& unit, const PictureOptions& options) {
  plot::ValueRange range = plot::ValueRange::none();
  double largest = 0.0;
  for (const PlottedColumn& column : columns) {
    range.include(column.x);
    largest = std::max(largest, plot::largest_magnitude(column.x));
  }
  if (!options.against.empty())
    return {.label = options.against, .unit = plot::engineering_unit(unit, largest)};
  return {.label = "time",
          .unit = {1.0, "s"},
          .lowest = options.from.value_or(0.0),
          .highest = range.high};
}

}  // namespace

void export_svg(const std::vector<std::string>& run_dirs, const std::string& file,
                const PictureOptions& options) {
  std::vector<WantedColumn> wanted;
  for (const std::string& text : options.columns)
    wanted.push_back(wanted_column(text, run_dirs.size()));
  if (wanted.empty()) throw std::runtime_error("no column to draw is named");
  const std::vector<std::string> names = short_names(run_dirs);
  std::vector<PlottedColumn> columns;
  std::string unit;  // of x
  for (std::size_t i = 0; i < run_dirs.size(); ++i) {
    for (PlottedColumn& column : columns_of(run_dirs[i], i, wanted, options)) {
      column.run = names[i];
      columns.push_back(std::move(column));
    }
    if (!options.against.empty()) {
      const records::RunRecord run(run_dirs[i]);
      const Channels& channels = channels_of(run, run_dirs[i]);
      unit = channels[place_of(channels, options.against, run_dirs[i])].unit;
    }
  }
  if (std::all_of(columns.begin(), columns.end(),
                  [](const PlottedColumn& column) { return column.y.empty(); }))
    throw std::runtime_error(run_dirs.front() +
                             " has no step between the times that are asked for");
  const plot::AxisSettings x = x_axis(columns, unit, options);
  plot::Figure figure{.label = "Recorded columns"};
  const auto groups = by_unit(std::move(columns));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    plot::AxisSettings shown = x;
    shown.hides_numbers = i + 1 < groups.size();
    figure.rows.push_back(
        {.height = kHeight, .charts = {chart_of(groups[i], shown, options)}});
  }
  AtomicFile picture(file);
  picture.write(plot::figure_svg(figure));
  picture.keep();
}

}  // namespace trestle::exports
