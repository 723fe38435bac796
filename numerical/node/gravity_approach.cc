#include "numerical/node/gravity_approach.h"

#include <algorithm>
#include <cstdio>

namespace trestle::integrator_node::gravity_approach {
namespace {

constexpr double kMilli = 1e-3;
constexpr double kKilo = 1e3;

std::string formatted(const char* format, double value) {
  char digits[48];
  std::snprintf(digits, sizeof digits, format, value);
  return digits;
}

std::string position(const InterfaceDof& dof, double at) {
  const bool turns = dof.kind == DofKind::kRotation;
  return dof.name + formatted(turns ? " %.4g mrad" : " %.4g mm", at / kMilli);
}

std::string force(const InterfaceDof& dof, double value) {
  const bool turns = dof.kind == DofKind::kRotation;
  return formatted(turns ? "%.4g kN.m" : "%.4g kN", value / kKilo);
}

/// @param of_dof  the words for a DOF of a site; empty: none
template <typename OfDof>
std::string in_words(const IntegratorSettings& settings, const char* verb, OfDof of_dof) {
  std::string text;
  for (std::size_t i = 0; i < settings.sites.size(); ++i) {
    const SiteSpecification& site = settings.sites[i];
    if (!site.to_gravity) continue;
    text += (text.empty() ? "site " : "; site ") + site.name + verb;
    for (std::size_t k = 0; k < site.layout.size(); ++k)
      text += (k > 0 ? ", " : "") + of_dof(i, k);
  }
  return text;
}

}  // namespace

bool is_asked(const IntegratorSettings& settings) noexcept {
  return std::any_of(settings.sites.begin(), settings.sites.end(),
                     [](const SiteSpecification& site) { return site.to_gravity; });
}

std::string way(const IntegratorSettings& settings, std::span<const SiteTarget> targets) {
  return in_words(settings, " goes to ", [&](std::size_t site, std::size_t dof) {
    const InterfaceDof& named = settings.sites[site].layout[dof];
    const auto at = static_cast<Eigen::Index>(dof);
    const InterfaceVector& target = targets[site].target.displacement;
    return at < target.size() ? position(named, target[at]) : named.name + " force only";
  });
}

std::string arrival(const IntegratorSettings& settings,
                    std::span<const SiteResponse> answers) {
  return in_words(settings, " at ", [&](std::size_t site, std::size_t dof) {
    const InterfaceDof& named = settings.sites[site].layout[dof];
    const auto at = static_cast<Eigen::Index>(dof);
    const SiteResponse& answer = answers[site];
    return (at < answer.measured.size() ? position(named, answer.measured[at])
                                        : named.name) +
           " with " + force(named, answer.force[at]);
  });
}

}  // namespace trestle::integrator_node::gravity_approach
