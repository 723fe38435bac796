#include "studies/characterisation/transfer_system_text.h"

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>

#include "core/yaml/yaml_writer.h"
#include "proto/config/rig.pb.h"
#include "proto/config/site_file.pb.h"
#include "proto/config/transfer.pb.h"
#include "studies/characterisation/polynomial_roots.h"

namespace trestle::characterisation {
namespace {

using Roots = std::vector<std::complex<double>>;
using Numbers = google::protobuf::RepeatedPtrField<config::ComplexNumber>;

// A pole that is gone within a tick, exp(−40): of actuators that have none.
constexpr double kAtOnce = 40.0;

std::string printed(const char* format, double value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void add(const Roots& roots, Numbers* numbers) {
  for (const std::complex<double>& root : roots) {
    config::ComplexNumber* added = numbers->Add();
    added->set_re(root.real());
    added->set_im(root.imag());
  }
}

void add_actuator(const IdentifiedTransfer& found, const CharacteriseSettings& settings,
                  config::TransferSystemFile& file) {
  config::IdentifiedActuator* actuator = file.add_actuators()->mutable_identified();
  actuator->set_delay(found.transfer.delay);
  actuator->set_dc_gain(found.transfer.gain);
  add(found.poles.empty() ? Roots{-kAtOnce / settings.tick} : found.poles,
      actuator->mutable_poles());
  add(found.zeros, actuator->mutable_zeros());
  actuator->set_delay_deviation(found.delay_deviation);
  actuator->set_dc_gain_deviation(found.gain_deviation);
  actuator->set_worst_deviation(found.worst_deviation);
  actuator->set_lowest_coherence(found.lowest_coherence);
  actuator->set_highest(settings.highest);
}

/// Padé's approximant of exp(−x), x = s·delay: 1 + c₁·x + c₂·x² + ... in the denominator,
/// with alternating signs in the numerator; of the lowest order whose error at the end of
/// the band is small.
void add_delay(double delay, double highest, config::ZpkEntry& entry) {
  if (delay <= 0.0) return;
  constexpr double kSmall = 1e-4;
  const double x = 2.0 * std::numbers::pi * highest * delay;
  std::vector<double> below{0.5, 0.1, 1.0 / 120.0};
  if (std::pow(x, 5) / 720.0 < kSmall) below = {0.5, 1.0 / 12.0};
  if (std::pow(x, 3) / 12.0 < kSmall) below = {0.5};
  Roots roots = polynomial_roots(below);
  for (std::complex<double>& root : roots) root /= delay;
  add(roots, entry.mutable_poles());
  for (std::complex<double>& root : roots) root = {-root.real(), root.imag()};
  add(roots, entry.mutable_zeros());
}

void add_entry(const IdentifiedTransfer& found, std::size_t to, std::size_t from,
               config::ZpkMatrix& matrix) {
  config::ZpkEntry* entry = matrix.add_entries();
  entry->set_to(static_cast<std::uint32_t>(to + 1));
  entry->set_from(static_cast<std::uint32_t>(from + 1));
  entry->set_dc_gain(found.transfer.gain);
  add(found.poles, entry->mutable_poles());
  add(found.zeros, entry->mutable_zeros());
  add_delay(found.transfer.delay, found.highest, *entry);
}

std::string header(const CharacteriseReport& report, const CharacteriseSettings& settings,
                   const CharacteriseFacts& facts) {
  std::string text = "# The transfer system of site " + facts.site +
                     (facts.real_equipment ? "" : " (simulated)") + ", measured " +
                     facts.stamp + " by\n#   trestle characterise " + facts.file + "\n";
  text += std::string("# ") + (settings.noise ? "band-limited noise" : "chirp") + " from " +
          printed("%.4g", settings.lowest) + " to " + printed("%.4g", settings.highest) +
          " Hz within " + printed("%.4g", settings.duration) +
          " s, one actuator at a time; amplitudes";
  for (const double amplitude : settings.amplitude) text += printed(" %.4g", amplitude);
  text += " m | rad; control tick " + printed("%.6g", 1e3 * settings.tick) + " ms\n";
  for (std::size_t i = 0; i < report.actuators.size(); ++i) {
    const IdentifiedTransfer& found = report.actuators[i].transfer;
    text += "# actuator " + std::to_string(i + 1) + ": delay " +
            printed("%.4f", 1e3 * found.transfer.delay) + " ± " +
            printed("%.4f ms", 1e3 * found.delay_deviation) + ", gain " +
            printed("%.6f", found.transfer.gain) +
            printed(" ± %.6f", found.gain_deviation) + ", order " +
            std::to_string(found.transfer.order()) + ", a slow motion comes late by " +
            printed("%.4g ms\n", 1e3 * found.low_frequency_delay);
  }
  for (const CouplingFinding& found : report.coupling)
    text +=
        "# to " + std::to_string(found.to + 1) + " from " + std::to_string(found.from + 1) +
        ": " +
        (found.transfer.nothing
             ? std::string("nothing")
             : "gain " + printed("%.6f", found.transfer.transfer.gain) +
                   printed(" ± %.6f", found.transfer.gain_deviation) + ", response ± " +
                   printed("%.2g", found.transfer.worst_deviation) + " of its largest") +
        "\n";
  return text + "#   rig: {include: transfer_system.yaml, specimen: {...}}\n";
}

}  // namespace

std::string transfer_system_yaml(const CharacteriseReport& report,
                                 const CharacteriseSettings& settings,
                                 const CharacteriseFacts& facts) {
  config::TransferSystemFile file;
  for (std::size_t i = 0; i < report.actuators.size(); ++i) {
    const ActuatorFinding& found = report.actuators[i];
    if (settings.coupled)
      add_entry(found.transfer, i, i, *file.mutable_transfer_matrix()->mutable_zpk());
    else
      add_actuator(found.transfer, settings, file);
    config::Noise* noise = file.add_noise();
    noise->set_displacement(found.displacement_noise);
    noise->set_force(found.force_noise);
  }
  for (const CouplingFinding& found : report.coupling)
    if (!found.transfer.nothing)
      add_entry(found.transfer, static_cast<std::size_t>(found.to),
                static_cast<std::size_t>(found.from),
                *file.mutable_transfer_matrix()->mutable_zpk());
  return header(report, settings, facts) + yaml::write_yaml(file);
}

}  // namespace trestle::characterisation
