#include "site-servers/node/exercise_findings.h"

#include <cmath>
#include <cstdio>

#include "site-servers/node/spoken_quantity.h"

namespace trestle::site_node {
namespace {

constexpr double kStatedGain = 1.0;
constexpr double kGainWithin = 0.05;
// Of the noise of a force: a smaller amplitude has no sign.
constexpr double kForceAboveNoise = 5.0;

std::string figure(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::vector<ExerciseResult> exercise_findings(
    const RigServiceLoop& loop, const StatedExercise& stated,
    const std::vector<ActuatorDescription>& actuators, double tick) {
  std::vector<ExerciseResult> found;
  const auto count = static_cast<Eigen::Index>(actuators.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    if (!(stated.amplitude[i] > 0.0)) continue;
    const ActuatorDescription& actuator = actuators[static_cast<std::size_t>(i)];
    const ExerciseFit& fit = loop.fit(static_cast<int>(i));
    const bool against = fit.displacement.in_phase() < 0.0;
    ExerciseResult each;
    each.name = actuator.name;
    each.unit = actuator.kind == DofKind::kRotation ? "rad" : "m";
    each.amplitude = stated.amplitude[i];
    each.gain = (against ? -1.0 : 1.0) * fit.displacement.amplitude() / each.amplitude;
    each.delay = fit.displacement.lag() * tick;
    each.noise = loop.readings().deviation(i);
    const double motion = fit.displacement.amplitude();
    each.stiffness = (fit.force.in_phase() * fit.displacement.in_phase() +
                      fit.force.in_quadrature() * fit.displacement.in_quadrature()) /
                     (motion * motion);
    const auto add = [&each](const std::string& clause) {
      each.finding += (each.finding.empty() ? "" : "; ") + clause;
    };
    if (!(std::abs(each.gain - kStatedGain) <= kGainWithin))
      add(against ? "it moves against its drive (gain " + figure("%.3f", each.gain) + ")"
                  : "its gain is " + figure("%.3f", each.gain) + ", stated 1 within 5 %");
    if (!(each.delay <= stated.delay))
      add("its delay is " + figure("%.3g", 1e3 * each.delay) + " ms, stated at most " +
          figure("%.3g", 1e3 * stated.delay) + " ms");
    if (!(each.noise <= stated.noise[i]))
      add("its noise is " + spoken_text(each.noise, SpokenKind::kMotion, actuator.kind) +
          ", stated at most " +
          spoken_text(stated.noise[i], SpokenKind::kMotion, actuator.kind));
    if (each.stiffness < 0.0 &&
        fit.force.amplitude() > kForceAboveNoise * loop.readings().deviation(count + i))
      add("its force falls where it moves forward: the force needed to hold a specimen "
          "that resists has the sign of the motion");
    found.push_back(each);
  }
  return found;
}

std::string exercise_text(const std::vector<ExerciseResult>& exercise) {
  std::string text, findings;
  for (const ExerciseResult& each : exercise) {
    const DofKind kind = each.unit == "rad" ? DofKind::kRotation : DofKind::kTranslation;
    text += (text.empty() ? "actuator " : ", actuator ") + each.name + " gain " +
            figure("%.3f", each.gain) + " delay " + figure("%.3g", 1e3 * each.delay) +
            " ms noise " + spoken_text(each.noise, SpokenKind::kMotion, kind);
    if (!each.finding.empty())
      findings +=
          (findings.empty() ? "" : "; ") + ("actuator " + each.name) + ": " + each.finding;
  }
  return text + (findings.empty() ? "; as stated" : "; NOT as stated: " + findings);
}

}  // namespace trestle::site_node
