#include "studies/identification/identification_page.h"

#include <algorithm>
#include <cmath>

#include "observe/document/html_document.h"
#include "observe/plot/figure.h"
#include "observe/plot/number_format.h"
#include "studies/identification/identification_text.h"
#include "studies/identification/residual_files.h"

namespace trestle::identification {
namespace {

std::string relative(double part, double whole) {
  return whole == 0.0 ? std::string("\u2013")
                      : plot::format_significant(100.0 * part / std::abs(whole), 3) + " %";
}

std::vector<std::string> parameter_row(const FoundParameter& found) {
  return {found.name + " [" + unit_of(found.quantity) + "]",
          plot::format_significant(found.guess, 5),
          plot::format_significant(found.estimate, 5),
          relative(found.deviation, found.estimate),
          relative(found.bound, found.estimate),
          found.truth ? plot::format_significant(*found.truth, 5) : "\u2013",
          found.truth ? relative(found.estimate - *found.truth, *found.truth) : "\u2013",
          found.identifiable ? "yes" : "no"};
}

std::vector<double> values_of(const Eigen::VectorXd& vector) {
  return {vector.begin(), vector.end()};
}

void write_nodal(document::HtmlDocument& document, const IdentificationResult& result) {
  document.chapter("By the motion of the nodes");
  document.paragraph(nodes_text(*result.nodal));
  document::HtmlTable table{.heads = {"parameter", "bias of the nodal estimate",
                                      "estimate by the strains themselves"}};
  const auto add = [&table](const FoundParameter& found) {
    if (found.bias && found.directly)
      table.rows.push_back({found.name + " [" + unit_of(found.quantity) + "]",
                            relative(*found.bias, found.estimate),
                            plot::format_significant(*found.directly, 5)});
  };
  for (const FoundParameter& found : result.parameters) add(found);
  if (result.total_mass) add(*result.total_mass);
  document.table(table);
  document.paragraph(
      "The bias is what orthogonal functions and nodes lose of the model's own strains, to "
      "first order. The noise, the lower bound and the test of the residual are those of "
      "the fit on the strains.");
}

void write_road(document::HtmlDocument& document, const FoundRoad& road) {
  const Eigen::VectorXd low = road.height - 2.0 * road.deviation;
  const Eigen::VectorXd high = road.height + 2.0 * road.deviation;
  const std::vector<double> x = values_of(road.x);
  plot::Chart chart{
      .title = "Road",
      .x = {.label = "place", .unit = {1.0, "m"}},
      .y = {.label = "height",
            .unit = plot::engineering_unit("m", road.height.cwiseAbs().maxCoeff())},
      .series = {{.name = "found",
                  .x = x,
                  .y = values_of(road.height),
                  .style = plot::measured_style()},
                 {.name = "± 2 deviations",
                  .x = x,
                  .y = values_of(low),
                  .style = plot::series_style(1)},
                 {.x = x, .y = values_of(high), .style = plot::series_style(1)}}};
  if (road.truth)
    chart.series.push_back({.name = "true",
                            .x = x,
                            .y = values_of(*road.truth),
                            .style = plot::target_style()});
  document.chapter("Road");
  document.picture(
      plot::figure_svg({.label = "The road that was found",
                        .rows = {{.height = 240.0, .charts = {std::move(chart)}}}}));
}

}  // namespace

std::string identification_page(const IdentificationStudy& study,
                                const IdentificationResult& result,
                                const std::string& generator) {
  const auto sure =
      std::count_if(result.parameters.begin(), result.parameters.end(),
                    [](const FoundParameter& found) { return found.identifiable; });
  const auto all = static_cast<std::ptrdiff_t>(result.parameters.size());
  document::HtmlDocument document("Report of the identification " + study.name, generator);
  const bool good = result.converged && result.explained && sure == all;
  std::string sentence = std::to_string(sure) + " of " + std::to_string(all) +
                         " parameters are determined by the readings; the method " +
                         (result.converged ? "converged" : "did not converge") + " in " +
                         std::to_string(result.iterations) + " iterations";
  if (!result.explained)
    sentence +=
        "; the stated noise does not explain the residual, so the model lacks "
        "something";
  document.verdict(good ? document::OutcomeKind::kGood : document::OutcomeKind::kAttention,
                   sentence + ".");
  document.chapter("Parameters");
  document::HtmlTable table{.heads = {"parameter", "guess", "estimate", "deviation",
                                      "lower bound of it", "true", "error", "determined"}};
  for (const FoundParameter& found : result.parameters)
    table.rows.push_back(parameter_row(found));
  if (result.total_mass) table.rows.push_back(parameter_row(*result.total_mass));
  document.table(table);
  document.paragraph(
      "The deviation is one standard deviation by the residual that is left; the lower "
      "bound "
      "(Cramér and Rao) is that of any unbiased method at the stated noise.");
  document.paragraph("Condition number of the sensitivities " +
                     plot::format_significant(result.condition_number, 3) +
                     "; root mean square of the residual " +
                     plot::format_significant(result.misfit, 3) +
                     " deviations of the noise.");
  if (result.nodal) write_nodal(document, result);
  if (result.road) write_road(document, *result.road);
  document.chapter("Readings, fit and residual");
  for (std::size_t pass = 0; pass < study.problem.passes.size(); ++pass)
    document.picture(residual_svg(study, result, pass));
  return document.finish();
}

}  // namespace trestle::identification
