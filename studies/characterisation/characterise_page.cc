#include "studies/characterisation/characterise_page.h"

#include <algorithm>
#include <cmath>

#include "observe/document/html_document.h"
#include "observe/plot/bode_plot.h"
#include "observe/plot/number_format.h"

namespace trestle::characterisation {
namespace {

constexpr int kStepPoints = 600;
constexpr int kStepsBetween = 20;  // of the integration, from point to point

/// Rates of the states of a fit in its canonical form, time in units of 1/scale.
std::vector<double> state_rates(const std::vector<double>& denominator,
                                const std::vector<double>& x) {
  std::vector<double> rates(x.size());
  double last = 1.0 - x[0];
  for (std::size_t i = 1; i < x.size(); ++i) {
    rates[i - 1] = x[i];
    last -= denominator[i - 1] * x[i];
  }
  rates.back() = last / denominator.back();
  return rates;
}

/// One step of the classical method of Runge and Kutta.
void advance(const std::vector<double>& denominator, std::vector<double>& x, double step) {
  const auto moved = [&x](const std::vector<double>& rates, double by) {
    std::vector<double> result(x);
    for (std::size_t i = 0; i < x.size(); ++i) result[i] += by * rates[i];
    return result;
  };
  const std::vector<double> a = state_rates(denominator, x);
  const std::vector<double> b = state_rates(denominator, moved(a, 0.5 * step));
  const std::vector<double> c = state_rates(denominator, moved(b, 0.5 * step));
  const std::vector<double> d = state_rates(denominator, moved(c, step));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += step / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
}

/// The response of a fit to a step of 1 at time 0.
plot::Series step_response(const IdentifiedTransfer& found, double length) {
  const DelayedTransfer& transfer = found.transfer;
  plot::Series line;
  std::vector<double> x(transfer.denominator.size(), 0.0);
  const double spacing = length / kStepPoints;
  double done = 0.0;  // since the delay is over [s]
  for (int i = 0; i <= kStepPoints; ++i) {
    const double since = static_cast<double>(i) * spacing - transfer.delay;
    line.x.push_back(static_cast<double>(i) * spacing);
    if (since < 0.0) {
      line.y.push_back(0.0);
      continue;
    }
    if (x.empty()) {
      line.y.push_back(transfer.gain);
      continue;
    }
    for (int k = 0; k < kStepsBetween; ++k)
      advance(transfer.denominator, x, (since - done) * transfer.scale / kStepsBetween);
    done = since;
    double y = x[0];
    for (std::size_t n = 0; n < transfer.numerator.size() && n + 1 < x.size(); ++n)
      y += transfer.numerator[n] * x[n + 1];
    line.y.push_back(transfer.gain * y);
  }
  return line;
}

plot::BodeResponse bode_response(const std::string& name, const IdentifiedTransfer& found) {
  plot::BodeResponse response{.name = name};
  for (const ResponsePoint& point : found.points) {
    response.frequency.push_back(point.frequency);
    response.measured.push_back(point.measured);
    response.fitted.push_back(point.fitted);
  }
  return response;
}

/// Returns the response of each actuator to its own drive and to those of the others.
std::vector<plot::BodeResponse> matrix_of(const CharacteriseReport& report,
                                          const CharacteriseSettings& settings) {
  std::vector<plot::BodeResponse> responses;
  for (std::size_t i = 0; i < report.actuators.size(); ++i)
    responses.push_back(
        bode_response(settings.actuators[i].name + " from " + settings.actuators[i].name,
                      report.actuators[i].transfer));
  for (const CouplingFinding& coupling : report.coupling)
    if (!coupling.transfer.nothing)
      responses.push_back(bode_response(
          settings.actuators[static_cast<std::size_t>(coupling.to)].name + " from " +
              settings.actuators[static_cast<std::size_t>(coupling.from)].name,
          coupling.transfer));
  return responses;
}

/// Long enough for the slowest pole to settle.
double settling_time(const CharacteriseReport& report) {
  double longest = 0.01;
  for (const ActuatorFinding& found : report.actuators) {
    double slowest = 0.0;
    for (const std::complex<double>& pole : found.transfer.poles)
      if (pole.real() < 0.0) slowest = std::max(slowest, -1.0 / pole.real());
    longest = std::max(longest, found.transfer.transfer.delay + 6.0 * slowest);
  }
  return std::min(longest, 5.0);
}

/// What a rise time of 60 ms means depends on the drive: it is no jump.
std::string words_of_rise_time(const CharacteriseReport& report,
                               const CharacteriseSettings& settings) {
  std::string rises;
  for (std::size_t i = 0; i < report.actuators.size(); ++i)
    rises += (i == 0 ? "" : ", ") +
             plot::format_quantity(report.actuators[i].drive_rise_time, "s") +
             " (actuator " + settings.actuators[i].name + ")";
  return "The dead time stands before the fitted dynamics, which come late by themselves: "
         "the first line has the sum. The rise time is from 10 to 90 % of the measured "
         "step; its drive, which is no jump, rose in " +
         rises + ".";
}

document::HtmlTable findings_table(const CharacteriseReport& report,
                                   const CharacteriseSettings& settings) {
  document::HtmlTable table{.heads = {"actuator", "dead time", "±", "gain", "±", "order",
                                      "\u22123 dB at", "lowest coherence", "fit error",
                                      "noise", "settled gain", "rise time"}};
  for (std::size_t i = 0; i < report.actuators.size(); ++i) {
    const ActuatorFinding& found = report.actuators[i];
    const IdentifiedTransfer& fit = found.transfer;
    const std::string unit = settings.actuators[i].kind == DofKind::kRotation ? "rad" : "m";
    table.rows.push_back(
        {settings.actuators[i].name,
         plot::format_fixed(1e3 * fit.transfer.delay, 3) + " ms",
         plot::format_significant(1e3 * fit.delay_deviation, 2) + " ms",
         plot::format_fixed(fit.transfer.gain, 4),
         plot::format_significant(fit.gain_deviation, 2),
         std::to_string(fit.transfer.order()),
         fit.corner > 0.0 ? plot::format_significant(fit.corner, 4) + " Hz" : "nowhere",
         plot::format_fixed(fit.lowest_coherence, 4),
         plot::format_significant(fit.fit_error, 3),
         plot::format_quantity(found.displacement_noise, unit),
         plot::format_fixed(found.settled_gain, 4),
         plot::format_quantity(found.rise_time, "s")});
  }
  return table;
}

}  // namespace

std::string characterise_page(const CharacteriseReport& report,
                              const CharacteriseSettings& settings, const std::string& site,
                              const std::string& generator) {
  document::HtmlDocument document("Characterisation of the rig of site " + site, generator);
  std::string delays;
  for (std::size_t i = 0; i < report.actuators.size(); ++i)
    delays +=
        (i == 0 ? "actuator " : ", actuator ") + settings.actuators[i].name + " " +
        plot::format_fixed(1e3 * report.actuators[i].transfer.low_frequency_delay, 2) +
        " ms";
  document.verdict(document::OutcomeKind::kGood,
                   "COMPLETE: the rig of site " + site +
                       " was measured; its slow motions come late by: " + delays + ".");
  document.chapter("Findings");
  document.table(findings_table(report, settings));
  document.paragraph(
      "± is one standard deviation. A fit error of 1 says that noise explains what the fit "
      "leaves; a larger one that the shape is not quite right.");
  document.paragraph(words_of_rise_time(report, settings));
  document.chapter("Frequency responses");
  for (std::size_t i = 0; i < report.actuators.size(); ++i)
    document.picture(plot::figure_svg(plot::bode_figure(
        "Actuator " + settings.actuators[i].name,
        {bode_response(settings.actuators[i].name, report.actuators[i].transfer)})));
  if (!report.coupling.empty())
    document.picture(plot::figure_svg(
        plot::bode_figure("Matrix of responses", matrix_of(report, settings))));
  document.chapter("Response to a step");
  plot::Chart steps{.title = "Fitted response to a step of the drive",
                    .x = {.label = "time", .unit = {1e3, "ms"}, .lowest = 0.0},
                    .y = {.label = "displacement over drive", .starts_at_zero = true},
                    .guides = {{.value = 1.0, .label = "drive"}}};
  const double length = settling_time(report);
  for (std::size_t i = 0; i < report.actuators.size(); ++i) {
    plot::Series line = step_response(report.actuators[i].transfer, length);
    line.name = settings.actuators[i].name;
    line.style = plot::series_style(i);
    steps.series.push_back(std::move(line));
  }
  document.picture(
      plot::figure_svg({.label = "Fitted step responses of the actuators",
                        .rows = {{.height = 260.0, .charts = {std::move(steps)}}}}));
  return document.finish();
}

}  // namespace trestle::characterisation
