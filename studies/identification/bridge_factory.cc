#include "studies/identification/bridge_factory.h"

#include <algorithm>
#include <string>

#include "core/base/setting_error.h"
#include "core/base/suggestion.h"

namespace trestle::identification {
namespace {

constexpr int kElements = 12;
constexpr int kElementsForStrain = 36;

bridge::GirderSpan span_of(const config::CrossedBridge& bridge, int span) {
  std::string name = bridge.sections(0).name();
  const std::string path = "bridge.section";
  if (bridge.section_size() > 0) {
    if (bridge.section_size() != 1 && bridge.section_size() != bridge.spans_size())
      throw SettingError(path, "section has " + std::to_string(bridge.section_size()) +
                                   " names; must be one for all spans, or one for each of "
                                   "the " +
                                   std::to_string(bridge.spans_size()));
    name = bridge.section(bridge.section_size() == 1 ? 0 : span);
  }
  std::vector<std::string> names;
  for (const config::GirderSection& section : bridge.sections())
    names.push_back(section.name());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw SettingError(
        path, "section is `" + name + "`, which is no section; " + suggestion(name, names));
  const config::GirderSection& section =
      bridge.sections(static_cast<int>(found - names.begin()));
  double mass = section.added_mass_per_length();
  if (section.has_mass_per_length())
    mass += section.mass_per_length();
  else if (section.has_a() && section.has_density())
    mass += section.a() * section.density();
  else
    throw SettingError("bridge.sections." + name,
                       "section has no mass; give mass_per_length, or A and density");
  return {bridge.spans(span), section.e() * section.i(), mass};
}

std::vector<bridge::PierSettings> piers_of(const config::CrossedBridge& bridge) {
  const int inner = bridge.spans_size() - 1;
  if (bridge.piers_size() > 1 && bridge.piers_size() != inner)
    throw SettingError("bridge.piers",
                       "piers are " + std::to_string(bridge.piers_size()) +
                           "; must be one for all, or one for each of the " +
                           std::to_string(inner) + " inner supports");
  std::vector<bridge::PierSettings> piers(static_cast<std::size_t>(inner) + 2);
  for (int i = 0; i < inner && bridge.piers_size() > 0; ++i) {
    const config::Pier& pier = bridge.piers(bridge.piers_size() == 1 ? 0 : i);
    bridge::PierSettings& made = piers[static_cast<std::size_t>(i) + 1];
    if (pier.has_stiffness()) made.stiffness = pier.stiffness();
    made.mass = pier.mass();
  }
  return piers;
}

}  // namespace

std::unique_ptr<Girder> bridge_girder(const config::CrossedBridge& bridge,
                                      int elements_per_span) {
  GirderSettings settings;
  settings.girders.spans.emplace_back();
  for (int i = 0; i < bridge.spans_size(); ++i)
    settings.girders.spans.front().push_back(span_of(bridge, i));
  settings.girders.piers = piers_of(bridge);
  settings.damping_ratio = bridge.has_damping() ? bridge.damping() : 0.02;
  settings.elements_per_span = elements_per_span;
  return std::make_unique<Girder>(settings);
}

int elements(const config::Identification& study) {
  if (study.bridge().has_elements()) return static_cast<int>(study.bridge().elements());
  const bool strain =
      std::any_of(study.sensors().begin(), study.sensors().end(),
                  [](const config::BridgeSensor& sensor) {
                    return sensor.measures() == config::BridgeSensor::STRAIN;
                  });
  return strain ? kElementsForStrain : kElements;
}

}  // namespace trestle::identification
