#include "observe/report/limit_section.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/types/execution_mode.h"
#include "core/types/record_names.h"
#include "observe/plot/bar_chart.h"
#include "observe/plot/engineering_unit.h"
#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"
#include "observe/plot/series_style.h"
#include "observe/report/whole_history.h"

namespace trestle::report {
namespace {

/// ", 120.00 to 185.53 s": of the rows of a long record that are held against the limits.
std::string limits_window(const RunData& run, const RecordedSiteData& site) {
  if (site.tick_envelope.empty() || site.ticks.rows() == 0) return window_words(run);
  if (!site.tick_times.is_known()) return {};
  const auto time = [&site](std::int64_t tick) {
    return plot::format_fixed(site.tick_times.at(tick), 2);
  };
  return ", " + time(site.ticks.index().front()) + " to " +
         time(site.ticks.index().back()) + " s";
}

/// Explains what the values of the limits mean.
std::string limits_note(const RunData& run, const RecordedSiteData& site, bool at_least,
                        bool of_window) {
  std::string note =
      "Displacement, rate and acceleration are those of the recorded command" +
      std::string(run.meta(meta_key::kMode) == name(ExecutionMode::kContinuous)
                      ? ", by the clock of the rig, on which the test is stretched."
                      : ".");
  if (site.contract.value("controller") != "default" &&
      !site.contract.value("controller").empty())
    note +=
        " A controller makes the drive of it, which the record does not have; the "
        "safety gate judges the drive.";
  if (at_least)
    note +=
        " They were seen once a step or once in several control ticks: between them "
        "they may have been larger.";
  if (of_window)
    note +=
        " The record is too long to compare each row with the one before it: rate, "
        "acceleration and tracking error are those of a window about the largest target" +
        limits_window(run, site) +
        ", and may have been larger elsewhere; `trestle export --ticks --csv FILE` gives "
        "the rows from which they follow.";
  return note;
}

/// Collects the bars and the rows of one site's limits.
class LimitSection {
 public:
  void add(const LimitUse& use) {
    const plot::EngineeringUnit unit =
        plot::engineering_unit(use.si_unit, use.limit ? *use.limit : use.largest);
    const std::string label = use.axis + " " + use.quantity;
    const std::string value = plot::format_significant(use.largest * unit.factor, 3);
    const std::string limit =
        use.limit ? plot::format_significant(*use.limit * unit.factor, 3) + " " + unit.name
                  : "none";
    rows_.push_back(
        {label, value + " " + unit.name, limit,
         use.limit ? plot::format_fixed(100.0 * use.ratio(), 1) + " %" : "\u2013",
         std::isfinite(use.time) ? plot::format_fixed(use.time, 3) + " s" : "\u2013"});
    at_least_ = at_least_ || use.at_least;
    of_window_ = of_window_ || use.of_window;
    told_rates_ = told_rates_ || use.quantity == "rate";
    of_interface_ = of_interface_ || use.quantity == kTargetDisplacement;
    if (!use.limit) return;
    const double share = 100.0 * use.ratio();
    bars_.push_back({.label = label,
                     .to = std::min(share, 100.0),
                     .text = plot::format_fixed(share, 0) + " %, " + value + " of " + limit,
                     .hatched = share >= 85.0,
                     .colour = share >= 85.0   ? plot::plot_colour::kAlarm
                               : share >= 60.0 ? plot::plot_colour::kWarning
                                               : ""});
  }

  void write(document::HtmlDocument& document, const RunData& run,
             const RecordedSiteData& site) const {
    document.heading("Limits");
    write_bars(document, site.name);
    document.table({.caption =
                        "Largest values, when they were, and the tighter of the test's "
                        "and the site's limits",
                    .heads = {of_interface_ ? "interface DOF or actuator, quantity"
                                            : "actuator, quantity",
                              "largest", "limit", "used", "at"},
                    .rows = rows_});
    document.paragraph(limits_note(run, site, at_least_, of_window_));
    if (of_interface_)
      document.paragraph(
          "The target displacement is that of the interface DOF: the site compares it with "
          "the limit of the interface before an actuator moves. The other values are those "
          "of the actuators.");
    if (!rows_.empty() && !told_rates_)
      document.paragraph(
          "Rate and acceleration are left out: the steps do not tell them in this mode, "
          "and "
          "the control ticks of the site are not in the folder (trestle collect).");
  }

 private:
  void write_bars(document::HtmlDocument& document, const std::string& site) const {
    if (bars_.empty()) return;
    plot::BarChart chart{.title = "Used of limit",
                         .note = "largest of the run",
                         .x = {.label = "share of the limit",
                               .unit = {1.0, "%"},
                               .starts_at_zero = true,
                               .lowest = 0.0,
                               .highest = 100.0},
                         .bars = bars_,
                         .guides = {60.0, 85.0},
                         .label_width = of_interface_ ? 210.0 : 150.0,
                         .text_width = 170.0};
    const double height = plot::bar_chart_height(chart);
    document.picture(
        plot::figure_svg({.label = "Used part of each limit at " + site,
                          .rows = {{.height = height, .charts = {std::move(chart)}}}}));
  }

  std::vector<plot::Bar> bars_;
  std::vector<std::vector<std::string>> rows_;
  bool at_least_ = false;
  bool of_window_ = false;
  bool told_rates_ = false;
  bool of_interface_ = false;
};

}  // namespace

void write_limit_section(document::HtmlDocument& document, const RunData& run,
                         const RecordedSiteData& site, const std::vector<LimitUse>& uses) {
  LimitSection section;
  for (const LimitUse& use : uses)
    if (use.site == site.name) section.add(use);
  section.write(document, run, site);
}

}  // namespace trestle::report
