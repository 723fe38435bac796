#include "studies/pretest/stability_words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace trestle::pretest {
namespace {

std::string number(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string milliseconds(double time) {
  return number("%.3g ms", 1e3 * time);
}

/// @param whose  " of the actuators" if the answers have a latency besides; else empty
std::string critical_words(const StabilityCase& one, const std::string& whose) {
  const DelayMargin& critical = one.critical;
  if (critical.at_least)
    return "up to " + milliseconds(critical.delay) + whose + " would not be too much";
  if (one.unstable_already) return "unstable already, without any further delay";
  if (critical.delay == 0.0) return "unstable for any delay" + whose;
  return milliseconds(critical.delay) + whose + " would be too much";
}

/// "answers come 11 steps (10.7 ms) late by real_time.latency_steps"; empty: they do not.
std::string latency_words(const StabilityReport& report) {
  if (report.latency_steps == 0) return {};
  return "answers come " + std::to_string(report.latency_steps) +
         (report.latency_steps == 1 ? " step (" : " steps (") +
         milliseconds(report.latency) + ") late by real_time.latency_steps";
}

/// "the actuators are 11.9 ms late; 2.3 ms would be too much", or another cause, if that
/// delay alone is not too much.
/// @param compensated  behind the compensators as they start
std::string lateness(const StabilityReport& report, const StabilityCase& one,
                     const ClosedLoopStability& loop, bool compensated) {
  const std::string latency = latency_words(report);
  const std::string whose = latency.empty() ? "" : " of the actuators";
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  bool shifted = false;
  for (const LateActuator& actuator : report.actuators) {
    const double delay = compensated ? actuator.left : actuator.delay;
    shifted = shifted || delay != actuator.delay;
    if (std::isnan(delay))
      return latency + (latency.empty() ? "" : "; ") + critical_words(one, whose);
    least = std::min(least, delay);
    most = std::max(most, delay);
  }
  const bool alike = milliseconds(least) == milliseconds(most);
  const bool early = alike && most < 0.0;
  const std::string late =
      std::string("the actuators are ") + (alike ? "" : number("%.3g to ", 1e3 * least)) +
      milliseconds(early ? -most : most) + (early ? " early" : " late") +
      (shifted ? " behind their compensators" : "");
  // A delay above the critical one needs no other reason.
  const bool borne = one.critical.at_least || one.critical.delay > std::max(most, 0.0);
  if (!borne)
    return late + (latency.empty() ? "" : ", and " + latency) + "; " +
           critical_words(one, whose);
  return late + " in slow motion, " +
         (latency.empty() ? "and a pure delay" : latency + ", and a further pure delay") +
         " would be borne up to " + milliseconds(one.critical.delay) +
         "; what is unstable is their response " + number("at %.3g Hz", loop.frequency);
}

std::string margin_words(const DelayMargin& margin) {
  if (margin.delay == 0.0) return "stable, but unstable for any delay beyond";
  return std::string("stable, margin ") + (margin.at_least ? "at least " : "") +
         milliseconds(margin.delay);
}

std::string verdict(const StabilityReport& report, const StabilityCase& one,
                    const ClosedLoopStability& loop, bool compensated) {
  return loop.stable ? margin_words(loop.margin)
                     : "UNSTABLE (" + lateness(report, one, loop, compensated) + ")";
}

/// "one alone may be later by: west 1 5.18 ms, west 2 2.86 ms"
std::string alone_words(const StabilityReport& report, const ClosedLoopStability& loop) {
  std::string words = "one alone may be later by: ";
  for (std::size_t i = 0; i < loop.per_actuator.size(); ++i) {
    const DelayMargin& margin = loop.per_actuator[i];
    words += (i > 0 ? ", " : "") + report.actuators[i].site + " " +
             std::to_string(report.actuators[i].number) +
             (margin.at_least ? " at least " : " ") + milliseconds(margin.delay);
  }
  return words;
}

}  // namespace

std::vector<std::string> in_words(const StabilityReport& report) {
  if (!report.known) return {"not known: " + report.why};
  std::vector<std::string> lines;
  for (const StabilityCase& one : report.cases) {
    std::string line;
    if (one.stiffness_part != 1.0)
      line = "at " + number("%.3g", 100.0 * one.stiffness_part) + " % of the stiffness ";
    if (report.compensates)
      line += "without compensation " + verdict(report, one, one.uncompensated, false) +
              "; with " + report.compensators + ", as it starts: ";
    line += verdict(report, one, one.compensated, report.compensates) +
            (one.compensated.stable ? "   ok" : "   UNSTABLE");
    lines.push_back(std::move(line));
    if (one.compensated.per_actuator.size() > 1)
      lines.push_back(alone_words(report, one.compensated));
  }
  if (!report.why.empty()) lines.push_back("(" + report.why + ")");
  return lines;
}

}  // namespace trestle::pretest
