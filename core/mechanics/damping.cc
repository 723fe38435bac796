#include "core/mechanics/damping.h"

#include <algorithm>
#include <numbers>
#include <string>

#include "core/mechanics/modes.h"
#include "core/mechanics/setting_check.h"
#include "core/mechanics/whole_structure.h"
#include "core/types/setting_error.h"

namespace trestle {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

RayleighFactors checked(const std::array<double, 2>& ratios,
                        const std::array<double, 2>& omega, const char* field) {
  if (!(std::min(omega[0], omega[1]) > 0.0))
    throw SettingError(field, "Rayleigh damping needs two modes above 0 Hz");
  if (std::abs(omega[0] - omega[1]) <= 1e-6 * omega[1])
    throw SettingError(field, "both are at " + in_words(omega[0] / kTwoPi) +
                                  " Hz; Rayleigh damping needs two different frequencies");
  const RayleighFactors factors = rayleigh_factors(ratios, omega);
  if (factors.mass < 0.0 || factors.stiffness < 0.0)
    throw SettingError(
        "ratio", "ratios " + in_words(ratios[0]) + " at " + in_words(omega[0] / kTwoPi) +
                     " Hz and " + in_words(ratios[1]) + " at " +
                     in_words(omega[1] / kTwoPi) + " Hz need a negative factor (mass " +
                     in_words(factors.mass) + " 1/s, stiffness " +
                     in_words(factors.stiffness) +
                     " s): some modes would gain energy; bring them closer");
  return factors;
}

void add(Structure& structure, const RayleighFactors& factors) {
  structure.damping +=
      factors.mass * structure.mass + factors.stiffness * numerical_stiffness(structure);
}

void add_to_whole(Structure& structure, const RayleighFactors& factors) {
  structure.damping +=
      factors.mass * whole_mass(structure) + factors.stiffness * whole_stiffness(structure);
}

void add(Structure& structure, const RayleighAtFrequencies& model) {
  add_to_whole(
      structure,
      checked(model.ratios, {kTwoPi * model.frequencies[0], kTwoPi * model.frequencies[1]},
              "frequencies"));
}

void add(Structure& structure, const RayleighAtModes& model) {
  const int highest = std::max(model.modes[0], model.modes[1]);
  const Modes modes = lowest_modes(structure, highest);
  if (modes.frequencies.size() < highest)
    throw SettingError("modes", "mode " + std::to_string(highest) +
                                    " does not exist; the structure has " +
                                    std::to_string(modes.frequencies.size()));
  add_to_whole(structure, checked(model.ratios,
                                  {modes.frequencies[model.modes[0] - 1],
                                   modes.frequencies[model.modes[1] - 1]},
                                  "modes"));
}

void add(Structure& structure, const ModalRatios& model) {
  const Modes modes = lowest_modes(structure, model.modes);
  if (modes.frequencies.size() < model.modes)
    throw SettingError("modes", "mode " + std::to_string(model.modes) +
                                    " does not exist; the structure has " +
                                    std::to_string(modes.frequencies.size()));
  ModalDampingFactors& factors = structure.modal_damping;
  factors.weighted_modes = whole_mass(structure) * modes.shapes;
  factors.coefficient.resize(model.modes);
  for (int i = 0; i < model.modes; ++i) {
    const std::size_t at =
        std::min<std::size_t>(static_cast<std::size_t>(i), model.ratios.size() - 1);
    factors.coefficient[i] = 2.0 * model.ratios[at] * modes.frequencies[i];
  }
}

void add(Structure& /*structure*/, std::monostate /*undamped*/) {}

}  // namespace

RayleighFactors rayleigh_factors(const std::array<double, 2>& ratios,
                                 const std::array<double, 2>& omega) {
  const double below = omega[1] * omega[1] - omega[0] * omega[0];
  return {.mass = 2.0 * omega[0] * omega[1] *
                  (ratios[0] * omega[1] - ratios[1] * omega[0]) / below,
          .stiffness = 2.0 * (ratios[1] * omega[1] - ratios[0] * omega[0]) / below};
}

void add_damping(Structure& structure, const DampingModel& model) {
  std::visit([&structure](const auto& kind) { add(structure, kind); }, model);
}

}  // namespace trestle
