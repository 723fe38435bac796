#include "composition/numerical/bridge/bridge_summary.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerical/bridge/finite_element_modes.h"

namespace trestle::composition {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr std::size_t kReported = 3;  // frequencies

/// Σ φ²/ω²: with an even number of elements midspan is a node, where the elements are
/// exact.
double deflection_at(const bridge::BridgeModes& modes, double x) {
  bridge::ShapeValues shapes = modes.shapes->room();
  modes.shapes->at(x, shapes);
  double sum = 0.0;
  for (Eigen::Index i = 0; i < shapes.count; ++i) {
    const double part = shapes.value[i] / modes.frequency[shapes.first + i];
    sum += part * part;
  }
  return sum;
}

void add_frequencies(const bridge::BridgeParts& parts, BridgeReport& report) {
  std::vector<std::pair<double, double>> all;
  for (Eigen::Index n = 0; n < parts.modes.frequency.size(); ++n)
    all.emplace_back(parts.modes.frequency[n] / kTurn, parts.damping[n]);
  std::sort(all.begin(), all.end());
  report.modes = static_cast<int>(all.size());
  report.highest = all.back().first;
  for (const auto& [frequency, ratio] : all) {
    if (report.frequencies.size() == kReported) break;
    if (!report.frequencies.empty() && frequency < report.frequencies.back() * (1.0 + 1e-6))
      continue;
    report.frequencies.push_back(frequency);
    report.ratios.push_back(ratio);
  }
}

}  // namespace

double static_deflection(const bridge::Girders& girders, double x) {
  return deflection_at(bridge::finite_element_modes(girders, 2, 0), x);
}

BridgeReport summary_of(const bridge::BridgeParts& parts, const bridge::Girders& girders) {
  BridgeReport report;
  add_frequencies(parts, report);
  report.wheels = static_cast<int>(parts.contacts.size());
  for (const bridge::TrainContact& contact : parts.contacts) {
    report.weight = std::max(report.weight, contact.weight);
    report.total_weight += contact.weight;
  }
  const bridge::BridgeModes fine = bridge::finite_element_modes(girders, 2, 0);
  double x = 0.0;
  for (const auto& girder : girders.spans)
    for (const bridge::GirderSpan& span : girder) {
      report.spans.push_back(
          {span.length, report.weight * deflection_at(fine, x + 0.5 * span.length)});
      x += span.length;
    }
  report.steps = parts.steps;
  report.duration = static_cast<double>(parts.steps - 1) * parts.time_step;
  const double period = parts.time_step / parts.similitude.time;
  for (std::int64_t k = 0; parts.track != nullptr && k < parts.steps; ++k) {
    const double front = parts.speed * (static_cast<double>(k) * period - parts.lead_in);
    report.roughness = std::max(report.roughness, std::abs(parts.track->at(front).height));
  }
  report.loop_gain = std::numeric_limits<double>::quiet_NaN();
  return report;
}

}  // namespace trestle::composition
