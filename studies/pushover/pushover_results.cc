#include "studies/pushover/pushover_results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "observe/plot/figure.h"

namespace trestle::pushover {
namespace {

constexpr std::size_t kRows = 10;  // of the table on the screen

void append_line(std::string& text, const char* format, auto... values) {
  char line[240];
  std::snprintf(line, sizeof line, format, values...);
  text += line;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double value : values)
    if (std::abs(value) > std::abs(most)) most = value;
  return most;
}

std::string displacement_name(const PushedDof& dof) {
  return dof.site + "." + dof.dof + (dof.rotation ? ".disp_rad" : ".disp_m");
}

std::string force_name(const PushedDof& dof) {
  return dof.site + "." + dof.dof + (dof.rotation ? ".force_Nm" : ".force_N");
}

const char* name(Pattern pattern) {
  switch (pattern) {
    case Pattern::kMode1:
      return "mode1";
    case Pattern::kLoads:
      return "loads";
    case Pattern::kMass:
      break;
  }
  return "mass";
}

const char* described(SpecimenForce force) {
  switch (force) {
    case SpecimenForce::kLaw:
      return "law of its rig";
    case SpecimenForce::kInitialStiffness:
      return "initial stiffness";
    case SpecimenForce::kNone:
      break;
  }
  return "no resistance: this file has no rig of it";
}

const char* name(SpecimenForce force) {
  switch (force) {
    case SpecimenForce::kLaw:
      return "law";
    case SpecimenForce::kInitialStiffness:
      return "initial-stiffness";
    case SpecimenForce::kNone:
      break;
  }
  return "none";
}

plot::Series series_of(const std::string& name, std::vector<double> x,
                       std::vector<double> y, std::size_t number) {
  plot::Series series;
  series.name = name;
  series.x = std::move(x);
  series.y = std::move(y);
  series.style = plot::series_style(number);
  return series;
}

void add_chart(plot::Figure& figure, plot::Chart chart) {
  plot::FigureRow row;
  row.height = 260.0;
  row.charts.emplace_back(std::move(chart));
  figure.rows.push_back(std::move(row));
}

}  // namespace

exports::NumberTable pushover_table(const PushoverCurve& curve) {
  exports::NumberTable table;
  table.name = "pushover";
  const auto add = [&table](const std::string& column, const char* unit,
                            const std::vector<double>& values) {
    table.columns.push_back({column, unit});
    table.values.push_back(values);
  };
  add(curve.settings.dof + ".disp_m", "m", curve.displacement);
  add("factor", "1", curve.factor);
  add("base.shear_N", "N", curve.shear);
  for (const PushedDof& dof : curve.specimens) {
    add(displacement_name(dof), dof.rotation ? "rad" : "m", dof.displacement);
    add(force_name(dof), dof.rotation ? "N.m" : "N", dof.force);
  }
  return table;
}

std::string pushover_svg(const PushoverCurve& curve) {
  plot::Figure figure;
  figure.label = "pushover curve";
  figure.title = "Pushover";
  plot::Chart chart;
  chart.x = {.label = curve.settings.dof + " beyond gravity", .unit = {1e3, "mm"}};
  chart.y = {.label = "base shear", .unit = {1e-3, "kN"}, .starts_at_zero = true};
  chart.series.push_back(series_of("", curve.displacement, curve.shear, 0));
  add_chart(figure, std::move(chart));
  plot::Chart forces;
  forces.x = {.label = curve.settings.dof + " beyond gravity", .unit = {1e3, "mm"}};
  forces.y = {.label = "force of specimens", .unit = {1e-3, "kN"}};
  std::size_t number = 0;
  for (const PushedDof& dof : curve.specimens)
    if (!dof.rotation)
      forces.series.push_back(
          series_of(dof.site + " " + dof.dof, curve.displacement, dof.force, number++));
  if (!forces.series.empty()) add_chart(figure, std::move(forces));
  if (!curve.ended.empty()) figure.words.push_back("Ended: " + curve.ended);
  return plot::figure_svg(figure);
}

std::string pushover_text(const PushoverCurve& curve) {
  std::string text;
  append_line(text, "pushover   %s to %.4g mm beyond gravity, loads as %s\n",
              curve.settings.dof.c_str(), 1e3 * curve.settings.displacement,
              name(curve.settings.pattern));
  append_line(text, "%14s %14s %14s\n", "disp mm", "base shear kN", "factor");
  const std::size_t count = curve.displacement.size();
  const std::size_t every = std::max<std::size_t>(1, (count - 1 + kRows - 1) / kRows);
  for (std::size_t i = 0; i < count; ++i)
    if (i % every == 0 || i + 1 == count)
      append_line(text, "%14.4f %14.4f %14.6g\n", 1e3 * curve.displacement[i],
                  1e-3 * curve.shear[i], curve.factor[i]);
  for (const PushedDof& dof : curve.specimens)
    append_line(text, "specimen   %s %s: up to %.4g %s, %.4g %s (%s)\n", dof.site.c_str(),
                dof.dof.c_str(), 1e3 * largest(dof.displacement),
                dof.rotation ? "mrad" : "mm", 1e-3 * largest(dof.force),
                dof.rotation ? "kN.m" : "kN", described(dof.by));
  if (!curve.ended.empty())
    append_line(text, "ended      at %.4g mm: %s\n", 1e3 * curve.displacement.back(),
                curve.ended.c_str());
  return text;
}

std::string pushover_json(const PushoverCurve& curve) {
  nlohmann::ordered_json json;
  json["dof"] = curve.settings.dof;
  json["pattern"] = name(curve.settings.pattern);
  json["displacement_m"] = curve.displacement;
  json["factor"] = curve.factor;
  json["base_shear_N"] = curve.shear;
  for (const PushedDof& dof : curve.specimens)
    json["specimens"].push_back(
        {{"site", dof.site},
         {"dof", dof.dof},
         {"by", name(dof.by)},
         {dof.rotation ? "displacement_rad" : "displacement_m", dof.displacement},
         {dof.rotation ? "force_Nm" : "force_N", dof.force}});
  json["ended"] = curve.ended.empty() ? nlohmann::ordered_json(nullptr)
                                      : nlohmann::ordered_json(curve.ended);
  return json.dump(2) + "\n";
}

}  // namespace trestle::pushover
