#include "composition/numerical/integrator_factory.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "numerical/integration/cholesky_factor.h"
#include "numerical/integration/constant_average_acceleration.h"
#include "numerical/integration/explicit_newmark.h"
#include "numerical/integration/implicit.h"
#include "numerical/integration/kr_alpha.h"
#include "numerical/integration/mass_checks.h"
#include "numerical/integration/operator_splitting.h"
#include "numerical/integration/stable_time_step.h"
#include "numerical/materials/twin_law.h"
#include "numerical/structure/combined_matrices.h"
#include "proto/config/numerical.pb.h"

namespace trestle::composition {
namespace {

constexpr double kDefaultAlpha = -0.05;
constexpr double kDefaultRhoInfinity = 0.9;

integration::ImplicitSettings implicit_settings(const config::Implicit& given) {
  integration::ImplicitSettings settings;
  if (given.has_alpha() && given.has_rho_infinity())
    throw std::invalid_argument(
        "implicit: both alpha and rho_infinity are given; give one of them");
  settings.sites_iterate = given.sites() == config::IMPLICIT_SITES_EACH_ITERATION;
  if (given.has_polynomial() && !settings.sites_iterate)
    throw std::invalid_argument(
        "implicit: polynomial is the path of the commands with sites: each-iteration; "
        "leave it out");
  if (given.has_alpha())
    settings.weights = integration::GeneralisedAlpha::by_alpha(given.alpha());
  if (given.has_rho_infinity())
    settings.weights = integration::GeneralisedAlpha::by_radius(given.rho_infinity());
  if (given.has_iterations()) settings.iterations = static_cast<int>(given.iterations());
  if (given.has_polynomial()) settings.polynomial = static_cast<int>(given.polynomial());
  if (given.has_stop_above()) settings.stop_above = given.stop_above();
  return settings;
}

std::unique_ptr<integration::TimeIntegrator> make(
    const config::Integrator& config, const structure::StructuralModel& structure,
    double time_step) {
  switch (config.kind_case()) {
    case config::Integrator::kConstantAverageAcceleration:
      return std::make_unique<integration::ConstantAverageAcceleration>(
          structure, time_step,
          config.constant_average_acceleration().site_force() == config::OF_LAST_STEP
              ? integration::SiteForceTiming::kPreviousStep
              : integration::SiteForceTiming::kCurrentStep);
    case config::Integrator::kOperatorSplitting: {
      const config::OperatorSplitting& settings = config.operator_splitting();
      if (settings.has_alpha() && settings.has_rho_infinity())
        throw std::invalid_argument(
            "operator-splitting: both alpha and rho_infinity are given; give one of them");
      if (settings.has_rho_infinity())
        return std::make_unique<integration::OperatorSplitting>(
            structure, time_step,
            integration::GeneralisedAlpha::by_radius(settings.rho_infinity(),
                                                     "operator-splitting"));
      return std::make_unique<integration::OperatorSplitting>(
          structure, time_step, settings.has_alpha() ? settings.alpha() : kDefaultAlpha);
    }
    case config::Integrator::kKrAlpha: {
      const config::KrAlpha& settings = config.kr_alpha();
      return std::make_unique<integration::KrAlpha>(
          structure, time_step,
          settings.has_rho_infinity() ? settings.rho_infinity() : kDefaultRhoInfinity);
    }
    case config::Integrator::kImplicit:
      return std::make_unique<integration::Implicit>(structure, time_step,
                                                     implicit_settings(config.implicit()));
    case config::Integrator::kExplicitNewmark:
    case config::Integrator::KIND_NOT_SET:
      break;
  }
  return std::make_unique<integration::ExplicitNewmark>(structure, time_step);
}

std::string spring_in_words(const structure::StructuralModel& structure,
                            const structure::NonlinearSpring& spring) {
  if (!spring.link.empty()) return "the link `" + spring.link + "`";
  if (!spring.member.empty()) return "the hinge `" + spring.member + "." + spring.end + "`";
  for (const structure::NamedDof& dof : structure.dofs)
    if (!spring.elongation.empty() && dof.equation == spring.elongation.front().equation)
      return "the spring at `" + dof.name + "`";
  return "a spring";
}

/// A law whose tangent may become larger than that at rest.
struct Stiffening {
  std::string spring;  ///< whose it is
  double ratio = 1.0;  ///< largest tangent over that at rest
};

/// The worst of them. What a twin may become, `updating` declares.
Stiffening largest_stiffening(const structure::StructuralModel& structure) {
  constexpr double kRounding = 1e-9;
  Stiffening worst;
  for (const structure::NonlinearSpring& spring : structure.springs) {
    const double at_rest = spring.law->initial_stiffness();
    const double ratio = spring.law->largest_stiffness() / at_rest;
    if (at_rest == 0.0 || !(ratio > worst.ratio * (1.0 + kRounding)) ||
        dynamic_cast<const materials::TwinLaw*>(spring.law.get()) != nullptr)
      continue;
    worst = {.spring = spring_in_words(structure, spring), .ratio = ratio};
  }
  return worst;
}

/// Splitting is stable while no tangent exceeds the stiffness at rest, which the scheme has
/// on its implicit side; an explicit step is then limited by the largest one.
void refuse_stiffening(const integration::TimeIntegrator& scheme, bool explicitly,
                       const structure::StructuralModel& structure, double time_step,
                       const std::string& path) {
  const Stiffening worst = largest_stiffening(structure);
  if (worst.ratio == 1.0) return;
  if (!std::isfinite(worst.ratio))
    throw SettingError(path, worst.spring +
                                 " can become stiffer than it is at rest, and by how much "
                                 "is not bounded (friction-pendulum with geometry: "
                                 "exact), while " +
                                 scheme.name() +
                                 " needs the largest stiffness; take kind: implicit, or "
                                 "geometry: plain");
  const std::string what = worst.spring + " can become " + in_words(worst.ratio) +
                           " times as stiff as it is at rest (beta above gamma)";
  if (!explicitly)
    throw SettingError(path, what + ", and " + scheme.name() +
                                 " is stable only while no tangent exceeds the stiffness "
                                 "at rest; take kind: implicit, or beta up to gamma");
  const double limit = scheme.stable_time_step();
  const double then = limit / std::sqrt(worst.ratio);
  // A step that is too long at rest already is told elsewhere.
  if (time_step < limit && time_step >= then)
    throw SettingError("time_step", "is " + in_words(time_step) + " s; " + what + ", and " +
                                        scheme.name() + " is then stable up to " +
                                        in_words(then) +
                                        " s. Take a shorter step, or kind: implicit");
}

/// The largest stiffness of a gap on the implicit side acts while it is open, too, as a
/// mass of βΔt²·k: it slows what moves there, and a contact of some steps gains energy.
void refuse_contact_within_step(const integration::TimeIntegrator& scheme,
                                const structure::StructuralModel& structure,
                                double time_step, const std::string& path) {
  if (std::none_of(structure.springs.begin(), structure.springs.end(),
                   [](const structure::NonlinearSpring& spring) {
                     return spring.law->initial_stiffness() == 0.0 &&
                            spring.law->largest_stiffness() > 0.0;
                   }))
    return;
  const structure::SparseMatrix contact =
      structure::splitting_stiffness(structure) - structure::numerical_stiffness(structure);
  for (const int i : integration::massless_equations(structure))
    if (contact.coeff(i, i) > 0.0)
      throw SettingError(path, "a gap or hook is at " +
                                   integration::format_dof(structure, i) +
                                   ", which has no mass, and " + scheme.name() +
                                   " would hold it while it is open; put a mass there, or "
                                   "take kind: implicit");
  const structure::SparseMatrix none(structure.equations, structure.equations);
  const structure::SparseMatrix mass = integration::regularised_mass(structure);
  // 0.2/ω of 2/ω: half a period of the contact is sixteen steps, and the mass at the open
  // gap one to two percent too large.
  const double limit = 0.1 * integration::stable_time_step({.mass = mass,
                                                            .experimental_mass = none,
                                                            .experimental_damping = none,
                                                            .stiffness = contact,
                                                            .kappa = 0.25});
  if (time_step <= limit) return;
  throw SettingError("time_step",
                     "is " + in_words(time_step) +
                         " s, and a gap or hook closes and opens within a few of it: " +
                         scheme.name() + " follows a contact with steps up to " +
                         in_words(limit) + " s. Take a shorter step, or kind: implicit");
}

}  // namespace

int commands_per_step(const config::Integrator& config) {
  const config::Implicit& implicit = config.implicit();
  if (implicit.sites() != config::IMPLICIT_SITES_EACH_ITERATION) return 1;
  return implicit.has_iterations() ? static_cast<int>(implicit.iterations())
                                   : integration::ImplicitSettings().iterations;
}

int commands_per_reference_step(const config::Integrator& test,
                                const config::Integrator& reference) {
  if (reference.kind_case() == config::Integrator::KIND_NOT_SET) return 1;
  const int of_test = commands_per_step(test);
  const int of_reference = commands_per_step(reference);
  if (of_reference == of_test) return 1;
  if (of_reference > 1)
    throw SettingError("reference.numerical.integrator",
                       "has sites: each-iteration with other iterations than the test's, "
                       "and no site to ask; leave it out, or take sites: once");
  return of_test;
}

std::unique_ptr<integration::TimeIntegrator> make_integrator(
    const config::Integrator& config, const structure::StructuralModel& structure,
    double time_step, const std::string& path) {
  if (structure.details.tangent_factor && !config.has_implicit())
    throw SettingError(path,
                       "Rayleigh damping has stiffness: tangent, which changes with each "
                       "step, and this scheme keeps its matrices; take kind: implicit, or "
                       "stiffness: initial or elastic");
  if (!config.has_implicit())
    for (const structure::NonlinearSpring& spring : structure.springs) {
      if (spring.law->depends_on_rate())
        throw SettingError(path, "the force of the link `" + spring.link +
                                     "` depends on its velocity (viscous, or a gap or hook "
                                     "with damping), which only implicit finds at the end "
                                     "of the step; take kind: implicit");
    }
  const bool follows =
      std::any_of(structure.members.begin(), structure.members.end(),
                  [](const structure::AssembledMember& member) {
                    return member.law != nullptr && member.law->follows_chord();
                  });
  const bool explicitly = config.has_explicit_newmark() ||
                          config.kind_case() == config::Integrator::KIND_NOT_SET;
  if (follows && !config.has_implicit() && !explicitly)
    throw SettingError(path,
                       "the frame's geometry is corotational: its stiffness changes with "
                       "its displacements, which this scheme keeps constant; take kind: "
                       "implicit or explicit-newmark");
  try {
    auto scheme = make(config, structure, time_step);
    if (!config.has_implicit())
      refuse_stiffening(*scheme, explicitly, structure, time_step, path);
    if (!config.has_implicit() && !explicitly)
      refuse_contact_within_step(*scheme, structure, time_step, path);
    return scheme;
  } catch (const integration::NotPositiveDefinite& error) {
    throw SettingError(path, "the integrator's matrix cannot be factored at " +
                                 integration::format_dof(structure, error.equation()) +
                                 ": mass, damping and stiffness there are not positive");
  } catch (const std::invalid_argument& error) {
    throw SettingError(path, error.what());
  }
}

}  // namespace trestle::composition
