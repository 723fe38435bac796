#include "observe/report/ledger_chapter.h"

#include <algorithm>
#include <cmath>

#include "core/base/time.h"
#include "core/record/ledger_accounts.h"
#include "observe/plot/distribution_plot.h"
#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"

namespace trestle::report {
namespace {

const std::vector<double>* stamps(const RunData& run, const std::string& site,
                                  const std::string& stamp) {
  return run.ledger.find(site + "." + stamp + "_ns");
}

std::vector<double> seconds_between(const std::vector<double>* from,
                                    const std::vector<double>* to) {
  std::vector<double> times;
  if (from == nullptr || to == nullptr) return times;
  for (std::size_t i = 0; i < from->size(); ++i) {
    const double time = 1e-9 * ((*to)[i] - (*from)[i]);
    if (std::isfinite(time)) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  return times;
}

std::vector<std::string> account_row(const std::string& name,
                                     const std::vector<double>& sorted) {
  std::vector<std::string> row{name};
  for (const double part : {0.5, 0.99, 0.999, 1.0})
    row.push_back(plot::format_quantity(plot::sorted_quantile(sorted, part), "s"));
  return row;
}

void write_site(document::HtmlDocument& document, const RunData& run,
                const std::string& site) {
  document::HtmlTable table{.caption = "Site " + site + ": where the time of a step went",
                            .heads = {"account", "p50", "p99", "p99.9", "longest"}};
  std::vector<plot::Series> lines;
  for (const record::LedgerAccount& account : record::kLedgerAccounts) {
    std::vector<double> times =
        seconds_between(stamps(run, site, account.from), stamps(run, site, account.to));
    if (times.empty() || times.back() <= 0.0) continue;
    table.rows.push_back(account_row(account.name, times));
    // A time of zero has no place on a logarithmic axis.
    for (double& time : times) time = std::max(time, 1e-8);
    if (times.back() > 1e-6)
      lines.push_back(plot::cumulative_distribution(account.name, std::move(times),
                                                    plot::series_style(lines.size()), 300));
  }
  const std::vector<double> whole =
      seconds_between(stamps(run, site, "i0"), stamps(run, site, "i4"));
  if (table.rows.empty()) return;
  table.rows.push_back(account_row("whole step", whole));
  document.table(table);
  // Seven lines can be distinguished.
  std::stable_sort(lines.begin(), lines.end(),
                   [](const plot::Series& a, const plot::Series& b) {
                     return a.x[a.x.size() / 2] > b.x[b.x.size() / 2];
                   });
  if (lines.size() > 6) lines.resize(6);
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i].style = plot::series_style(i);
  const plot::AxisSettings axis{
      .label = "time of the account", .unit = {1e3, "ms"}, .logarithmic = true};
  document.picture(
      plot::figure_svg({.label = "Distribution of the accounts of site " + site,
                        .rows = {{.height = 250.0,
                                  .charts = {plot::distribution_chart(
                                      "Site " + site, axis, std::move(lines))}}}}),
      "The largest accounts of the ledger.");
}

/// Test time over the time of the session: a hold is a horizontal stretch.
void write_course(document::HtmlDocument& document, const RunData& run) {
  const std::vector<double>* begins =
      run.sites.empty() ? nullptr : stamps(run, run.sites.front().name, "i0");
  if (begins == nullptr || begins->empty()) return;
  plot::Series line{.style = plot::measured_style()};
  const std::vector<std::int64_t>& steps = run.ledger.index();
  for (std::size_t i = 0; i < begins->size(); ++i) {
    line.x.push_back(1e-9 * (*begins)[i]);
    line.y.push_back(static_cast<double>(steps[i]) * run.time_step);
  }
  line.mark = plot::SeriesMark::kLoop;
  plot::Chart chart{.title = "Course of the test",
                    .x = {.label = "time of the session", .unit = {1.0, "s"}},
                    .y = {.label = "time of the test", .unit = {1.0, "s"}},
                    .series = {std::move(line)}};
  for (const journal::JournalEvent& event : run.events) {
    const bool holds = event.text.starts_with("HOLDING");
    if (event.node != "integrator" || (!holds && event.kind != "fault")) continue;
    if (chart.guides.size() >= 12) break;
    chart.guides.push_back({.direction = plot::GuideLine::Direction::kVertical,
                            .value = seconds(event.time.time_since_epoch()),
                            .label = holds ? "holds" : "fault"});
  }
  document.picture(
      plot::figure_svg({.label = "Time of the test over the time of the session",
                        .rows = {{.height = 220.0, .charts = {std::move(chart)}}}}),
      "A horizontal stretch is a hold, or a wait for a site.");
}

}  // namespace

void write_ledger_chapter(document::HtmlDocument& document, const RunData& run) {
  if (run.ledger.rows() == 0) return;
  document.chapter("Time of the steps");
  if (run.outline.ledger_rows > 0)
    document.paragraph(
        "The record is too long to read each step: these are " +
        plot::format_count(static_cast<long long>(run.ledger.rows())) + " of " +
        plot::format_count(run.outline.ledger_rows) +
        " steps, in stretches evenly over the test, and a rare long time between them is "
        "not seen; `trestle export --ledger FILE.csv` writes all.");
  write_course(document, run);
  document::HtmlTable misses{.caption = "Responses that were not in by their deadline",
                             .heads = {"site", "missed", "of steps", "clock error up to"}};
  for (const RecordedSiteData& site : run.sites) {
    const std::vector<double>* heard = stamps(run, site.name, "i3");
    if (heard == nullptr) continue;
    const auto missed = std::count_if(heard->begin(), heard->end(),
                                      [](double stamp) { return std::isnan(stamp); });
    double bound = 0.0;
    if (const auto* bounds = stamps(run, site.name, "clock_bound"))
      bound = 1e-9 * plot::largest_magnitude(*bounds);
    misses.rows.push_back({site.name, plot::format_count(missed),
                           plot::format_count(static_cast<long long>(heard->size())),
                           plot::format_quantity(bound, "s")});
  }
  document.table(misses);
  for (const RecordedSiteData& site : run.sites) write_site(document, run, site.name);
}

}  // namespace trestle::report
