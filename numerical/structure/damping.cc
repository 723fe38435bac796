#include "numerical/structure/damping.h"

#include <algorithm>
#include <numbers>
#include <string>

#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "numerical/structure/combined_matrices.h"
#include "numerical/structure/modes.h"

namespace trestle::structure {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

/// Mode or frequency at which a ratio is asked for.
struct RatioAt {
  double ratio;
  double omega;  // [rad/s]
  double kappa;  // φᵀ·K_b·φ [1/s²]
};

RayleighFactors factors_of(const RatioAt& one, const RatioAt& other,
                           RayleighStiffness stiffness) {
  RayleighFactors factors;
  if (stiffness != RayleighStiffness::kElastic && one.kappa == one.omega * one.omega &&
      other.kappa == other.omega * other.omega) {
    factors = rayleigh_factors({one.ratio, other.ratio}, {one.omega, other.omega});
  } else {
    const double b = 2.0 * (other.ratio * other.omega - one.ratio * one.omega) /
                     (other.kappa - one.kappa);
    factors = {.mass = 2.0 * one.ratio * one.omega - b * one.kappa, .stiffness = b};
  }
  factors.of = stiffness;
  return factors;
}

RayleighFactors checked(const RatioAt& one, const RatioAt& other,
                        RayleighStiffness stiffness, const char* field) {
  if (!(std::min(one.omega, other.omega) > 0.0))
    throw SettingError(field, "Rayleigh damping needs two modes above 0 Hz");
  if (std::abs(one.omega - other.omega) <= 1e-6 * other.omega)
    throw SettingError(field, "both are at " + in_words(one.omega / kTwoPi) +
                                  " Hz; Rayleigh damping needs two different frequencies");
  if (std::abs(one.kappa - other.kappa) <=
      1e-6 * std::max(std::abs(one.kappa), std::abs(other.kappa)))
    throw SettingError(
        "stiffness",
        "what cannot yield is equally stiff in both modes; take other modes, "
        "or factors");
  const RayleighFactors factors = factors_of(one, other, stiffness);
  if (factors.mass < 0.0 || factors.stiffness < 0.0)
    throw SettingError(
        "ratio", "ratios " + in_words(one.ratio) + " at " + in_words(one.omega / kTwoPi) +
                     " Hz and " + in_words(other.ratio) + " at " +
                     in_words(other.omega / kTwoPi) + " Hz need a negative factor (mass " +
                     in_words(factors.mass) + " 1/s, stiffness " +
                     in_words(factors.stiffness) +
                     " s): some modes would gain energy; bring them closer");
  return factors;
}

RayleighFactors factors_for(const StructuralModel& /*structure*/,
                            const RayleighFactors& model) {
  return model;
}

RayleighFactors factors_for(const StructuralModel& /*structure*/,
                            const RayleighAtFrequencies& model) {
  const auto at = [&model](std::size_t i) -> RatioAt {
    const double omega = kTwoPi * model.frequencies[i];
    return {model.ratios[i], omega, omega * omega};
  };
  return checked(at(0), at(1), model.stiffness, "frequencies");
}

RayleighFactors factors_for(const StructuralModel& structure,
                            const RayleighAtModes& model) {
  const int highest = std::max(model.modes[0], model.modes[1]);
  const Modes modes = lowest_modes(structure, highest);
  if (modes.frequencies.size() < highest)
    throw SettingError("modes", "mode " + std::to_string(highest) +
                                    " does not exist; the structure has " +
                                    std::to_string(modes.frequencies.size()));
  const bool initial = model.stiffness != RayleighStiffness::kElastic;
  // Everything at rest: φᵀ·K·φ = ω², but for what axial forces do, which damps nothing.
  const bool whole = initial && structure.geometric_stiffness.size() == 0;
  const SparseMatrix stiffness =
      initial ? material_stiffness(structure) : elastic_stiffness(structure);
  const auto at = [&](std::size_t i) -> RatioAt {
    const Eigen::Index mode = model.modes[i] - 1;
    const Eigen::VectorXd shape = modes.shapes.col(mode);
    const double omega = modes.frequencies[mode];
    return {model.ratios[i], omega, whole ? omega * omega : shape.dot(stiffness * shape)};
  };
  return checked(at(0), at(1), model.stiffness, "modes");
}

template <typename Rayleigh>
void add(StructuralModel& structure, const Rayleigh& model) {
  const RayleighFactors factors = factors_for(structure, model);
  const SparseMatrix stiffness = factors.of == RayleighStiffness::kElastic
                                     ? elastic_stiffness(structure)
                                     : material_stiffness(structure);
  if (factors.of == RayleighStiffness::kTangent)
    structure.details.tangent_factor = factors.stiffness;
  structure.damping +=
      factors.mass * combined_mass(structure) + factors.stiffness * stiffness;
  HeldDofs& held = structure.held;
  if (held.dofs.empty()) return;
  const HeldStiffness rows =
      held_stiffness(structure, factors.of == RayleighStiffness::kElastic);
  held.damping += factors.mass * held.mass + factors.stiffness * rows.by_equations;
  held.own_damping += factors.mass * held.own_mass + factors.stiffness * rows.by_held;
  if (held.site_stiffness.size() == 0) return;
  held.site_damping += factors.mass * held.site_coupled_mass +
                       factors.stiffness * (factors.of == RayleighStiffness::kElastic
                                                ? held.site_elastic_stiffness
                                                : held.site_stiffness);
}

void add(StructuralModel& structure, const ModalRatios& model) {
  const Modes modes = lowest_modes(structure, model.modes);
  if (modes.frequencies.size() < model.modes)
    throw SettingError("modes", "mode " + std::to_string(model.modes) +
                                    " does not exist; the structure has " +
                                    std::to_string(modes.frequencies.size()));
  ModalDampingFactors& factors = structure.modal_damping;
  factors.weighted_modes = combined_mass(structure) * modes.shapes;
  factors.coefficient.resize(model.modes);
  for (int i = 0; i < model.modes; ++i) {
    const std::size_t at =
        std::min<std::size_t>(static_cast<std::size_t>(i), model.ratios.size() - 1);
    factors.coefficient[i] = 2.0 * model.ratios[at] * modes.frequencies[i];
  }
}

void add(StructuralModel& /*structure*/, std::monostate /*undamped*/) {}

RayleighFactors factors_for(const StructuralModel& /*structure*/,
                            const ModalRatios& /*model*/) {
  return {};
}

RayleighFactors factors_for(const StructuralModel& /*structure*/,
                            std::monostate /*undamped*/) {
  return {};
}

}  // namespace

RayleighFactors rayleigh_factors(const StructuralModel& structure,
                                 const DampingModel& model) {
  return std::visit([&structure](const auto& kind) { return factors_for(structure, kind); },
                    model);
}

RayleighFactors rayleigh_factors(const std::array<double, 2>& ratios,
                                 const std::array<double, 2>& omega) {
  const double below = omega[1] * omega[1] - omega[0] * omega[0];
  return {.mass = 2.0 * omega[0] * omega[1] *
                  (ratios[0] * omega[1] - ratios[1] * omega[0]) / below,
          .stiffness = 2.0 * (ratios[1] * omega[1] - ratios[0] * omega[0]) / below};
}

void add_damping(StructuralModel& structure, const DampingModel& model) {
  std::visit([&structure](const auto& kind) { add(structure, kind); }, model);
}

}  // namespace trestle::structure
