#include "studies/characterisation/characterise_summary.h"

#include <cstdio>

namespace trestle::characterisation {
namespace {

// Coupling above this part of an actuator's own gain deserves a matrix.
constexpr double kWorthAMatrix = 0.01;

std::string number(const char* format, double value) {
  char text[60];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string small_motion(double value, DofKind kind) {
  return number("%.3g", 1e6 * value) + (kind == DofKind::kRotation ? " urad" : " um");
}

std::string force(double value, DofKind kind) {
  return number("%.3g", value) + (kind == DofKind::kRotation ? " N.m" : " N");
}

std::string stiffness(double value, DofKind kind) {
  return kind == DofKind::kRotation ? number("%.4g kN.m/rad", 1e-3 * value)
                                    : number("%.4g kN/mm", 1e-6 * value);
}

std::string of_rest(const ActuatorFinding& found, DofKind kind) {
  return "  at rest     displacement ± " + small_motion(found.displacement_noise, kind) +
         " about " + small_motion(found.position, kind) + ", force ± " +
         force(found.force_noise, kind) + " about " + force(found.force_offset, kind) +
         "\n";
}

std::string of_small_motions(const ActuatorFinding& found, DofKind kind) {
  return "  polarity    follows by " + number("%+.4f", found.slope) + " ± " +
         number("%.4f", found.slope_deviation) +
         (found.stiffness > 0.0
              ? ", force resists: " + stiffness(found.stiffness, kind)
              : std::string(", no force felt: no specimen, or too soft to tell")) +
         "\n  step        settles at " + number("%.4f", found.settled_gain) + " ± " +
         number("%.4f", found.settled_deviation) + ", rises in " +
         number("%.3g ms", 1e3 * found.rise_time) +
         number(" (drive: %.3g ms)\n", 1e3 * found.drive_rise_time);
}

std::string of_transfer(const IdentifiedTransfer& found) {
  std::string text = "  delay       " + number("%.4f", 1e3 * found.transfer.delay) + " ± " +
                     number("%.4f ms", 1e3 * found.delay_deviation) + ", order " +
                     std::to_string(found.transfer.order()) + " with " +
                     std::to_string(found.zeros.size()) + " zeros, gain " +
                     number("%.5f", found.transfer.gain) + " ± " +
                     number("%.5f", found.gain_deviation) + "\n  response    ";
  if (found.corner <= 0.0)
    text += "not down by 3 dB at any frequency";
  else
    text += number("-3 dB at %.4g Hz", found.corner) +
            (found.corner > found.highest ? " (beyond the band)" : "");
  return text + number(", known to ± %.2g %%", 100.0 * found.worst_deviation) +
         number(", coherence at least %.5f", found.lowest_coherence) +
         number(", fit error %.2f of noise\n", found.fit_error);
}

std::string expected_delays(const CharacteriseReport& report) {
  std::string text;
  for (const ActuatorFinding& found : report.actuators)
    text += (text.empty() ? "" : ", ") +
            number("%.4g ms", 1e3 * found.transfer.low_frequency_delay);
  return report.actuators.size() == 1 ? text : "[" + text + "]";
}

}  // namespace

std::string characterise_summary(const CharacteriseReport& report,
                                 const CharacteriseSettings& settings) {
  std::string text;
  bool coupled = false;
  for (std::size_t i = 0; i < report.actuators.size(); ++i) {
    const ActuatorFinding& found = report.actuators[i];
    const DofKind kind = settings.actuators[i].kind;
    text += "actuator " + settings.actuators[i].name + "\n" + of_rest(found, kind) +
            of_small_motions(found, kind) + of_transfer(found.transfer);
    if (found.crosstalk > 0.0)
      text += "  coupling    moves actuator " +
              settings.actuators[static_cast<std::size_t>(found.crosstalk_to)].name +
              " by " + number("%.3g of its drive (root mean square)\n", found.crosstalk);
    coupled = coupled || found.crosstalk > kWorthAMatrix * found.transfer.transfer.gain;
  }
  if (coupled && !settings.coupled)
    text += "the actuators move one another: set characterise.coupled=true for a matrix\n";
  return text + "a compensator's start: expected_delay (ats) or delay: " +
         expected_delays(report) + "\n";
}

std::string compensator_yaml(const CharacteriseReport& report, const std::string& site) {
  return "# What the rig of site " + site +
         " is late by, as `trestle characterise` found it: a start for its compensator.\n"
         "kind: ats\nexpected_delay: " +
         expected_delays(report) + "\n";
}

}  // namespace trestle::characterisation
