#include "composition/numerical/twin_factory.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "composition/numerical/mechanics_factory.h"
#include "core/base/nearest_name.h"
#include "core/base/setting_checks.h"
#include "core/base/setting_error.h"
#include "core/base/setting_error_collector.h"
#include "numerical/materials/bilinear_law.h"
#include "numerical/materials/bouc_wen_law.h"
#include "numerical/materials/twin_law.h"
#include "proto/config/numerical.pb.h"
#include "proto/config/test.pb.h"

namespace trestle::composition {
namespace {

constexpr double kSpread = 0.2;

/// The springs that can be twins, by name: storeys, whose law acts between their own DOF
/// and that below, and directions of links. Empty: it can be none.
std::vector<std::string> spring_names(const config::Test& test,
                                      const structure::StructuralModel& structure) {
  std::vector<std::string> names;
  for (const structure::NonlinearSpring& spring : structure.springs) {
    std::string name = spring.link;
    if (test.numerical().has_shear_building())
      for (const structure::NamedDof& dof : structure.dofs)
        if (dof.equation == spring.elongation.front().equation)
          name = dof.name.substr(0, dof.name.rfind('.'));
    names.push_back(std::move(name));
  }
  return names;
}

/// The settings of a smooth Bouc–Wen law, or null.
const materials::BoucWenLawSettings* bouc_wen_of(const materials::RestoringForce* law) {
  const auto* found = dynamic_cast<const materials::BoucWenLaw*>(law);
  return found == nullptr ? nullptr : &found->settings();
}

/// A law that can follow a specimen, before it does.
struct TwinStart {
  double hardening = 0.0;
  std::unique_ptr<materials::ScalableLaw> law;  ///< null: it cannot
};

/// @param bilinear  of the specimen
TwinStart twin_start(const materials::RestoringForce* law, bool bilinear) {
  if (bilinear) {
    const auto* found = dynamic_cast<const materials::BilinearLaw*>(law);
    if (found == nullptr) return {};
    return {found->settings().hardening,
            std::make_unique<materials::BilinearLaw>(found->settings())};
  }
  const materials::BoucWenLawSettings* found = bouc_wen_of(law);
  if (found == nullptr) return {};
  return {found->hardening, std::make_unique<materials::BoucWenLaw>(*found)};
}

/// Of what the estimator may find, over its start.
double largest_hardening_factor(const materials::HysteresisEstimatorSettings& specimen) {
  if (!(specimen.spread[2] > 0.0)) return 1.0;
  return std::min(specimen.highest,
                  std::max(1.0, materials::HysteresisEstimator::kHighestHardening /
                                    specimen.law.hardening));
}

materials::BoucWenLawSettings expected_law(const config::TwinUpdate& update,
                                           const std::string& path) {
  if (update.has_bilinear())
    return {.stiffness = update.bilinear().stiffness(),
            .yield_force = update.bilinear().yield_force(),
            .hardening = update.bilinear().hardening()};
  config::RestoringForceLaw law;
  *law.mutable_bouc_wen() = update.law();
  const auto made = make_restoring_force(law, path);
  const materials::BoucWenLawSettings* settings = bouc_wen_of(made.get());
  if (settings == nullptr)
    throw SettingError(path,
                       "is degrading or pinching, whose numbers are not estimated; take a "
                       "law without them");
  return *settings;
}

materials::HysteresisEstimatorSettings estimator_of(const config::TwinUpdate& update,
                                                    double time_step,
                                                    const std::string& path) {
  if (update.has_law() == update.has_bilinear())
    throw SettingError(path, update.has_law()
                                 ? "has `law` and `bilinear`; the specimen is one of them"
                                 : "needs `law` (bouc-wen) or `bilinear`: what the "
                                   "specimen is expected to be");
  materials::HysteresisEstimatorSettings settings{
      .law = expected_law(update, path + ".law"),
      .bilinear = update.has_bilinear(),
      .time_step = time_step,
      .force_noise = update.force_noise(),
      .displacement_noise = update.displacement_noise(),
      .drift = update.drift()};
  const config::TwinSpread& spread = update.spread();
  settings.spread = {spread.has_stiffness() ? spread.stiffness() : kSpread,
                     spread.has_yield_force() ? spread.yield_force() : kSpread,
                     spread.has_hardening()         ? spread.hardening()
                     : settings.law.hardening > 0.0 ? kSpread
                                                    : 0.0};
  if (update.has_lowest()) settings.lowest = update.lowest();
  if (update.has_highest()) settings.highest = update.highest();
  return settings;
}

/// Where the specimen is, and along which DOF of its site it deforms.
void place(const config::TwinUpdate& update,
           const std::vector<structure::ExperimentalPart>& parts,
           const structure::StructuralModel& structure, const std::string& path,
           substructure::TwinSettings& twin) {
  std::vector<std::string> sites;
  for (const structure::ExperimentalPart& part : parts) sites.push_back(part.site);
  const auto site = std::find(sites.begin(), sites.end(), update.site());
  if (site == sites.end())
    throw SettingError(path + ".site", "there is no site `" + update.site() + "`" +
                                           suggest(update.site(), sites));
  twin.site = static_cast<std::size_t>(site - sites.begin());
  const structure::ExperimentalPart& part = parts[twin.site];
  const std::vector<std::string> dofs(
      part.dofs.begin(), part.dofs.end() - static_cast<std::ptrdiff_t>(part.force_only));
  auto dof = dofs.begin();
  if (!update.dof().empty()) {
    dof = std::find(dofs.begin(), dofs.end(), update.dof());
    if (dof == dofs.end())
      throw SettingError(path + ".dof", "the interface of `" + update.site() +
                                            "` has no controlled DOF `" + update.dof() +
                                            "`" + suggest(update.dof(), dofs));
  } else if (dofs.size() != 1) {
    throw SettingError(path + ".dof",
                       "the interface of `" + update.site() + "` has " +
                           std::to_string(dofs.size()) +
                           " DOFs; name the one along which the specimen deforms");
  }
  twin.dof = dof - dofs.begin();
  for (const structure::NamedDof& named : structure.dofs)
    if (named.name == *dof) twin.turns = named.kind == DofKind::kRotation;
}

/// Gives springs the laws of twins, each once.
class TwinFinder {
 public:
  TwinFinder(const config::Test& test, structure::StructuralModel& structure,
             SettingErrorCollector& problems)
      : structure_(structure), names_(spring_names(test, structure)), problems_(problems) {}

  void find(const config::TwinUpdate& update, const std::string& path,
            substructure::TwinSettings& twin) {
    for (int i = 0; i < update.twins_size(); ++i) {
      const std::string& name = update.twins(i);
      const auto at = std::find(names_.begin(), names_.end(), name);
      const auto place = static_cast<std::size_t>(at - names_.begin());
      const std::string complaint = at == names_.end() || name.empty()
                                        ? "no storey and no direction of a link with a "
                                          "law is called `" +
                                              name + "`" + suggest(name, names_)
                                        : replace_law(place, twin);
      if (complaint.empty())
        twin.springs.push_back(place);
      else
        problems_.add(path + ".twins[" + std::to_string(i) + "]", complaint);
    }
  }

 private:
  /// @returns why it cannot be done; empty: it is done
  std::string replace_law(std::size_t place, const substructure::TwinSettings& twin) {
    const std::string name = "`" + names_[place] + "`";
    if (!taken_.insert(place).second) return name + " follows a specimen already";
    structure::NonlinearSpring& spring = structure_.springs[place];
    TwinStart start = twin_start(spring.law.get(), twin.specimen.bilinear);
    if (start.law == nullptr)
      return name + (twin.specimen.bilinear
                         ? " has no law of kind bilinear, which alone can follow a "
                           "specimen that is one"
                         : " has no law of kind bouc-wen without degrading and pinching, "
                           "which alone can follow a specimen");
    if (twin.specimen.spread[2] > 0.0 && start.hardening == 0.0)
      return name +
             " has no hardening, so that it cannot take a factor on it; give it one, or "
             "set spread.hardening: 0";
    if (const double most = start.hardening * largest_hardening_factor(twin.specimen);
        most >= 1.0)
      return name + " has a hardening of " + in_words(start.hardening) +
             ", which could become " + in_words(most) +
             "; must stay below 1. Take a smaller `highest`, or set spread.hardening: 0";
    spring.law =
        std::make_unique<materials::TwinLaw>(std::move(start.law), twin.specimen.highest);
    return {};
  }

  structure::StructuralModel& structure_;
  std::vector<std::string> names_;  // of the springs
  std::set<std::size_t> taken_;
  SettingErrorCollector& problems_;
};

}  // namespace

std::vector<substructure::TwinSettings> make_twins(
    const config::Test& test, structure::StructuralModel& structure,
    const std::vector<structure::ExperimentalPart>& parts) {
  std::vector<substructure::TwinSettings> twins;
  SettingErrorCollector problems;
  TwinFinder finder(test, structure, problems);
  std::set<std::string> names;
  if (test.updating_size() > 0 && test.undivided())
    throw SettingError("updating",
                       "needs a site that measures, and the undivided structure has none; "
                       "leave one of them out");
  if (test.updating_size() > 0 && test.excitation().has_gravity())
    throw SettingError("updating",
                       "needs a specimen at rest at zero, and here gravity acts; leave one "
                       "of them out");
  for (int i = 0; i < test.updating_size(); ++i) {
    const config::TwinUpdate& update = test.updating(i);
    const std::string path = "updating[" + std::to_string(i) + "]";
    if (!names.insert(update.name()).second)
      problems.add(path, "`" + update.name() + "` is there twice");
    try {
      substructure::TwinSettings twin{.name = update.name(), .specimen = {}};
      twin.specimen = estimator_of(update, test.time_step(), path);
      SettingErrorCollector::below(path, [&twin] {
        return materials::HysteresisEstimator(twin.specimen);  // for its complaints
      });
      place(update, parts, structure, path, twin);
      twin.from_step =
          static_cast<std::int64_t>(std::ceil(update.from() / test.time_step() - 1e-9));
      finder.find(update, path, twin);
      twins.push_back(std::move(twin));
    } catch (const SettingError& error) {
      problems.add_below("", error);
    }
  }
  problems.throw_if_any();
  return twins;
}

std::optional<std::string> too_stiff(const std::vector<substructure::TwinSettings>& twins,
                                     const integration::TimeIntegrator& integrator,
                                     double time_step) {
  double highest = 1.0;
  for (const substructure::TwinSettings& twin : twins)
    highest = std::max(highest, twin.specimen.highest);
  const double limit = integrator.stable_time_step();
  const double limit_then = limit / std::sqrt(highest);
  // A step that is too long for the start is told elsewhere.
  if (highest == 1.0 || std::isnan(limit) || time_step >= limit || time_step < limit_then)
    return std::nullopt;
  return "lets a law become " + in_words(highest) + " times as stiff as at its start; " +
         integrator.name() + " is then stable up to " + in_words(limit_then) +
         " s, and time_step is " + in_words(time_step) +
         " s. Take a shorter one, or a smaller `highest`";
}

}  // namespace trestle::composition
