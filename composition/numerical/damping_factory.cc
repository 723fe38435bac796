#include "composition/numerical/damping_factory.h"

#include <algorithm>

#include "core/base/setting_checks.h"
#include "core/base/setting_error_collector.h"
#include "numerical/structure/damping.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

void require(bool holds, const char* field, const std::string& what) {
  if (!holds) throw SettingError(field, what);
}

structure::RayleighStiffness rayleigh_stiffness(const config::Rayleigh& settings) {
  if (settings.stiffness() == config::RAYLEIGH_STIFFNESS_TANGENT)
    return structure::RayleighStiffness::kTangent;
  return settings.stiffness() == config::RAYLEIGH_STIFFNESS_ELASTIC
             ? structure::RayleighStiffness::kElastic
             : structure::RayleighStiffness::kInitial;
}

structure::DampingModel rayleigh(const config::Rayleigh& settings) {
  const structure::RayleighStiffness stiffness = rayleigh_stiffness(settings);
  const bool has_factors = settings.has_mass_factor() || settings.has_stiffness_factor();
  if (has_factors) {
    require(settings.ratio().empty(), "ratio",
            "both ratio and factors are given; give one of them");
    require(settings.modes().empty(), "modes",
            "belong to ratios; with factors leave them out");
    require(settings.frequencies().empty(), "frequencies",
            "belong to ratios; with factors leave them out");
    require_at_least(settings.mass_factor(), 0.0, "mass_factor");
    require_at_least(settings.stiffness_factor(), 0.0, "stiffness_factor");
    return structure::RayleighFactors{.mass = settings.mass_factor(),
                                      .stiffness = settings.stiffness_factor(),
                                      .of = stiffness};
  }
  const int ratios = settings.ratio_size();
  require(ratios == 1 || ratios == 2, "ratio",
          "Rayleigh damping needs one ratio or two, or factors; it has " +
              std::to_string(ratios) + " ratios");
  for (const double ratio : settings.ratio()) require_at_least(ratio, 0.0, "ratio");
  const std::array<double, 2> both{settings.ratio(0), settings.ratio(ratios - 1)};
  if (settings.frequencies_size() > 0) {
    require(settings.modes().empty(), "modes",
            "both modes and frequencies are given; give one of them");
    require(settings.frequencies_size() == 2, "frequencies",
            "Rayleigh damping needs two frequencies; there are " +
                std::to_string(settings.frequencies_size()));
    for (const double frequency : settings.frequencies())
      require_above_zero(frequency, "frequencies");
    return structure::RayleighAtFrequencies{
        .ratios = both,
        .frequencies = {settings.frequencies(0), settings.frequencies(1)},
        .stiffness = stiffness};
  }
  if (settings.modes().empty())
    return structure::RayleighAtModes{
        .ratios = both, .modes = {1, 2}, .stiffness = stiffness};
  require(settings.modes_size() == 2, "modes",
          "Rayleigh damping needs two modes; there are " +
              std::to_string(settings.modes_size()));
  const std::array<int, 2> modes{static_cast<int>(settings.modes(0)),
                                 static_cast<int>(settings.modes(1))};
  require(std::min(modes[0], modes[1]) >= 1, "modes", "modes count from 1");
  require(modes[0] != modes[1], "modes",
          "both are mode " + std::to_string(modes[0]) + "; name two different modes");
  return structure::RayleighAtModes{.ratios = both, .modes = modes, .stiffness = stiffness};
}

structure::DampingModel modal(const config::ModalDamping& settings) {
  require(!settings.ratio().empty(), "ratio", "modal damping needs at least one ratio");
  for (const double ratio : settings.ratio()) require_at_least(ratio, 0.0, "ratio");
  structure::ModalRatios ratios{
      .ratios = {settings.ratio().begin(), settings.ratio().end()},
      .modes = settings.ratio_size()};
  if (settings.has_modes()) ratios.modes = static_cast<int>(settings.modes());
  require(ratios.modes >= 1, "modes", "modes is 0; must be at least 1");
  return ratios;
}

const char* field(const config::Damping& damping) {
  return damping.has_modal() ? ".modal" : ".rayleigh";
}

}  // namespace

structure::DampingModel damping_model(const config::Damping& damping,
                                      const std::string& path) {
  return SettingErrorCollector::below(path + field(damping),
                                      [&damping]() -> structure::DampingModel {
                                        if (damping.has_rayleigh())
                                          return rayleigh(damping.rayleigh());
                                        if (damping.has_modal())
                                          return modal(damping.modal());
                                        return std::monostate{};
                                      });
}

void add_damping(structure::StructuralModel& structure, const config::Damping& damping,
                 const std::string& path) {
  const structure::DampingModel model = damping_model(damping, path);
  SettingErrorCollector::below(path + field(damping), [&structure, &model] {
    structure::add_damping(structure, model);
  });
}

}  // namespace trestle::composition
